import { type JsonSchema, type JsonValue, jsonEquals, type Resource } from 'rostack-core';
import type { CheckContext } from '../../../check/check-context.ts';
import { schemaValidators } from '../../../probe/place/schema-validators.ts';
import { schemasAt } from '../../reads/sample/record-schemas.ts';

/** What the data of events has to look like, and whether it is the record. */
export interface EventData {
  /** What is wrong with the data of an event type; undefined if it fits, or if its schema cannot be read. */
  readonly faultOf: (eventType: string, data: unknown) => string | undefined;
  /** Whether the data of an event type has the schema of the records, so that it is the record itself. */
  readonly isRecord: (eventType: string) => boolean;
}

/** Reads the schemas of the events of a resource. */
export async function eventDataOf(context: CheckContext, resource: Resource): Promise<EventData> {
  const record = resource.representations.find(({ media_type: type }) => type === 'application/json');
  const urls = [...resource.events, ...(record === undefined ? [] : [record])].map(
    ({ schema_url: url }) => url,
  );
  const schemas = await schemasAt(context, urls);
  const validatorOf = schemaValidators(schemas);
  const urlOf = (eventType: string) =>
    resource.events.find(({ name }) => name === eventType)?.schema_url ?? '';
  return {
    faultOf: (eventType, data) => validatorOf(urlOf(eventType))?.(data),
    isRecord: (eventType) => {
      const [ofEvent, ofRecord] = [schemas.get(urlOf(eventType)), schemas.get(record?.schema_url ?? '')];
      return ofEvent !== undefined && ofRecord !== undefined && jsonEquals(body(ofEvent), body(ofRecord));
    },
  };
}

/** A schema without the members that only name it. */
function body(schema: JsonSchema): JsonValue {
  const { $id: _, title: __, description: ___, ...rest } = schema;
  return rest;
}
