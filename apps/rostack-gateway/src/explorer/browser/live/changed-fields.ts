import type { JsonValue } from 'rostack-core';
import type { ExplorerField } from '../../explorer-data.ts';
import { valueAt, valueInWords } from '../values.ts';

/** A field whose value differs between two states of a record. */
export interface ChangedField {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** The fields that differ; those that hold others are left out, their members tell it. */
export function changedFields(
  before: JsonValue,
  after: JsonValue,
  fields: readonly ExplorerField[],
): readonly ChangedField[] {
  return fields.flatMap(({ tokens, path, nested, types }) => {
    if (nested && !types.includes('array')) return [];
    const old = valueInWords(valueAt(before, tokens));
    const present = valueInWords(valueAt(after, tokens));
    return old === present ? [] : [{ path, before: old, after: present }];
  });
}
