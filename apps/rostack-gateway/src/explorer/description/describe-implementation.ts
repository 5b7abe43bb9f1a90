import type { DiscoveryDocument, ImplementationDefinition, ImplementedResource } from 'rostack-core';
import { clientExample } from './client-example.ts';
import { type CurlExamples, curlExamples } from './curl-examples.ts';
import { describeFields } from './describe-fields.ts';
import { exampleQuery } from './example-query.ts';
import type { FieldDescription } from './field-description.ts';

/** A resource, with all that its part of the page says. */
export interface ResourceDescription {
  readonly resource: ImplementedResource;
  readonly fields: readonly FieldDescription[];
  readonly curl: CurlExamples;
  /** A program for Node, as one ES module. */
  readonly client: string;
}

/** What the page says. */
export interface ImplementationDescription {
  readonly discovery: DiscoveryDocument;
  readonly resources: readonly ResourceDescription[];
}

/** Reads definition and schemas into what the page shows. */
export function describeImplementation(implementation: ImplementationDefinition): ImplementationDescription {
  const { discovery, schemas } = implementation;
  const resources: readonly ImplementedResource[] = Object.values(implementation.resources);
  return {
    discovery,
    resources: resources.map((resource) => {
      const fields = describeFields(resource, schemas);
      const query = exampleQuery(fields);
      return {
        resource,
        fields,
        curl: curlExamples(resource.descriptor, query, discovery.authentication),
        client: clientExample(resource, fields, query, discovery),
      };
    }),
  };
}
