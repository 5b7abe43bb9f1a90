import { createHash } from 'node:crypto';
import type { JsonSchema } from '../resource/resource-definition.ts';
import type { ColumnMapping } from './column-mapping.ts';

/** Tells whether rows would become other records, or be judged otherwise, than before. */
export function mappingDigest(mappings: readonly ColumnMapping[], schema: JsonSchema): string {
  return createHash('sha256')
    .update(JSON.stringify([mappings, schema]))
    .digest('hex');
}
