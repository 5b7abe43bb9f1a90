import type { MealCode } from '../domain/daily-menu.ts';
import type { Menu, MenuComponent, MenuPhoto, Nutrition } from '../domain/menu.ts';
import { classifyServing } from '../domain/serving.ts';
import { bundleOf, UNREAD_BUNDLE } from '../operator/bundle.ts';
import { asRow, type Draft, nutrition, quantity, type Row, text } from '../operator/lenient.ts';
import type { Reading } from '../operator/operator.ts';
import { readRows, unknownIn } from '../operator/readings.ts';
import { pairSides } from '../operator/side-dishes.ts';
import { type SoldOutSign, soldOutSign } from '../operator/sold-out.ts';
import { formatCourseId } from './course-id.ts';
import { isMainDish } from './main-dish.ts';
import { parseMealRows } from './parse-envelope.ts';
import { parseSmartDish, type SmartDish, toSmartMenu, withSmartDish } from './smart-order.ts';

type DishRow = Row<
  | 'menuName'
  | 'hallNo'
  | 'menuCourseType'
  | 'courseTxt'
  | 'typicalMenu'
  | 'setMenuName'
  | 'setName'
  | 'subMenuTxt'
  | 'subEngMenuTxt'
  | 'menuNameEng'
  | 'engMenuName'
  | 'engSetMenuName'
  | 'soldOutYn'
  | 'soldStat'
  | 'salesType'
  | 'photoUrl'
  | 'photoCd'
  | 'kcal'
  | 'sumKcal'
  | 'sumProtein'
  | 'sumFat'
  | 'sumNa'
  | 'sumSugar'
>;

interface Dish {
  readonly name: string;
  /** A row without a hall belongs to the others' hall, if they have just one. */
  readonly hall: string | undefined;
  /** Absent when the row is a menu of its own. */
  readonly course: string | undefined;
  readonly sold: SoldOutSign;
  readonly row: DishRow;
}

/**
 * GET /api/meal, of one meal. Rows are dishes; those of one hall and course type make one menu. Dishes that can be ordered
 * ahead come in a list of their own; one that is in both lists is one.
 */
export function parseMealList(value: unknown, meal: MealCode): Reading<readonly Menu[]> {
  const { mealList, smartOrderMenuList } = parseMealRows(value);
  const rows = [
    ...mealList.map((row) => () => parseDish(row)),
    ...smartOrderMenuList.map((row) => () => parseSmartDish(row)),
  ];
  const { value: read, droppedRows } = readRows('welstory', rows, (parse): Dish | SmartDish | undefined =>
    parse(),
  );
  const dishes = read.filter((each) => 'row' in each);
  const smart = soldOutTogether(read.filter((each) => 'sides' in each));
  const unknown = [...dishes.flatMap(({ sold }) => sold.unknown), ...smart.flatMap((each) => each.unknown)];
  const courses = coursesOf(dishes, meal).map(([id, course]) => ({ course, menu: toMenu(id, course) }));
  const menus =
    smart.length === 0 ? courses.map(({ menu }) => menu) : withSmartDishes(courses, dishes, smart, meal);
  return { value: menus, droppedRows, ...unknownIn(unknown) };
}

interface Course {
  readonly course: readonly Dish[];
  readonly menu: Menu;
}

/** The courses completed by the dishes that can be ordered ahead, and the dishes that no course has. */
function withSmartDishes(
  courses: readonly Course[],
  dishes: readonly Dish[],
  smart: readonly SmartDish[],
  meal: MealCode,
): readonly Menu[] {
  const menus = courses.map(({ course, menu }) => {
    const names = namesOf(course);
    const same = smart.find(({ name }) => names.has(folded(name)));
    return same === undefined ? menu : withSmartDish(menu, same);
  });
  const listed = new Set(dishes.flatMap((dish) => [...namesOf([dish])]));
  const others = smart.filter(({ name }) => !listed.has(folded(name)));
  return [...menus, ...others.map((dish) => toSmartMenu(dish, meal))];
}

/** By id, in the order of their first rows. */
function coursesOf(dishes: readonly Dish[], meal: MealCode): readonly [string, readonly Dish[]][] {
  const onlyHall = onlyHallOf(dishes);
  const courses = new Map<string, Dish[]>();
  for (const dish of dishes) {
    const id = formatCourseId({ meal, hall: dish.hall ?? onlyHall, course: dish.course }, dish.name);
    const course = courses.get(id);
    if (course === undefined) courses.set(id, [dish]);
    else course.push(dish);
  }
  return [...courses];
}

/** Each name once: a dish of several rows is sold out when all of them are. */
function soldOutTogether(dishes: readonly SmartDish[]): readonly SmartDish[] {
  const byName = new Map<string, SmartDish>();
  for (const dish of dishes) {
    const known = byName.get(folded(dish.name));
    const soldOut = dish.soldOut && known?.soldOut !== false;
    byName.set(folded(dish.name), { ...dish, ...known, soldOut });
  }
  return [...byName.values()];
}

/** What the dish that names the course is called. */
function namesOf(course: readonly Dish[]): ReadonlySet<string> {
  const { name, row } = mainOf(course);
  const names = [name, text(row.setMenuName), text(row.setName)];
  return new Set(names.flatMap((each) => (each === undefined ? [] : [folded(each)])));
}

function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s+/g, '');
}

function mainOf(course: readonly Dish[]): Dish {
  const main = course.find(({ row }) => isMainDish(row.typicalMenu)) ?? course[0];
  if (main === undefined) throw new RangeError('a course has at least one dish');
  return main;
}

/** The hall of the rows that name one, if they agree. */
function onlyHallOf(dishes: readonly Dish[]): string {
  const halls = new Set<string>();
  for (const { hall } of dishes) if (hall !== undefined) halls.add(hall);
  const [only = ''] = halls.size === 1 ? halls : [];
  return only;
}

function parseDish(value: unknown): Dish | undefined {
  const row: DishRow | undefined = asRow(value);
  if (row === undefined) return undefined;
  const name = text(row.menuName) ?? text(row.setMenuName) ?? text(row.setName);
  const course = text(row.menuCourseType);
  if (name === undefined) return undefined;
  const sold = soldOutSign({ soldOutYn: row.soldOutYn, soldStat: row.soldStat });
  return { name, hall: text(row.hallNo), course, sold, row };
}

function toMenu(id: string, dishes: readonly Dish[]): Menu {
  const main = mainOf(dishes);
  const takeOut = dishes.some((dish) => text(dish.row.salesType)?.startsWith('T') === true);
  const components = dishes.length === 1 ? expand(main) : list(dishes, main);
  const facts = courseNutrition(dishes);
  const nameEn = text(main.row.menuNameEng) ?? text(main.row.engMenuName) ?? text(main.row.engSetMenuName);
  const corner = firstOf(dishes, (dish) => text(dish.row.courseTxt));
  const photo = photoOf(main) ?? firstOf(dishes, photoOf);
  const serving = classifyServing({
    name: main.name,
    caloriesKcal: facts?.caloriesKcal,
    declaredTakeOut: takeOut,
    components,
    dishMarksCount: true,
  });
  const soldOut = main.sold.soldOut || dishes.every(({ sold }) => sold.soldOut);
  const menu: Draft<Menu> = { id, name: main.name, serving, soldOut, components };
  if (nameEn !== undefined) menu.nameEn = nameEn;
  if (corner !== undefined) menu.corner = corner;
  // Take-out is a bundle of choices, and the course's sums cover them all. Without a course, its items cannot be asked for.
  if (serving === 'take-out') menu.bundle = main.course === undefined ? bundleOf([]) : UNREAD_BUNDLE;
  else if (facts !== undefined) menu.nutrition = facts;
  if (photo !== undefined) menu.photo = photo;
  return menu;
}

/** A course in one row: its sides are in `subMenuTxt`, and their English names parallel to it in `subEngMenuTxt`. */
function expand({ name, row }: Dish): readonly MenuComponent[] {
  const sides = text(row.subMenuTxt);
  if (sides === undefined) return [];
  const components: MenuComponent[] = [{ name, main: true }];
  for (const { name: side, nameEn } of pairSides(sides, text(row.subEngMenuTxt)))
    if (side !== name)
      components.push({ name: side, main: false, ...(nameEn === undefined ? {} : { nameEn }) });
  return components.length === 1 ? [] : components;
}

/** A course of one row per dish. */
function list(dishes: readonly Dish[], main: Dish): readonly MenuComponent[] {
  const ordered = [main, ...dishes.filter((dish) => dish !== main)];
  return ordered.map((dish) => {
    const nameEn = text(dish.row.menuNameEng) ?? text(dish.row.engMenuName);
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

function firstOf<T, R>(items: readonly T[], of: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = of(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
