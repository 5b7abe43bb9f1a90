import { thrownBy } from 'test-support/thrown-by';
import { expect, test } from 'vitest';
import { collateFilter } from './check-filter.ts';
import { compileFilter } from './compile-filter.ts';
import { canonicalizeFilter } from './filter.ts';
import { parseFilter } from './parse-filter.ts';

const DECIMALS = new Map([['/price', 'decimal']] as const);
const read = (comparison: object) => () => collateFilter(parseFilter({ '/price': comparison }), DECIMALS);

test.each([
  { gt: 9 },
  { eq: '1e1' },
  { ne: '01' },
  { lte: '' },
  { eq: true },
  { in: ['9', 'nine'] },
  { nin: [9] },
])('a field of decimals is not compared by %j', (comparison) => {
  expect(thrownBy(read(comparison))).toMatchObject({
    code: 'invalid_filter',
    message: expect.stringContaining('compare it with a decimal in a string, such as "12.50"'),
  });
  const nested = { $not: { $or: [{ '/price': comparison }, { '/name': { eq: 'a' } }] } };
  expect(thrownBy(() => collateFilter(parseFilter(nested), DECIMALS))).toMatchObject({
    code: 'invalid_filter',
  });
});

test.each([
  { eq: '-0.50' },
  { eq: null },
  { in: ['12345678901234567890.1', null] },
  { nin: [] },
  { exists: true },
])('a field of decimals is compared by %j', (comparison) => {
  expect(read(comparison)).not.toThrow();
});

test('other fields are compared by anything', () => {
  const filter = parseFilter({ '/name': { eq: '1e1' } });
  expect(collateFilter(filter, DECIMALS)).toEqual(filter);
});

test('the normal form of a negated comparison of decimals compares numbers too', () => {
  const filter = collateFilter(parseFilter({ $not: { '/price': { eq: '1.50' } } }), DECIMALS);
  const shown = ['1.5', '1.51'].filter((price) => compileFilter(canonicalizeFilter(filter))({ price }));
  expect(shown).toEqual(['1.51']);
});
