import { thrownBy } from 'test-support/thrown-by';
import { expect, test } from 'vitest';
import { parseFilter } from './parse-filter.ts';
import { readDecimals } from './read-decimals.ts';

const DECIMALS = new Set(['/price']);
const read = (comparison: object) => () => readDecimals(parseFilter({ '/price': comparison }), DECIMALS);

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
  expect(thrownBy(() => readDecimals(parseFilter(nested), DECIMALS))).toMatchObject({
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
  expect(readDecimals(filter, DECIMALS)).toEqual(filter);
});
