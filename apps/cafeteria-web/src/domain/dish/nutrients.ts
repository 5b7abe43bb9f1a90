import type { Nutrition } from 'menu-client';

export type NutrientKey = keyof Nutrition;

/** Every nutrient in the order of a food label, with the unit its member is in. */
export const NUTRIENTS: readonly { readonly key: NutrientKey; readonly unit: 'kcal' | 'g' | 'mg' }[] = [
  { key: 'caloriesKcal', unit: 'kcal' },
  { key: 'carbohydratesG', unit: 'g' },
  { key: 'sugarG', unit: 'g' },
  { key: 'fiberG', unit: 'g' },
  { key: 'proteinG', unit: 'g' },
  { key: 'fatG', unit: 'g' },
  { key: 'saturatedFatG', unit: 'g' },
  { key: 'transFatG', unit: 'g' },
  { key: 'cholesterolMg', unit: 'mg' },
  { key: 'sodiumMg', unit: 'mg' },
  { key: 'calciumMg', unit: 'mg' },
];

/** The amount with thousands separators and at most one decimal; shared by both languages. */
export function formatAmount(amount: number): string {
  const tenths = Math.round(amount * 10);
  const text = String(tenths / 10);
  if (Math.abs(tenths) < 10_000) return text;
  // By hand: with Intl or a regular expression, a page of hundreds of amounts spends a fifth to half of its time here.
  const point = text.indexOf('.');
  return `${formatAmount(Math.trunc(tenths / 10_000))},${text.slice((point === -1 ? text.length : point) - 3)}`;
}

export interface NutritionSum {
  readonly total: Nutrition;
  /** How many of the summed menus have no value for a nutrient; absent means none is missing. */
  readonly missing: Readonly<Partial<Record<NutrientKey, number>>>;
}

/** Adds up what is known and counts what is not, so that an incomplete sum never looks complete. */
export function sumNutrition(parts: readonly (Nutrition | undefined)[]): NutritionSum {
  const total: Partial<Record<NutrientKey, number>> = {};
  const missing: Partial<Record<NutrientKey, number>> = {};
  for (const { key } of NUTRIENTS) {
    const known = parts.map((part) => part?.[key]).filter((value) => value !== undefined);
    if (known.length === 0) continue;
    // Tenths as integers: 0.1 + 0.2 must not show as 0.30000000000000004.
    total[key] = known.reduce((sum, value) => sum + Math.round(value * 10), 0) / 10;
    if (known.length < parts.length) missing[key] = parts.length - known.length;
  }
  return { total, missing };
}
