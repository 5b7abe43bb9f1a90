import type { JsonValue } from './json.ts';

const isArray = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

/** Tells whether two JSON values are the same value: member order does not matter, array order does. */
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
