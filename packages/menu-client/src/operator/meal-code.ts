import { type KnownMealCode, MEAL_CODES, type MealCode } from '../domain/daily-menu.ts';
import type { Vendor } from '../domain/restaurant.ts';
import { code, text } from './lenient.ts';
import type { Meal, Reading } from './operator.ts';
import { readRows } from './readings.ts';

const LABELS: Readonly<Record<KnownMealCode, string>> = {
  '1': '아침',
  '2': '점심',
  '3': '저녁',
  '4': '야식',
  '5': '간식',
  '6': '새벽',
};

/** The meals shown for a restaurant before its own list has ever been read. */
export const USUAL_MEALS: readonly Meal[] = (['1', '2', '3'] as const).map(usualMeal);

/** More than any restaurant has: each costs a request. */
const MAX_MEALS = 12;

/** A meal with the usual label, for an operator that gives none; an unknown code is its own label. */
export function usualMeal(code: MealCode): Meal {
  return { code, label: isKnown(code) ? LABELS[code] : code };
}

/** The meal code of a member, text or number, known or not; undefined if it is none. */
export function mealCode(value: unknown): MealCode | undefined {
  const written = code(value);
  return written !== undefined && isMealCode(written) ? written : undefined;
}

/** Also false for `0`, which means all meals together in some lists. */
export function isMealCode(text: string): boolean {
  return /^(?!0$)[\w-]{1,20}$/.test(text);
}

export function isKnown(code: MealCode): code is KnownMealCode {
  return MEAL_CODES.some((known) => known === code);
}

const collator = new Intl.Collator('en', { numeric: true });

/** For sorting, ascending: digits by their number, before letters. */
export function compareMealCodes(a: MealCode, b: MealCode): number {
  return collator.compare(a, b);
}

/** Each code once, ascending; the first label wins. */
export function orderMeals(meals: readonly Meal[]): readonly Meal[] {
  const byCode = new Map<MealCode, Meal>();
  for (const meal of meals) if (!byCode.has(meal.code)) byCode.set(meal.code, meal);
  return [...byCode.values()].sort((a, b) => compareMealCodes(a.code, b.code));
}

/**
 * The meals of a restaurant, from rows that name a code and a label. More than twelve are cut and counted as dropped.
 * @throws OperatorError `operator_answer_invalid`
 */
export function readMealRows(
  vendor: Vendor,
  rows: readonly unknown[],
  membersOf: (row: unknown) => { readonly code: unknown; readonly label: unknown },
): Reading<readonly Meal[]> {
  const { value, droppedRows } = readRows(vendor, rows, (row): Meal | undefined => {
    const members = membersOf(row);
    const meal = mealCode(members.code);
    return meal === undefined
      ? undefined
      : { code: meal, label: text(members.label) ?? usualMeal(meal).label };
  });
  const meals = orderMeals(value);
  const cut = Math.max(0, meals.length - MAX_MEALS);
  return { value: meals.slice(0, MAX_MEALS), droppedRows: droppedRows + cut };
}
