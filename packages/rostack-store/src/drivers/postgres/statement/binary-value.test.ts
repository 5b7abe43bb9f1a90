import { Buffer } from 'node:buffer';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sizeOf, writeValue } from './binary-value.ts';

test('an integer has the eight bytes that the server reads, whatever its sign and size', () => {
  const edges = [
    0,
    -1,
    2 ** 31,
    -(2 ** 31),
    2 ** 32,
    -(2 ** 32),
    Number.MAX_SAFE_INTEGER,
    Number.MIN_SAFE_INTEGER,
  ];
  fc.assert(
    fc.property(fc.oneof(fc.maxSafeInteger(), fc.constantFrom(...edges)), (value) => {
      const bytes = Buffer.alloc(4 + sizeOf(value));
      expect(writeValue(bytes, value, 0)).toBe(12);
      expect(bytes.readInt32BE(0)).toBe(8);
      expect(bytes.readBigInt64BE(4)).toBe(BigInt(value));
    }),
    { numRuns: 2_000 },
  );
});

test('a text has its bytes in UTF-8, and null has none', () => {
  const bytes = Buffer.alloc(4 + sizeOf('é가😀') + 4);
  expect(writeValue(bytes, null, writeValue(bytes, 'é가😀', 0))).toBe(bytes.length);
  expect(bytes.subarray(4, bytes.length - 4).toString()).toBe('é가😀');
  expect(bytes.readInt32BE(bytes.length - 4)).toBe(-1);
});
