import {
  choicesOf,
  type DailyMenu,
  findDishes,
  isWholeMeal,
  type MealPeriod,
  type Menu,
  parseDishQuery,
  presentMeal,
  type Restaurant,
} from 'menu-client';
import { isUnread } from './day-view.ts';
import type { Look, Sort } from './look.ts';

/** The dishes of one restaurant's current meal. */
export interface MyMeal {
  readonly restaurant: Restaurant;
  readonly date: string;
  readonly period: MealPeriod;
  /** Every menu that the look asks for; none for a meal that is not read. */
  readonly menus: readonly Menu[];
}

/** What a menu is worth: a bundle as much as its best item; without the value nothing. Higher sorts first. */
function worth(sort: Sort, menu: Menu): number {
  const worths = choicesOf([menu]).map(({ nutrition }) => {
    const value = sort === 'protein' ? nutrition?.proteinG : nutrition?.caloriesKcal;
    if (value === undefined) return Number.NEGATIVE_INFINITY;
    return sort === 'protein' ? value : -value;
  });
  return Math.max(...worths);
}

/** By energy, whole meals come first: the least of it is in a coffee, which is no lunch. */
function compareBy(sort: Sort): (a: Menu, b: Menu) => number {
  const group = (menu: Menu): number => (sort === 'protein' || isWholeMeal(menu) ? 0 : 1);
  return (a, b) => group(a) - group(b) || worth(sort, b) - worth(sort, a) || 0;
}

/**
 * The current meal of each day with every dish that the look asks for. When sorted, the restaurant with the best dish
 * comes first. Restaurants without such a dish are left out, unless their meal could not be read: it may have one.
 *
 * @param nowMs now, in ms since the epoch
 */
export function myMeals(days: readonly DailyMenu[], nowMs: number, { sort, words }: Look): readonly MyMeal[] {
  const asked = parseDishQuery(words, 0).words;
  const meals = days.flatMap((day): MyMeal[] => {
    const period = presentMeal(day, nowMs);
    if (period === undefined) return [];
    const { restaurant, date } = day;
    if (isUnread(period)) return [{ restaurant, date, period, menus: [] }];
    const found = findDishes([{ restaurant, date, periods: [period] }], asked).map(({ menu }) => menu);
    const menus = asked.length === 0 ? period.menus : period.menus.filter((menu) => found.includes(menu));
    if (menus.length === 0) return [];
    const sorted = sort === undefined ? menus : menus.toSorted(compareBy(sort));
    return [{ restaurant, date, period, menus: sorted }];
  });
  if (sort === undefined) return meals;
  const compare = compareBy(sort);
  // Without a menu that was read, a restaurant comes last.
  return meals.toSorted(({ menus: [a] }, { menus: [b] }) =>
    a === undefined || b === undefined ? Number(a === undefined) - Number(b === undefined) : compare(a, b),
  );
}
