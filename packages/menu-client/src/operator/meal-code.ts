import { MEAL_CODES, type MealCode } from '../domain/daily-menu.ts';
import { code } from './lenient.ts';
import type { Meal } from './operator.ts';

const LABELS: Readonly<Record<MealCode, string>> = {
  '1': '아침',
  '2': '점심',
  '3': '저녁',
  '4': '야식',
  '5': '간식',
  '6': '새벽',
};

/** The meals that a restaurant is shown with before its own list has ever been read. */
export const USUAL_MEALS: readonly Meal[] = (['1', '2', '3'] as const).map(usualMeal);

/** A meal with the usual label, for an operator that gives none. */
export function usualMeal(code: MealCode): Meal {
  return { code, label: LABELS[code] };
}

/** The meal code of a member, text or number, or undefined where it is none of the six. */
export function mealCode(value: unknown): MealCode | undefined {
  const written = code(value);
  return MEAL_CODES.find((known) => known === written);
}

/** Each code once, ascending; the first label wins. */
export function orderMeals(meals: readonly Meal[]): readonly Meal[] {
  const byCode = new Map<MealCode, Meal>();
  for (const meal of meals) if (!byCode.has(meal.code)) byCode.set(meal.code, meal);
  return MEAL_CODES.flatMap((code) => byCode.get(code) ?? []);
}
