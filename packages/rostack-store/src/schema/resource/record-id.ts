import { Buffer } from 'node:buffer';
import { fieldTypes, formatPointer, type JsonObject, recordIdText } from 'rostack-core';
import type { JsonSchema } from './resource-definition.ts';

const MAX_ID_BYTES = 512;

/** The text of an id, or why a value cannot be one. */
export type IdText =
  | { readonly id: string; readonly fault?: undefined }
  | { readonly id?: undefined; readonly fault: string };

/** The text by which the store identifies a record. */
export function toIdText(value: unknown): IdText {
  const id = recordIdText(value);
  if (id === undefined) return { fault: 'is neither a string nor an integer from -(2^53 - 1) to 2^53 - 1' };
  const fault = faultOfId(id);
  return fault === undefined ? { id } : { fault };
}

/** Why a text cannot be a record's id, which is a key of both databases and is part of URLs: no U+0000, of bounded length. */
export function faultOfId(id: string): string | undefined {
  if (id === '') return 'is empty';
  // A path segment of dots is resolved away, even when percent-encoded (WHATWG URL), and leads to another resource.
  if (id === '.' || id === '..') return `is "${id}", which no URL can hold`;
  if (!id.isWellFormed()) return 'contains half of a surrogate pair';
  if (id.includes('\u0000')) return 'holds U+0000';
  if (Buffer.byteLength(id, 'utf8') > MAX_ID_BYTES) return `is longer than ${MAX_ID_BYTES} bytes`;
  return undefined;
}

/** Whether a schema allows integers as ids, but no strings. */
export function wantsInteger(schema: JsonSchema, idPath: readonly string[]): boolean {
  if (typeof schema === 'boolean') return false;
  const types = fieldTypes(schema as JsonObject, formatPointer(idPath));
  return types?.has('number') === true && !types.has('string');
}
