import { Buffer } from 'node:buffer';
import * as fc from 'fast-check';
import { comparePageKeys, type JsonScalar, type JsonValue, parseSort } from 'rostack-core';
import { expect, test } from 'vitest';
import { encodeDetailKey, encodeMembership, encodeOrderKey, successorOf, typeRange } from './encode-key.ts';

const strings = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', 'a', 'a\u0000', '\uffff', '😀'));
const scalars: fc.Arbitrary<JsonScalar> = fc.oneof(
  strings,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(null, true, false, 0, -0, 5e-324, -5e-324, Number.MAX_VALUE, -Number.MAX_VALUE),
);

const inOrder = comparePageKeys(parseSort('/a', ['/a']));

test('order keys compare like the values they stand for', () => {
  fc.assert(
    fc.property(fc.option(scalars, { nil: undefined }), fc.option(scalars, { nil: undefined }), (a, b) => {
      const order = inOrder({ values: [a], id: '' }, { values: [b], id: '' });
      expect(Buffer.compare(encodeOrderKey(a), encodeOrderKey(b))).toBe(Math.sign(order));
    }),
    { numRuns: 5_000 },
  );
});

test('the keys of a type lie in its range, and those of a prefix below its successor', () => {
  fc.assert(
    fc.property(scalars, strings, strings, (value, prefix, rest) => {
      const { low, high } = typeRange(value);
      const key = encodeOrderKey(value);
      expect(Buffer.compare(low, key) <= 0 && Buffer.compare(key, high) < 0).toBe(true);
      const start = encodeOrderKey(prefix);
      const longer = encodeOrderKey(prefix + rest);
      expect(Buffer.compare(start, longer) <= 0 && Buffer.compare(longer, successorOf(start)) < 0).toBe(true);
    }),
  );
});

test('a membership is found in the detail keys of the arrays that have the member, and in no others', () => {
  const members: fc.Arbitrary<JsonValue> = fc.oneof(scalars, fc.array(scalars, { maxLength: 2 }));
  fc.assert(
    fc.property(fc.array(members, { maxLength: 4 }), members, (array, member) => {
      const isMember = array.some((candidate) => JSON.stringify(candidate) === JSON.stringify(member));
      expect(encodeDetailKey(array)?.includes(encodeMembership(member))).toBe(isMember);
      expect(encodeDetailKey([...array, member])?.includes(encodeMembership(member))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('detail keys tell arrays apart, and arrays from objects and scalars', () => {
  const arrays: JsonValue[] = [
    [],
    [''],
    ['', ''],
    [[]],
    [[], []],
    [[[]]],
    ['a', 'b'],
    [['a', 'b']],
    [1],
    ['1'],
    [{}],
    [null],
  ];
  const keys = [...arrays, {}].map((value) => encodeDetailKey(value)?.toString('hex'));
  expect(new Set(keys).size).toBe(arrays.length + 1);
  expect([undefined, null, 'a', 1, true].map(encodeDetailKey)).toEqual([null, null, null, null, null]);
});
