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
  const text = String(Math.round(amount * 10) / 10);
  // By hand: with Intl a page of hundreds of amounts takes twice as long to render.
  const [whole = '', decimal] = text.split('.');
  if (whole.length < 4) return text;
  return whole.replaceAll(/\B(?=(\d{3})+$)/g, ',') + (decimal === undefined ? '' : `.${decimal}`);
}

export interface NutritionSum {
  readonly total: Nutrition;
  /** How many of the summed menus have no value for a nutrient; absent means none is missing. */
  readonly missing: Readonly<Partial<Record<NutrientKey, number>>>;
}

/** Adds up what is known and counts what is not, so that a sum never passes for complete when it is not. */
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
