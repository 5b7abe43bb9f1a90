import { createHash } from 'node:crypto';
import type { JsonSchema } from '../resource/resource-definition.ts';
import type { RowMapping } from './column-mapping.ts';

/** Tells whether rows would become other records, or be judged otherwise, than before. */
export function mappingDigest(mapping: RowMapping, schema: JsonSchema): string {
  return createHash('sha256')
    .update(JSON.stringify([mapping, schema]))
    .digest('hex');
}
