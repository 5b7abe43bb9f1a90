import { Buffer } from 'node:buffer';

const MAX_ID_BYTES = 512;

/** Why a value cannot be a record's id, which is a key of both databases and stands in URLs: text without U+0000, of bounded length. */
export function faultOfId(id: unknown): string | undefined {
  if (typeof id !== 'string') return 'is not a string';
  if (id === '') return 'is empty';
  // A path segment of dots is resolved away, percent-encoded too (WHATWG URL), and leads to another resource.
  if (id === '.' || id === '..') return `is "${id}", which no URL can hold`;
  if (!id.isWellFormed()) return 'holds half of a surrogate pair';
  if (id.includes('\u0000')) return 'holds U+0000';
  if (Buffer.byteLength(id, 'utf8') > MAX_ID_BYTES) return `is longer than ${MAX_ID_BYTES} bytes`;
  return undefined;
}
