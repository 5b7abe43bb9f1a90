import fc from 'fast-check';
import {
  type MealPeriod,
  mealSlot,
  mealsFromNow,
  nextMealMs,
  type PeriodStatus,
  presentMeal,
} from 'menu-client';
import { expect, test } from 'vitest';

const DATE = '2026-11-20';
const MIDNIGHT_MS = Date.parse('2026-11-20T00:00:00+09:00');
const at = (clock: string): number => Date.parse(`2026-11-20T${clock}:00+09:00`);
const period = (code: string, status: PeriodStatus = 'ok'): MealPeriod => ({
  code,
  label: code,
  status,
  menus: [],
});
const day = (codes: string, date = DATE) => ({ date, periods: codes.split('').map((code) => period(code)) });

test.each([
  ['07:00', '1'],
  ['10:00', '2'],
  ['13:59', '2'],
  ['14:00', '3'],
  ['23:00', '3'],
])('at %s of a day with breakfast, lunch and dinner people look for meal %s', (clock, code) => {
  expect(presentMeal(day('123'), at(clock))?.code).toBe(code);
});

test.each(['ok', 'stale', 'failed', 'loading'] as const)(
  'lunch that is %s is the meal at 11:50',
  (status) => {
    const periods = [period('1'), period('2', status), period('3')];
    expect(presentMeal({ date: DATE, periods }, at('11:50'))?.status).toBe(status);
  },
);

test('what the operator says there is none of gives way to the next meal, and to the last one', () => {
  const periods = [period('1'), period('2', 'empty'), period('3')];
  expect(presentMeal({ date: DATE, periods }, at('11:50'))?.code).toBe('3');
  expect(presentMeal({ date: DATE, periods: periods.slice(0, 2) }, at('11:50'))?.code).toBe('1');
  expect(presentMeal({ date: DATE, periods: [period('2', 'empty')] }, at('11:50'))).toBeUndefined();
  expect(presentMeal({ date: DATE, periods: [] }, at('11:50'))).toBeUndefined();
});

test('another day has lunch, or its first meal; a meal of the operator alone is better than none', () => {
  expect(presentMeal(day('123', '2026-11-21'), at('20:00'))?.code).toBe('2');
  expect(presentMeal(day('31', '2026-11-21'), at('20:00'))?.code).toBe('1');
  expect(presentMeal({ date: DATE, periods: [period('B7')] }, at('11:50'))?.code).toBe('B7');
});

test('the meals of today begin with the present one, and those that are over are apart', () => {
  const codes = (periods: readonly MealPeriod[]): string => periods.map(({ code }) => code).join('');
  const today = mealsFromNow(day('1234'), at('14:30'));
  expect([codes(today.coming), codes(today.over)]).toEqual(['34', '12']);
  const later = mealsFromNow(day('3216', '2026-11-21'), at('14:30'));
  expect([codes(later.coming), codes(later.over)]).toEqual(['6123', '']);
});

test('the present meal stays the same until the next one is due, and is another one then', () => {
  fc.assert(
    fc.property(fc.nat(86_400_000), (ms) => {
      const nowMs = MIDNIGHT_MS + ms;
      const nextMs = nextMealMs(nowMs);
      expect(nextMs).toBeGreaterThan(nowMs);
      expect(mealSlot(nextMs - 1)).toBe(mealSlot(nowMs));
      expect(mealSlot(nextMs)).not.toBe(mealSlot(nowMs));
    }),
  );
});
