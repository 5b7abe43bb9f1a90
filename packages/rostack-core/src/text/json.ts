/** Any JSON value (RFC 8259). */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object; only own members count. */
export interface JsonObject {
  readonly [member: string]: JsonValue;
}

/** A JSON value that is neither an array nor an object. */
export type JsonScalar = null | boolean | number | string;

/** A type of JSON values; integers are numbers. */
export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

/** `Array.isArray` for JSON, whose arrays are read-only here. */
export const isArray = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);

/** Tells whether two JSON values are equal: the order of members does not matter, the order of items does. */
export function jsonEquals(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object') return false;
  if (isArray(left)) {
    return (
      isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => {
        const other = right[index];
        return other !== undefined && jsonEquals(item, other);
      })
    );
  }
  if (isArray(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => {
      const value = left[name];
      const other = Object.hasOwn(right, name) ? right[name] : undefined;
      return value !== undefined && other !== undefined && jsonEquals(value, other);
    })
  );
}

/**
 * JSON text that is the same for equal values: members sorted, no white space, -0 written as 0.
 * @see RFC 8785
 */
export function canonicalJson(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

/**
 * `JSON.parse` of a text that this project has written itself, or that has passed `parseStrictJson` before. Text of anybody else goes
 * through `parseStrictJson`, which rejects what `JSON.parse` would silently change.
 * @throws SyntaxError if it is not JSON
 */
export function parseTrustedJson(text: string): unknown {
  // oxlint-disable-next-line eslint/no-restricted-properties -- the one place for texts that are trusted
  return JSON.parse(text);
}

/** A record's id as the record holds it: a string, or an integer from -(2^53 - 1) to 2^53 - 1. */
export type RecordId = string | number;

/**
 * The text of a record's id, which names the record everywhere but in the record itself: in logs, URLs, events and cursors. A string is
 * used as it is. An integer is written in decimal, with a minus sign below 0 and without leading zeros. So 42 and "42" name one record.
 * @returns undefined if a value is neither a string nor an integer that a JSON number holds exactly
 * @see protocol section 10, `id` of a record
 */
export function recordIdText(id: unknown): string | undefined {
  if (typeof id === 'string') return id;
  return Number.isSafeInteger(id) ? String(id) : undefined;
}
