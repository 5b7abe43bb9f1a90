import type { Collation, Collations } from '../query/collation/collation.ts';
import type { SchemaDocuments } from '../schema/bundle-schema.ts';
import type { Resource } from '../wire/discovery/resource-model.ts';
import { bundledRecordSchema } from './bundled-record-schema.ts';
import { fieldCollation } from './field-types.ts';

/**
 * The collations of the fields of a resource: strings that compare by value, since the published schema gives them a format that has one.
 * @param schemas by URL; if the schema of the records is missing, no field has a collation
 */
export function fieldCollations(
  { representations }: Pick<Resource, 'representations'>,
  schemas: SchemaDocuments,
): Collations {
  const schema = bundledRecordSchema({ representations }, schemas);
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
