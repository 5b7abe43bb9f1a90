import { JSON_MEDIA_TYPE, type Resource } from '../discovery/resource-model.ts';
import { bundleSchema } from '../schema/bundle-schema.ts';
import { isObject, type JsonSchema } from '../schema/json-schema.ts';

/**
 * The schema of a resource's records, with those that it refers to inside it.
 * @param schemas by URL
 * @returns undefined if the schema is missing
 */
export function bundledRecordSchema(
  { representations }: Pick<Resource, 'representations'>,
  schemas: ReadonlyMap<string, JsonSchema | boolean>,
): JsonSchema | undefined {
  const ofRecords = representations.find(({ media_type: mediaType }) => mediaType === JSON_MEDIA_TYPE);
  const url = ofRecords?.schema_url ?? '';
  const documents = new Map(
    [...schemas].filter((entry): entry is [string, JsonSchema] => isObject(entry[1])),
  );
  return documents.has(url) ? bundleSchema(url, documents) : undefined;
}
