import { Buffer } from 'node:buffer';
import { sizeOf, writeValue } from './binary-value.ts';

/** The signature, no flags, and no header extension. */
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const TRAILER = -1;

/**
 * Rows in the format of `copy ... from stdin (format binary)`: each is the number of its values, then each value as its length and its
 * bytes.
 * @param rows of values as `sizeOf` takes them
 */
export function encodeBinaryCopy(rows: readonly (readonly unknown[])[]): Buffer {
  let size = HEADER.length + 2;
  for (const row of rows) {
    size += 2;
    for (const value of row) size += 4 + sizeOf(value);
  }
  const bytes = Buffer.allocUnsafe(size);
  let at = HEADER.copy(bytes);
  for (const row of rows) {
    at = bytes.writeInt16BE(row.length, at);
    for (const value of row) at = writeValue(bytes, value, at);
  }
  bytes.writeInt16BE(TRAILER, at);
  return bytes;
}
