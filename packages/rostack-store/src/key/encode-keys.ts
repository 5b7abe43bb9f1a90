import { type JsonValue, resolvePointer } from 'rostack-core';
import type { Field } from '../resource/field.ts';
import { encodeDetailKey, encodeOrderKey } from './encode-key.ts';

/** Order key and detail key of each field, one after the other. */
export function encodeKeys(record: JsonValue, fields: readonly Field[]): (Buffer | null)[] {
  const keys: (Buffer | null)[] = [];
  for (const field of fields) {
    const value = resolvePointer(record, field.path);
    keys.push(encodeOrderKey(value), encodeDetailKey(value));
  }
  return keys;
}
