import { z } from 'zod';
import type { MealCode } from '../domain/daily-menu.ts';
import type { Menu, MenuComponent, MenuPhoto, Nutrition } from '../domain/menu.ts';
import { classifyServing } from '../domain/serving.ts';
import { bundleOf, UNREAD_BUNDLE } from '../operator/bundle.ts';
import { type Draft, nutrition, quantity, text } from '../operator/lenient.ts';
import type { Reading } from '../operator/operator.ts';
import { readRows } from '../operator/readings.ts';
import { formatCourseId } from './course-id.ts';
import { parseMealRows } from './parse-envelope.ts';

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
  /** A row without a hall belongs to the others' hall, if they have just one. */
  readonly hall: string | undefined;
  /** Absent when the row is a menu of its own. */
  readonly course: string | undefined;
  readonly row: z.infer<typeof dishRow>;
}

/** GET /api/meal, of one meal. Rows are dishes; those of one hall and course type make one menu. */
export function parseMealList(value: unknown, meal: MealCode): Reading<readonly Menu[]> {
  const { value: dishes, droppedRows } = readRows('welstory', parseMealRows(value), parseDish);
  const onlyHall = onlyHallOf(dishes);
  const courses = new Map<string, Dish[]>();
  for (const dish of dishes) {
    const id = formatCourseId({ meal, hall: dish.hall ?? onlyHall, course: dish.course }, dish.name);
    const course = courses.get(id);
    if (course === undefined) courses.set(id, [dish]);
    else course.push(dish);
  }
  return { value: [...courses].map(([id, course]) => toMenu(id, course)), droppedRows };
}

/** The hall of the rows that name one, if they agree. */
function onlyHallOf(dishes: readonly Dish[]): string {
  const halls = new Set<string>();
  for (const { hall } of dishes) if (hall !== undefined) halls.add(hall);
  const [only = ''] = halls.size === 1 ? halls : [];
  return only;
}

function parseDish(value: unknown): Dish | undefined {
  const row = dishRow.safeParse(value).data;
  if (row === undefined) return undefined;
  const name = text(row.menuName) ?? text(row.setMenuName);
  const course = text(row.menuCourseType);
  if (name === undefined) return undefined;
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
  const photo = photoOf(main) ?? firstOf(dishes, photoOf);
  const serving = classifyServing({
    name: main.name,
    caloriesKcal: facts?.caloriesKcal,
    declaredTakeOut: takeOut,
    components,
    dishMarksCount: true,
  });
  const menu: Draft<Menu> = { id, name: main.name, serving, soldOut: false, components };
  if (nameEn !== undefined) menu.nameEn = nameEn;
  if (corner !== undefined) menu.corner = corner;
  // Take-out is a bundle of choices, and the course's sums cover them all. Without a course, its items cannot be asked for.
  if (serving === 'take-out') menu.bundle = main.course === undefined ? bundleOf([]) : UNREAD_BUNDLE;
  else if (facts !== undefined) menu.nutrition = facts;
  if (photo !== undefined) menu.photo = photo;
  return menu;
}

/** A course in one row: its sides are in `subMenuTxt`. */
function expand(main: Dish): readonly MenuComponent[] {
  const sides = text(main.row.subMenuTxt);
  if (sides === undefined) return [];
  const components: MenuComponent[] = [{ name: main.name, main: true }];
  for (const name of splitSides(sides)) if (name !== main.name) components.push({ name, main: false });
  return components.length === 1 ? [] : components;
}

/** A course of one row per dish. */
function list(dishes: readonly Dish[], main: Dish): readonly MenuComponent[] {
  const ordered = [main, ...dishes.filter((dish) => dish !== main)];
  return ordered.map((dish) => {
    const nameEn = text(dish.row.menuNameEng);
    const facts = nutrition({ caloriesKcal: dish.row.kcal });
    const component: Draft<MenuComponent> = { name: dish.name, main: dish === main };
    if (nameEn !== undefined) component.nameEn = nameEn;
    if (facts !== undefined) component.nutrition = facts;
    return component;
  });
}

/** The sums that each row of a course repeats; if none is given, what the dishes' own figures add up to. */
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

/** Folder and file name concatenated; a folder alone is not a photo. */
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

/**
 * The side dishes of a course: separated by commas, `<br>` or `||`.
 * A comma inside parentheses belongs to the dish: "김치(배추,고춧가루)" is one.
 */
function splitSides(sides: string): readonly string[] {
  const lines = sides.split(/<br\s?\/?>|\|\|/i);
  const dishes: string[] = [];
  for (const line of lines) {
    for (const part of splitAtCommas(line)) {
      const dish = part.trim();
      if (dish !== '') dishes.push(dish);
    }
  }
  return dishes;
}

function splitAtCommas(line: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at];
    if (sign === '(') depth += 1;
    else if (sign === ')') depth = Math.max(0, depth - 1);
    else if (sign === ',' && depth === 0) {
      parts.push(line.slice(from, at));
      from = at + 1;
    }
  }
  // A parenthesis that never closes says nothing about the commas after it.
  return depth > 0 ? line.split(',') : [...parts, line.slice(from)];
}
