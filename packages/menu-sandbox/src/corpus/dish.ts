/** Nutrition of one serving; every member is known. */
export interface DishNutrition {
  /** Energy in kcal. */
  readonly caloriesKcal: number;
  /** Carbohydrates in g. */
  readonly carbohydratesG: number;
  /** Protein in g. */
  readonly proteinG: number;
  /** Fat in g, saturated and trans fat included. */
  readonly fatG: number;
  /** Saturated fat in g. */
  readonly saturatedFatG: number;
  /** Trans fat in g. */
  readonly transFatG: number;
  /** Sugars in g, a part of the carbohydrates. */
  readonly sugarG: number;
  /** Dietary fibre in g. */
  readonly fiberG: number;
  /** Sodium in mg. */
  readonly sodiumMg: number;
  /** Cholesterol in mg. */
  readonly cholesterolMg: number;
  /** Calcium in mg. */
  readonly calciumMg: number;
}

/** A dish as the kitchen knows it, before it is put into an operator's format. */
export interface Dish {
  /** In Korean. */
  readonly name: string;
  /** In English. */
  readonly nameEn: string;
  /** Of one serving. */
  readonly nutrition: DishNutrition;
}

/** Name, English name, then carbohydrates, protein, fat, sugar, fiber (g) and sodium (mg) of one serving. */
export type DishRow = readonly [
  name: string,
  nameEn: string,
  carbohydratesG: number,
  proteinG: number,
  fatG: number,
  sugarG: number,
  fiberG: number,
  sodiumMg: number,
];

/** Dishes from table rows; calories follow from the macronutrients (4, 4 and 9 kcal per gram). */
export function defineDishes(rows: readonly DishRow[]): readonly Dish[] {
  return rows.map(([name, nameEn, carbohydratesG, proteinG, fatG, sugarG, fiberG, sodiumMg]) => ({
    name,
    nameEn,
    nutrition: {
      caloriesKcal: 4 * carbohydratesG + 4 * proteinG + 9 * fatG,
      carbohydratesG,
      proteinG,
      fatG,
      saturatedFatG: Math.round(fatG * 3) / 10,
      transFatG: fatG > 20 ? 0.2 : 0,
      sugarG,
      fiberG,
      sodiumMg,
      cholesterolMg: Math.round(proteinG * 2.4),
      calciumMg: Math.round(12 + fiberG * 11 + proteinG * 1.8),
    },
  }));
}

const KEYS = [
  'caloriesKcal',
  'carbohydratesG',
  'proteinG',
  'fatG',
  'saturatedFatG',
  'transFatG',
  'sugarG',
  'fiberG',
  'sodiumMg',
  'cholesterolMg',
  'calciumMg',
] as const satisfies readonly (keyof DishNutrition)[];

/** The nutrition of a course of these dishes, rounded to one decimal. */
export function sumNutrition(dishes: readonly Dish[]): DishNutrition {
  const sum = Object.fromEntries(
    KEYS.map((key) => [
      key,
      Math.round(dishes.reduce((total, dish) => total + dish.nutrition[key], 0) * 10) / 10,
    ]),
  );
  return sum as unknown as DishNutrition;
}
