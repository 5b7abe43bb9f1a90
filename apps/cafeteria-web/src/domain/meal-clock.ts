import type { MealCode, MealPeriod } from 'menu-client';
import { seoulMinutes } from './seoul-time.ts';

// In the order of the day; from `untilMinute` on, people look for the next meal (minutes since midnight, Seoul).
const DAY: readonly {
  readonly code: MealCode;
  readonly startMinute: number;
  readonly untilMinute: number;
}[] = [
  { code: '6', startMinute: 0, untilMinute: 5 * 60 + 30 },
  { code: '1', startMinute: 6 * 60 + 30, untilMinute: 9 * 60 + 30 },
  { code: '2', startMinute: 11 * 60, untilMinute: 14 * 60 },
  { code: '5', startMinute: 14 * 60, untilMinute: 16 * 60 + 30 },
  { code: '3', startMinute: 17 * 60, untilMinute: 20 * 60 },
  { code: '4', startMinute: 21 * 60, untilMinute: 24 * 60 },
];

/** The meal that is being served or comes next; the day's last one when all are over. */
export function currentMeal(periods: readonly MealPeriod[], minuteOfDay: number): MealCode | undefined {
  const served = DAY.filter(({ code }) => periods.some((period) => period.code === code));
  return (served.find(({ untilMinute }) => minuteOfDay < untilMinute) ?? served.at(-1))?.code;
}

/** Identifies the part of the day that a page was rendered for; changes whenever `currentMeal` may. */
export function mealSlot(minuteOfDay: number): number {
  return DAY.findIndex(({ untilMinute }) => minuteOfDay < untilMinute);
}

/** When `mealSlot` changes next, in milliseconds since the epoch. */
export function nextMealMs(nowMs: number): number {
  const minute = seoulMinutes(nowMs);
  const untilMinute = DAY[mealSlot(minute)]?.untilMinute ?? 24 * 60;
  return nowMs - (nowMs % 60_000) + (untilMinute - minute) * 60_000;
}

/** Position in the day, for ordering; dawn is first, a meal whose hours nobody knows is last. */
export function mealOrder(code: MealCode): number {
  const at = DAY.findIndex((meal) => meal.code === code);
  return at < 0 ? DAY.length : at;
}

/** Usual serving hours of a meal in minutes since midnight; the operators publish none. */
export function usualHours(code: MealCode): { readonly startMinute: number; readonly endMinute: number } {
  const meal = DAY.find((each) => each.code === code);
  return { startMinute: meal?.startMinute ?? 0, endMinute: Math.min(meal?.untilMinute ?? 60, 24 * 60 - 1) };
}
