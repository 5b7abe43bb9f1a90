import type { JsonObject, JsonValue } from 'rostack-core';

/** The value at a path of reference tokens; undefined if the record has none. */
export function valueAt(record: JsonValue | undefined, tokens: readonly string[]): JsonValue | undefined {
  let here = record;
  for (const token of tokens) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, token)) return undefined;
    here = (here as JsonObject)[token];
  }
  return here;
}

/** A value as one short line: text as it is, everything else as JSON. */
export function valueInWords(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The record's id, found by its reference tokens; empty if there is none. */
export const idOf = (record: JsonValue, idPath: readonly string[]): string =>
  valueInWords(valueAt(record, idPath));

/** The reference tokens of a JSON Pointer. */
export const tokensOf = (pointer: string): readonly string[] =>
  pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
