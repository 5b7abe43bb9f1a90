import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JsonValue, jsonEquals } from '../index.ts';
import { canonicalJson } from './json.ts';

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;

test.each<[JsonValue, JsonValue, boolean]>([
  [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
  [[1, 2], [2, 1], false],
  [{ a: 1 }, { a: 1, b: 1 }, false],
  [{ toString: 1 }, {}, false],
  [{ a: null }, { b: null }, false],
  [1, '1', false],
  [[], {}, false],
  [null, {}, false],
])('%j and %j: %s', (left, right, expected) => {
  expect(jsonEquals(left, right)).toBe(expected);
  expect(jsonEquals(right, left)).toBe(expected);
});

test('values are equal when their canonical texts are', () => {
  fc.assert(
    fc.property(json, json, (left, right) => {
      expect(jsonEquals(left, right)).toBe(canonicalJson(left) === canonicalJson(right));
      expect(jsonEquals(left, JSON.parse(JSON.stringify(left)) as JsonValue)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
