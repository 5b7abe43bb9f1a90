import type { JsonValue } from '../json.ts';

// No leading zero, no sign; "-" names the element after the last, which never exists (RFC 6901, section 4).
const ARRAY_INDEX = /^(?:0|[1-9][0-9]*)$/;

/**
 * The value at a path, or undefined where the record has none. Own members and array elements only: `__proto__`,
 * `constructor`, `length` of an array and `-` are missing unless the JSON itself has a member of that name.
 * @see RFC 6901, section 4; protocol section 10
 */
export function resolvePointer(record: JsonValue, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = record;
  for (const token of path) {
    value = resolveToken(value, token);
    if (value === undefined) return undefined;
  }
  return value;
}

/** The own member or array element of that name. */
export function resolveToken(value: JsonValue, token: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Object.hasOwn(value, token)) return undefined;
  if (Array.isArray(value) && !ARRAY_INDEX.test(token)) return undefined;
  return (value as { readonly [member: string]: JsonValue })[token];
}
