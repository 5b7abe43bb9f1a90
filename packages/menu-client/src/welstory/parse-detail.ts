import type { BundleItem, Menu, MenuComponent, Nutrition } from '../domain/menu.ts';
import { toItems } from '../operator/bundle.ts';
import { asRow, nutrition, type Row, text } from '../operator/lenient.ts';
import type { Reading } from '../operator/operator.ts';
import { readRows } from '../operator/readings.ts';
import { isMainDish } from './main-dish.ts';
import { parseRows } from './parse-envelope.ts';

type DishRow = Row<
  | 'menuName'
  | 'typicalMenu'
  | 'kcal'
  | 'totCho'
  | 'totSugar'
  | 'totFib'
  | 'totFat'
  | 'totProtein'
  | 'totNa'
  | 'totCalcium'
>;

type CourseRow = Row<'totKcal'>;

/** A dish of a course, and the course's totals as its row repeats them. */
export interface DetailedDish extends MenuComponent {
  readonly courseTotals?: Nutrition;
}

function totalKcalOf(item: unknown): unknown {
  const row: CourseRow | undefined = asRow(item);
  return row?.totKcal;
}

/** GET /api/meal/detail: `kcal` is the dish's, `tot*` the course's. */
export function parseDishes(value: unknown): Reading<readonly DetailedDish[]> {
  return readRows('welstory', parseRows(value), (item) =>
    parseDish(
      item,
      (row) => nutrition({ caloriesKcal: row.kcal }),
      (row) => totals(row, totalKcalOf(item)),
    ),
  );
}

/** GET /api/meal/detail/nutrient: every figure is the dish's. */
export function parseDishNutrition(value: unknown): Reading<readonly DetailedDish[]> {
  return readRows('welstory', parseRows(value), (item) =>
    parseDish(
      item,
      (row) => totals(row, row.kcal),
      () => undefined,
    ),
  );
}

/**
 * GET /api/meal/detail/nutrient of a take-out course: what can be chosen from it. A row with the bundle's own name and
 * only zeros is not an item.
 */
export function parseItems(value: unknown, bundleName: string): Reading<readonly BundleItem[]> {
  const reading = parseDishNutrition(value);
  const own = folded(bundleName);
  const items = reading.value.filter((dish) => dish.nutrition !== undefined || folded(dish.name) !== own);
  return { ...reading, value: toItems(items.map(({ main: _main, ...item }) => item)) };
}

function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s+/g, '');
}

/** The menu with its dishes and their nutrition; what the answers do not say stays as it was. */
export function withDishes(
  menu: Menu,
  dishes: Reading<readonly DetailedDish[]>,
  nutrients: Reading<readonly DetailedDish[]>,
): Menu {
  const byName = new Map(nutrients.value.map((dish) => [dish.name, dish]));
  const read = dishes.value.length > 0 ? dishes.value : nutrients.value;
  const main = read.find((dish) => dish.main) ?? read.find((dish) => dish.name === menu.name) ?? read[0];
  const ordered = main === undefined ? [] : [main, ...read.filter((dish) => dish !== main)];
  const components = ordered.map(({ name, nutrition: own }) => {
    const facts = byName.get(name)?.nutrition ?? own;
    return { name, main: name === main?.name, ...(facts === undefined ? {} : { nutrition: facts }) };
  });
  const courseTotals = dishes.value.find((dish) => dish.courseTotals !== undefined)?.courseTotals;
  const facts = nutrition({ ...menu.nutrition, ...courseTotals });
  return {
    ...menu,
    components: components.length > 1 ? components : menu.components,
    ...(facts === undefined ? {} : { nutrition: facts }),
  };
}

function parseDish(
  value: unknown,
  own: (row: DishRow) => Nutrition | undefined,
  ofCourse: (row: DishRow) => Nutrition | undefined,
): DetailedDish | undefined {
  const row: DishRow | undefined = asRow(value);
  const name = text(row?.menuName);
  if (row === undefined || name === undefined) return undefined;
  const facts = own(row);
  const courseTotals = ofCourse(row);
  return {
    name,
    main: isMainDish(row.typicalMenu),
    ...(facts === undefined ? {} : { nutrition: facts }),
    ...(courseTotals === undefined ? {} : { courseTotals }),
  };
}

function totals(row: DishRow, caloriesKcal: unknown): Nutrition | undefined {
  return nutrition({
    caloriesKcal,
    carbohydratesG: row.totCho,
    proteinG: row.totProtein,
    fatG: row.totFat,
    sugarG: row.totSugar,
    fiberG: row.totFib,
    sodiumMg: row.totNa,
    calciumMg: row.totCalcium,
  });
}
