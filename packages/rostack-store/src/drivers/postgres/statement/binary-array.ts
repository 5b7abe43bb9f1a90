import { Buffer } from 'node:buffer';
import type { ColumnType } from '../../dialect/query.ts';
import { sizeOf, writeValue } from './binary-value.ts';

/** PostgreSQL's OIDs of the element types (pg_type.dat). */
const ELEMENT_TYPES: Readonly<Record<ColumnType, number>> = { bytea: 17, bigint: 20, text: 25 };

const HEADER_BYTES = 20;

/**
 * A one-dimensional array in PostgreSQL's binary format (array_recv of its arrayfuncs.c): number of dimensions, whether there may be null
 * elements, element type, length, lower bound; then each element as its length and its bytes. Nothing has to be escaped.
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
