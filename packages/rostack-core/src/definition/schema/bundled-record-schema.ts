import { bundleSchema, type SchemaDocuments } from '../../schema/bundle-schema.ts';
import { isObject, type JsonSchema } from '../../schema/graph/json-schema.ts';
import { JSON_MEDIA_TYPE, type Resource } from '../../wire/discovery/resource-model.ts';

/**
 * The schema of a resource's records, with those that it refers to inside it.
 * @param schemas by URL
 * @returns undefined if the schema is missing
 */
export function bundledRecordSchema(
  { representations }: Pick<Resource, 'representations'>,
  schemas: SchemaDocuments,
): JsonSchema | undefined {
  const ofRecords = representations.find(({ media_type: mediaType }) => mediaType === JSON_MEDIA_TYPE);
  const url = ofRecords?.schema_url ?? '';
  return isObject(schemas.get(url)) ? bundleSchema(url, schemas) : undefined;
}
