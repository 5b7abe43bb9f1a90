import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareCodePoints } from '../../text/strings.ts';
import { DECIMAL_PATTERN, decimalKey, isDecimal } from './decimal.ts';

const digits = fc.oneof(
  fc.stringMatching(/^[0-9]{0,4}$/),
  fc.stringMatching(/^[0-9]{0,40}$/),
  fc.constantFrom('0', '00000', '9999', '10', '01', `1${'0'.repeat(120)}`),
);
const decimals = fc.tuple(fc.boolean(), digits, digits).map(([isNegative, whole, fraction]) => {
  const start = whole.replace(/^0+/, '') || '0';
  return `${isNegative ? '-' : ''}${start}${fraction === '' ? '' : `.${fraction}`}`;
});

/** Exactly, by integers. */
function compareNumbers(a: string, b: string): number {
  const scale = Math.max(...[a, b].map((text) => text.split('.')[1]?.length ?? 0));
  const [left, right] = [a, b].map((text) => {
    const [whole = '', fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(scale, '0'));
  });
  return left === right || left === undefined || right === undefined ? 0 : left < right ? -1 : 1;
}

test('keys compare by code point as decimals do by number, exactly', () => {
  fc.assert(
    fc.property(decimals, decimals, (a, b) => {
      expect([a, b, isDecimal(a) && isDecimal(b)]).toEqual([a, b, true]);
      const order = Math.sign(compareCodePoints(decimalKey(a), decimalKey(b)));
      expect([a, b, order]).toEqual([a, b, compareNumbers(a, b)]);
    }),
    { numRuns: 20_000 },
  );
});

test.each([
  ['12.5', '12.50'],
  ['0', '-0.00'],
  ['-7', '-7.000'],
  ['9007199254740993', '9007199254740993.0'],
])('%s and %s are equal', (a, b) => {
  expect(decimalKey(a)).toBe(decimalKey(b));
});

test.each(['', '-', '+1', '01', '1.', '.5', '1e3', 'NaN', 'Infinity', ' 1', '1\n', '1,5', '١'])(
  '%j is no decimal, and comes after all that are',
  (text) => {
    expect(isDecimal(text)).toBe(false);
    expect(new RegExp(DECIMAL_PATTERN, 'u').test(text)).toBe(false);
    expect(decimalKey(text) > decimalKey('9'.repeat(50))).toBe(true);
  },
);

test('a long text takes no longer than its length', () => {
  const text = `0.${'0'.repeat(500_000)}1${'0'.repeat(500_000)}`;
  expect(decimalKey(text)).toHaveLength(1 + 1 + 1 + 6 + 1);
});
