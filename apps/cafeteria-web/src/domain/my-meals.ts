import {
  choicesOf,
  type DailyMenu,
  findDishes,
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

/** Higher sorts first; menus without the value come last. A bundle is worth as much as its best item. */
function worth(sort: Sort, menu: Menu): number {
  const worths = choicesOf([menu]).map(({ nutrition }) => {
    const value = sort === 'protein' ? nutrition?.proteinG : nutrition?.caloriesKcal;
    if (value === undefined) return Number.NEGATIVE_INFINITY;
    return sort === 'protein' ? value : -value;
  });
  return Math.max(...worths);
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
    const sorted =
      sort === undefined ? menus : menus.toSorted((a, b) => worth(sort, b) - worth(sort, a) || 0);
    return [{ restaurant, date, period, menus: sorted }];
  });
  if (sort === undefined) return meals;
  const best = ({ menus: [first] }: MyMeal): number =>
    first === undefined ? Number.NEGATIVE_INFINITY : worth(sort, first);
  return meals.toSorted((a, b) => best(b) - best(a) || 0);
}
