import { collationKey, type JsonValue, resolvePointer } from 'rostack-core';
import type { Field } from '../resource/field.ts';
import { encodeDetailKey, encodeOrderKey } from './encode-key.ts';

/** Order key and detail key of each field, one after the other. */
export function encodeKeys(record: JsonValue, fields: readonly Field[]): (Buffer | null)[] {
  const keys: (Buffer | null)[] = [];
  for (const field of fields) {
    const value = resolvePointer(record, field.path);
    const compared =
      field.collation !== undefined && typeof value === 'string'
        ? collationKey(field.collation, value)
        : value;
    keys.push(encodeOrderKey(compared), encodeDetailKey(value));
  }
  return keys;
}
