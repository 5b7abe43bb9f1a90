import fc from 'fast-check';
import type { MealPeriod } from 'menu-client';
import { expect, test } from 'vitest';
import { currentMeal, mealSlot, nextMealMs } from './meal-clock.ts';
import { seoulMinutes } from './seoul-time.ts';

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

test('the present meal stays the same until the next one is due, and is another one then', () => {
  const day = Date.parse('2026-11-20T00:00:00Z');
  fc.assert(
    fc.property(fc.nat(86_400_000), (ms) => {
      const nowMs = day + ms;
      const slot = (atMs: number): number => mealSlot(seoulMinutes(atMs));
      const nextMs = nextMealMs(nowMs);
      expect(nextMs).toBeGreaterThan(nowMs);
      expect(slot(nextMs - 1)).toBe(slot(nowMs));
      expect(slot(nextMs)).not.toBe(slot(nowMs));
    }),
  );
});
