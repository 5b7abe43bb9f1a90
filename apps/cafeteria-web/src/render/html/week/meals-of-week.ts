import {
  type DailyMenu,
  inOrderOfDay,
  type MealCode,
  type MealPeriod,
  presentMeal,
  weekday,
} from 'menu-client';
import { nothingServed } from '../../../domain/day/day-view.ts';

/** The meals of all days, each once, in the order of the day. */
export function mealsOf(days: readonly DailyMenu[]): readonly MealPeriod[] {
  const byCode = new Map(days.flatMap((day) => day.periods.map((period) => [period.code, period] as const)));
  return inOrderOfDay([...byCode.values()]);
}

/** The days without a Saturday and Sunday on which nothing is served; all of them when nothing is served at all. */
export function servedDays(days: readonly DailyMenu[]): readonly DailyMenu[] {
  const isWeekend = ({ date }: DailyMenu): boolean => weekday(date) % 6 === 0;
  const served = days.filter((day) => !isWeekend(day) || !nothingServed(day));
  return served.length === 0 ? days : served;
}

/** The meal asked for, if the week has it; else the meal of the moment, on another day's terms lunch. */
export function chosenMeal(
  days: readonly DailyMenu[],
  asked: string | undefined,
  today: string,
  nowMs: number,
): MealCode | undefined {
  const meals = mealsOf(days);
  const named = meals.find(({ code }) => code === asked);
  const day = days.find(({ date }) => date === today) ?? days[0];
  return (named ?? (day && presentMeal(day, nowMs)) ?? meals.find(({ code }) => code === '2') ?? meals[0])
    ?.code;
}
