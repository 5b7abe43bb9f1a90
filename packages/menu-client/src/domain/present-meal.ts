import { dayStartMs, seoulToday } from './calendar-date.ts';
import type { DailyMenu, MealCode, MealPeriod } from './daily-menu.ts';

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

const LUNCH = '2';

type Day = Pick<DailyMenu, 'date' | 'periods'>;

const minuteOfDay = (nowMs: number): number => Math.floor((nowMs - dayStartMs(seoulToday(nowMs))) / 60_000);

/** Position in the day, for ordering; dawn is first, a meal whose hours nobody knows is last. */
export function mealOrder(code: MealCode): number {
  const at = DAY.findIndex((meal) => meal.code === code);
  return at < 0 ? DAY.length : at;
}

/** The periods in the order of the day, dawn first. */
export function inOrderOfDay(periods: readonly MealPeriod[]): readonly MealPeriod[] {
  return periods.toSorted((a, b) => mealOrder(a.code) - mealOrder(b.code));
}

/**
 * The meal of the moment, of those that are not `empty`: today the one whose time it is or the next, and the last one when
 * all are over; on any other day lunch, or the first. One that could not be read, or is still on its way, stays the meal of
 * the moment: nothing that could be read takes its place. Undefined if all are `empty`.
 *
 * @param nowMs now, in ms since the epoch
 */
export function presentMeal({ date, periods }: Day, nowMs: number): MealPeriod | undefined {
  const offered = inOrderOfDay(periods).filter(({ status }) => status !== 'empty');
  if (date !== seoulToday(nowMs)) return offered.find(({ code }) => code === LUNCH) ?? offered[0];
  const minute = minuteOfDay(nowMs);
  const timed = offered.filter(({ code }) => mealOrder(code) < DAY.length);
  return (
    timed.find(({ code }) => minute < (DAY[mealOrder(code)]?.untilMinute ?? 0)) ?? timed.at(-1) ?? offered[0]
  );
}

/** A day's meals as people look for them: `coming` begins with the meal of the moment, `over` are those before it. */
export interface MealsFromNow {
  /** The meal of the moment, and those after it. */
  readonly coming: readonly MealPeriod[];
  /** Those whose time has passed. */
  readonly over: readonly MealPeriod[];
}

/**
 * Today's meals from the present one on, and those that are over; on any other day all are `coming`, in the order of the
 * day.
 *
 * @param nowMs now, in ms since the epoch
 */
export function mealsFromNow(day: Day, nowMs: number): MealsFromNow {
  const periods = inOrderOfDay(day.periods);
  const present = day.date === seoulToday(nowMs) ? presentMeal(day, nowMs) : undefined;
  if (present === undefined) return { coming: periods, over: [] };
  const isOver = ({ code }: MealPeriod): boolean => mealOrder(code) < mealOrder(present.code);
  return { coming: periods.filter((period) => !isOver(period)), over: periods.filter(isOver) };
}

/** Identifies the part of the day: changes whenever the meal of the moment may. @param nowMs in ms since the epoch */
export function mealSlot(nowMs: number): number {
  const minute = minuteOfDay(nowMs);
  return DAY.findIndex(({ untilMinute }) => minute < untilMinute);
}

/** When `mealSlot` changes next, in ms since the epoch. */
export function nextMealMs(nowMs: number): number {
  const untilMinute = DAY[mealSlot(nowMs)]?.untilMinute ?? 24 * 60;
  return nowMs - (nowMs % 60_000) + (untilMinute - minuteOfDay(nowMs)) * 60_000;
}

/** Usual serving hours of a meal in minutes since midnight, Seoul; the operators publish none. */
export function usualHours(code: MealCode): { readonly startMinute: number; readonly endMinute: number } {
  const meal = DAY.find((each) => each.code === code);
  return { startMinute: meal?.startMinute ?? 0, endMinute: Math.min(meal?.untilMinute ?? 60, 24 * 60 - 1) };
}
