import { Buffer } from 'node:buffer';
import type { ColumnType } from '../../dialect/query.ts';
import { sizeOf, writeValue } from './binary-value.ts';

/** PostgreSQL's numbers of the element types (pg_type.dat). */
const ELEMENT_TYPES: Readonly<Record<ColumnType, number>> = { bytea: 17, bigint: 20, text: 25 };

const HEADER_BYTES = 20;

/**
 * An array of one dimension in PostgreSQL's binary format (array_recv of its arrayfuncs.c): dimensions, whether nulls may be among
 * the elements, element type, length, lower bound; then each element as its length and its bytes. Neither side has to escape.
 * @param values numbers for bigint (safe integers), strings for text, buffers for bytea, or null
 */
export function encodeBinaryArray(type: ColumnType, values: readonly unknown[]): Buffer {
  let size = HEADER_BYTES;
  for (const value of values) size += 4 + sizeOf(value);
  const bytes = Buffer.allocUnsafe(size);
  bytes.writeInt32BE(1, 0);
  bytes.writeInt32BE(1, 4);
  bytes.writeInt32BE(ELEMENT_TYPES[type], 8);
  bytes.writeInt32BE(values.length, 12);
  bytes.writeInt32BE(1, 16);
  let at = HEADER_BYTES;
  for (const value of values) at = writeValue(bytes, value, at);
  return bytes;
}
