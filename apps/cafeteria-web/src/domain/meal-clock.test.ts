import type { MealPeriod } from 'menu-client';
import { expect, test } from 'vitest';
import { currentMeal } from './meal-clock.ts';

const periods = (...codes: MealPeriod['code'][]): MealPeriod[] =>
  codes.map((code) => ({ code, label: code, status: 'empty', menus: [] }));

test.each([
  [7 * 60, '1'],
  [10 * 60, '2'],
  [13 * 60 + 59, '2'],
  [14 * 60, '3'],
  [23 * 60, '3'],
])('at minute %i of a day with breakfast, lunch and dinner people look for meal %s', (minute, code) => {
  expect(currentMeal(periods('1', '2', '3'), minute)).toBe(code);
});

test('a day without meals has none', () => {
  expect(currentMeal([], 700)).toBeUndefined();
});
