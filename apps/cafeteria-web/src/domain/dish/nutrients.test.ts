import { expect, test } from 'vitest';
import { formatAmount, sumNutrition } from './nutrients.ts';

test('sums what is known and says what is missing', () => {
  const sum = sumNutrition([
    { caloriesKcal: 500.1, proteinG: 0.1 },
    { caloriesKcal: 300.2, proteinG: 0.2 },
    { caloriesKcal: 10 },
    undefined,
  ]);
  expect(sum).toEqual({
    total: { caloriesKcal: 810.3, proteinG: 0.3 },
    missing: { caloriesKcal: 1, proteinG: 2 },
  });
});

test('amounts are written with thousands and one decimal', () => {
  expect(
    [0, 12.34, 999, 999.96, 1475, 1475.26, 10_000, 999_999.94, 999_999.96, 1_234_567, -1475.26].map(
      formatAmount,
    ),
  ).toEqual([
    '0',
    '12.3',
    '999',
    '1,000',
    '1,475',
    '1,475.3',
    '10,000',
    '999,999.9',
    '1,000,000',
    '1,234,567',
    '-1,475.3',
  ]);
});
