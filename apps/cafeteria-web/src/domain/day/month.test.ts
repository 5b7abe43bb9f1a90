import { expect, test } from 'vitest';
import { monthOf } from './month.ts';

test.each([
  ['2026-02-28', '2026-02-01', 28],
  ['2028-02-29', '2028-02-01', 29],
  ['2026-11-30', '2026-11-01', 30],
  ['2026-12-31', '2026-12-01', 31],
  ['2027-01-01', '2027-01-01', 31],
])('the month of %s begins on %s and has %i days', (date, first, days) => {
  expect(monthOf(date)).toEqual({ first, days });
});
