import {
  type AnyDiscoveryDocument,
  type DescribedImplementation,
  type EventDescriptor,
  JSON_MEDIA_TYPE,
  type JsonSchema,
  jsonEquals,
  parsePointer,
} from 'rostack-core';
import { clientExample, type DescribedResource } from './client-example.ts';
import { type CurlExamples, curlExamples } from './curl-examples.ts';
import { describeFields } from './describe-fields.ts';
import { exampleQuery } from './example-query.ts';
import { askedOrigins } from './origins.ts';

/** What an explorer shows: a discovery document and the schemas that it advertises, by URL. */
export interface ExplorerSubject extends DescribedImplementation {
  /** By name. Discovery does not say where a record holds its id: without an entry here it is `/id`, or what the records show. */
  readonly resources?: Readonly<
    Record<
      string,
      {
        /** JSON Pointer of the id in a record. */
        readonly idPointer: string;
      }
    >
  >;
}

/** An event and what its data holds. */
export interface EventDescription {
  readonly descriptor: EventDescriptor;
  readonly carries: 'record' | 'nothing' | 'projection';
}

/** A resource and everything that the page says about it. */
export interface ResourceDescription extends DescribedResource {
  readonly events: readonly EventDescription[];
  readonly curl: CurlExamples;
  /** A program for Node, as one ES module. */
  readonly client: string;
}

/** What the page says. */
export interface ImplementationDescription {
  readonly discovery: AnyDiscoveryDocument;
  readonly resources: readonly ResourceDescription[];
}

/** Turns discovery and schemas into what the page shows. */
export function describeImplementation(subject: ExplorerSubject): ImplementationDescription {
  const { discovery, schemas } = subject;
  const origins = askedOrigins(discovery);
  return {
    discovery,
    resources: discovery.resources.map((descriptor) => {
      const { representations, filtering } = descriptor;
      const json = representations.find(({ media_type: type }) => type === JSON_MEDIA_TYPE);
      const schemaUrl = json?.schema_url ?? '';
      const idPointer = subject.resources?.[descriptor.name]?.idPointer ?? '/id';
      const fields = describeFields({ schemaUrl, filtering }, schemas);
      const query = exampleQuery(fields);
      const resource = { descriptor, idPointer, idPath: parsePointer(idPointer), fields };
      return {
        ...resource,
        events: descriptor.events.map((event) => ({
          descriptor: event,
          carries:
            event.schema_url === schemaUrl
              ? 'record'
              : allowsNothing(schemas.get(event.schema_url))
                ? 'nothing'
                : 'projection',
        })),
        curl: curlExamples(descriptor, query, discovery.authentication),
        client: clientExample(resource, query, discovery, origins),
      };
    }),
  };
}

/** Whether no value is valid, or null alone, so that the event has no data. */
const allowsNothing = (schema: JsonSchema | undefined): boolean =>
  jsonEquals(schema?.['not'] ?? null, {}) || schema?.['type'] === 'null';
