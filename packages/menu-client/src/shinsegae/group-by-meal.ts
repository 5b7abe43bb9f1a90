import { usualMeal } from '../operator/meal-code.ts';
import type { MealReading } from '../operator/operator.ts';
import type { MealItem } from './parse-daily-menu.ts';

/**
 * Puts each item under the meal that it names itself, not the meal that was asked for; an item that several answers
 * hold counts once. A meal whose own answer failed stays failed: its items may be incomplete.
 */
export function groupByMeal(
  readings: readonly MealReading[],
  items: readonly MealItem[],
): readonly MealReading[] {
  const unique = new Map(items.map((item) => [item.menu.id, item]));
  const asked = new Set(readings.map((reading) => reading.code));
  const unasked = [...new Set([...unique.values()].map((item) => item.meal))].filter(
    (code) => !asked.has(code),
  );
  const all: readonly MealReading[] = [
    ...readings,
    ...unasked.map((code) => ({ ...usualMeal(code), menus: [] })),
  ];
  return all
    .map((reading) =>
      'error' in reading
        ? reading
        : {
            ...reading,
            menus: [...unique.values()].filter((item) => item.meal === reading.code).map((item) => item.menu),
          },
    )
    .sort((a, b) => a.code.localeCompare(b.code));
}
