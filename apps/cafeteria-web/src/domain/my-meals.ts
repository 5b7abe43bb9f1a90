import {
  choicesOf,
  type DailyMenu,
  findDishes,
  isWholeMeal,
  type KnownMealCode,
  type MealPeriod,
  type Menu,
  parseDishQuery,
  presentMeal,
  type Restaurant,
} from 'menu-client';
import { isUnread } from './day/day-view.ts';
import { inGalleryOrder } from './day/gallery-order.ts';
import { isExtraDish } from './dish/extra-dish.ts';
import type { Look, Sort } from './look.ts';

/** The dishes of one restaurant's meal. */
export interface MyMeal {
  readonly restaurant: Restaurant;
  readonly date: string;
  /** Undefined when the restaurant does not have the meal that was asked for. */
  readonly period: MealPeriod | undefined;
  /** Every menu that the look asks for; none for a meal that is not read. */
  readonly menus: readonly Menu[];
}

/** What a menu is worth: a bundle as much as its best item; without the value nothing. Higher sorts first. */
function worth(sort: Sort, menu: Menu): number {
  const sign = sort === 'protein' || sort === 'kcal-high' ? 1 : -1;
  const worths = choicesOf([menu]).map(({ nutrition }) => {
    const value = sort.startsWith('protein') ? nutrition?.proteinG : nutrition?.caloriesKcal;
    return value === undefined ? Number.NEGATIVE_INFINITY : sign * value;
  });
  return Math.max(...worths);
}

/** Where little comes first, whole meals do: the least energy is in a coffee, which is no lunch. */
function compareBy(sort: Sort): (a: Menu, b: Menu) => number {
  const isLeast = sort === 'kcal' || sort === 'protein-low';
  const group = (menu: Menu): number => (!isLeast || isWholeMeal(menu) ? 0 : 1);
  return (a, b) => group(a) - group(b) || worth(sort, b) - worth(sort, a) || 0;
}

/** The menus of a meal that the look asks for, sorted. */
function lookedAt(day: DailyMenu, period: MealPeriod, look: Look): readonly Menu[] {
  const having = (words: string): ReadonlySet<Menu> | undefined => {
    const asked = parseDishQuery(words, 0).words;
    if (asked.length === 0) return undefined;
    return new Set(findDishes([{ ...day, periods: [period] }], asked).map(({ menu }) => menu));
  };
  const wanted = having(look.words);
  // Each of the words is a reason to leave a menu out.
  const unwanted = look.without
    .split(/[\s,]+/)
    .flatMap((word) => (word === '' ? [] : [having(word)]))
    .filter((menus) => menus !== undefined);
  const menus = period.menus.filter(
    (menu) =>
      (wanted?.has(menu) ?? true) &&
      !unwanted.some((each) => each.has(menu)) &&
      (!look.mains || (isWholeMeal(menu) && !isExtraDish(menu))) &&
      (!look.noExtras || !isExtraDish(menu)),
  );
  if (look.sort !== undefined) return menus.toSorted(compareBy(look.sort));
  return inGalleryOrder(menus);
}

/**
 * One meal of each day with every menu that the look asks for. When sorted, the restaurant with the best menu comes first.
 * Restaurants without such a menu are left out, unless their meal could not be read: it may have one.
 *
 * @param nowMs now, in ms since the epoch
 * @param meal the meal; of a day that does not have it, a meal without `period`. @default the meal of the moment
 */
export function myMeals(
  days: readonly DailyMenu[],
  nowMs: number,
  look: Look,
  meal?: KnownMealCode,
): readonly MyMeal[] {
  const meals = days.flatMap((day): MyMeal[] => {
    const { restaurant, date, periods } = day;
    const offered = periods.filter(({ status }) => status !== 'empty');
    const period = meal === undefined ? presentMeal(day, nowMs) : offered.find(({ code }) => code === meal);
    if (period === undefined && offered.length === 0) return [];
    if (period === undefined || isUnread(period)) return [{ restaurant, date, period, menus: [] }];
    const menus = lookedAt(day, period, look);
    return menus.length === 0 ? [] : [{ restaurant, date, period, menus }];
  });
  if (look.sort === undefined) return meals;
  const compare = compareBy(look.sort);
  // Without a menu that was read, a restaurant comes last.
  return meals.toSorted(({ menus: [a] }, { menus: [b] }) =>
    a === undefined || b === undefined ? Number(a === undefined) - Number(b === undefined) : compare(a, b),
  );
}
