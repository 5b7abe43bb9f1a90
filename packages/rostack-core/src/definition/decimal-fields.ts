import type { DecimalFields } from '../decimal/decimal.ts';
import { JSON_MEDIA_TYPE, type Resource } from '../discovery/resource-model.ts';
import { bundleSchema } from '../schema/bundle-schema.ts';
import { isObject, type JsonSchema } from '../schema/json-schema.ts';
import { isDecimalField } from './field-types.ts';

/**
 * The fields of a resource that hold decimals: strings of the format `decimal`, which compare as numbers.
 * @param schemas by URL; if the schema of the records is missing, no field holds decimals
 */
export function decimalFields(
  { representations }: Pick<Resource, 'representations'>,
  schemas: ReadonlyMap<string, JsonSchema | boolean>,
): DecimalFields {
  const ofRecords = representations.find(({ media_type: mediaType }) => mediaType === JSON_MEDIA_TYPE);
  const url = ofRecords?.schema_url ?? '';
  const documents = new Map(
    [...schemas].filter((entry): entry is [string, JsonSchema] => isObject(entry[1])),
  );
  const schema = documents.has(url) ? bundleSchema(url, documents) : undefined;
  const known = new Map<string, boolean>();
  return {
    has: (pointer) => {
      if (schema === undefined) return false;
      const before = known.get(pointer);
      if (before !== undefined) return before;
      const isDecimal = isDecimalField(schema, pointer);
      known.set(pointer, isDecimal);
      return isDecimal;
    },
  };
}
