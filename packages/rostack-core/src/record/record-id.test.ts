import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { recordIdText } from '../index.ts';

test.each([
  ['a', 'a'],
  ['042', '042'],
  [42, '42'],
  [-7, '-7'],
  [0, '0'],
  [-0, '0'],
  [1e3, '1000'],
  [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  [Number.MIN_SAFE_INTEGER, '-9007199254740991'],
])('the text of %j is %j (%#)', (id, text) => {
  expect(recordIdText(id)).toBe(text);
});

test.each([1.5, 2 ** 53, -(2 ** 53), 1e300, Number.NaN, Number.POSITIVE_INFINITY, null, true, {}, ['a']])(
  '%j is no id (%#)',
  (value) => {
    expect(recordIdText(value)).toBeUndefined();
  },
);

test('an integer and its text are one to one', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (id) => {
      const text = recordIdText(id) ?? '';
      expect(text).toMatch(/^(?:0|-?[1-9]\d*)$/);
      expect(Number(text)).toBe(id + 0);
    }),
  );
});
