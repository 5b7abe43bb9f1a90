import { z } from 'zod';
import type { MealCode } from '../domain/daily-menu.ts';
import type { Menu, MenuComponent, MenuPhoto } from '../domain/menu.ts';
import type { Nutrition } from '../domain/nutrition.ts';
import { classifyServing } from '../domain/serving.ts';
import { nutrition, quantity, text } from '../operator/lenient.ts';
import type { Reading } from '../operator/operator.ts';
import { readRows } from '../operator/read-rows.ts';
import { formatCourseId } from './course-id.ts';
import { parseMealRows } from './parse-envelope.ts';
import { splitSides } from './split-sides.ts';

const dishRow = z
  .object({
    menuName: z.unknown(),
    hallNo: z.unknown(),
    menuCourseType: z.unknown(),
    courseTxt: z.unknown(),
    typicalMenu: z.unknown(),
    setMenuName: z.unknown(),
    subMenuTxt: z.unknown(),
    menuNameEng: z.unknown(),
    salesType: z.unknown(),
    photoUrl: z.unknown(),
    photoCd: z.unknown(),
    kcal: z.unknown(),
    sumKcal: z.unknown(),
    sumProtein: z.unknown(),
    sumFat: z.unknown(),
    sumNa: z.unknown(),
    sumSugar: z.unknown(),
  })
  .partial();

interface Dish {
  readonly name: string;
  /** A row that does not say belongs to the one hall of the others. */
  readonly hall: string | undefined;
  readonly course: string;
  readonly row: z.infer<typeof dishRow>;
}

/** GET /api/meal, of one meal. Rows are dishes; those of one hall and course type make one menu. */
export function parseMealList(value: unknown, meal: MealCode): Reading<readonly Menu[]> {
  const { value: dishes, droppedRows } = readRows('welstory', parseMealRows(value), parseDish);
  const halls = new Set(dishes.flatMap((dish) => dish.hall ?? []));
  const [onlyHall = ''] = halls.size === 1 ? halls : [];
  const courses = new Map<string, Dish[]>();
  for (const dish of dishes) {
    const id = formatCourseId({ meal, hall: dish.hall ?? onlyHall, course: dish.course });
    const course = courses.get(id);
    if (course === undefined) courses.set(id, [dish]);
    else course.push(dish);
  }
  return { value: [...courses].map(([id, course]) => toMenu(id, course)), droppedRows };
}

function parseDish(value: unknown): Dish | undefined {
  const row = dishRow.safeParse(value).data;
  if (row === undefined) return undefined;
  const name = text(row.menuName) ?? text(row.setMenuName);
  const course = text(row.menuCourseType);
  if (name === undefined || course === undefined) return undefined;
  return { name, hall: text(row.hallNo), course, row };
}

function toMenu(id: string, dishes: readonly Dish[]): Menu {
  const main = dishes.find((dish) => isMain(dish)) ?? dishes[0];
  if (main === undefined) throw new RangeError('a course has at least one dish');
  const takeOut = dishes.some((dish) => text(dish.row.salesType)?.startsWith('T') === true);
  const components = dishes.length === 1 ? expand(main) : list(dishes, main);
  const facts = courseNutrition(dishes);
  const nameEn = text(main.row.menuNameEng);
  const corner = firstOf(dishes, (dish) => text(dish.row.courseTxt));
  const photo = firstOf([main, ...dishes], photoOf);
  return {
    id,
    name: main.name,
    ...(nameEn === undefined ? {} : { nameEn }),
    ...(corner === undefined ? {} : { corner }),
    serving: classifyServing({
      name: main.name,
      componentCount: components.length,
      caloriesKcal: facts?.caloriesKcal,
      declaredTakeOut: takeOut,
      markedNames: components.map((component) => component.name),
    }),
    soldOut: false,
    components,
    ...(facts === undefined ? {} : { nutrition: facts }),
    ...(photo === undefined ? {} : { photo }),
  };
}

/** A course in one row: its sides are in `subMenuTxt`. */
function expand(main: Dish): readonly MenuComponent[] {
  const sides = splitSides(text(main.row.subMenuTxt) ?? '').filter((side) => side !== main.name);
  if (sides.length === 0) return [];
  return [{ name: main.name, main: true }, ...sides.map((name) => ({ name, main: false }))];
}

/** A course of one row per dish. */
function list(dishes: readonly Dish[], main: Dish): readonly MenuComponent[] {
  const ordered = [main, ...dishes.filter((dish) => dish !== main)];
  return ordered.map((dish) => {
    const nameEn = text(dish.row.menuNameEng);
    const facts = nutrition({ caloriesKcal: dish.row.kcal });
    return {
      name: dish.name,
      ...(nameEn === undefined ? {} : { nameEn }),
      main: dish === main,
      ...(facts === undefined ? {} : { nutrition: facts }),
    };
  });
}

/** The sums that each row of a course repeats; where none is given, what the dishes' own figures add up to. */
function courseNutrition(dishes: readonly Dish[]): Nutrition | undefined {
  const sums = firstOf(dishes, ({ row }) =>
    nutrition({
      caloriesKcal: row.sumKcal,
      proteinG: row.sumProtein,
      fatG: row.sumFat,
      sugarG: row.sumSugar,
      sodiumMg: row.sumNa,
    }),
  );
  if (sums !== undefined) return sums;
  const each = dishes.map((dish) => quantity(dish.row.kcal));
  if (each.some((kcal) => kcal === undefined)) return undefined;
  return nutrition({ caloriesKcal: each.reduce<number>((sum, kcal) => sum + (kcal ?? 0), 0) });
}

/** Folder and file name concatenated; a folder alone is no photo. */
function photoOf({ row }: Dish): MenuPhoto | undefined {
  const url = `${text(row.photoUrl) ?? ''}${text(row.photoCd) ?? ''}`;
  if (!/^https?:\/\//i.test(url) || url.endsWith('/') || !URL.canParse(url)) return undefined;
  return { url };
}

function isMain(dish: Dish): boolean {
  return text(dish.row.typicalMenu)?.toUpperCase() === 'Y';
}

function firstOf<T, R>(items: readonly T[], of: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = of(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
