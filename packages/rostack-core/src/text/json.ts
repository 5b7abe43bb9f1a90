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
