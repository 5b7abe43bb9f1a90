import type { Collation, Collations } from '../collation/collation.ts';
import { JSON_MEDIA_TYPE, type Resource } from '../discovery/resource-model.ts';
import { bundleSchema } from '../schema/bundle-schema.ts';
import { isObject, type JsonSchema } from '../schema/json-schema.ts';
import { fieldCollation } from './field-types.ts';

/**
 * The collations of the fields of a resource: strings that compare by value, since the published schema gives them a format that has one.
 * @param schemas by URL; if the schema of the records is missing, no field has a collation
 */
export function fieldCollations(
  { representations }: Pick<Resource, 'representations'>,
  schemas: ReadonlyMap<string, JsonSchema | boolean>,
): Collations {
  const ofRecords = representations.find(({ media_type: mediaType }) => mediaType === JSON_MEDIA_TYPE);
  const url = ofRecords?.schema_url ?? '';
  const documents = new Map(
    [...schemas].filter((entry): entry is [string, JsonSchema] => isObject(entry[1])),
  );
  const schema = documents.has(url) ? bundleSchema(url, documents) : undefined;
  const known = new Map<string, Collation | undefined>();
  return {
    get: (pointer) => {
      if (schema === undefined || known.has(pointer)) return known.get(pointer);
      const collation = fieldCollation(schema, pointer);
      known.set(pointer, collation);
      return collation;
    },
  };
}
