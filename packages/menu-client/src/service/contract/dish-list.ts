import type { MealCode, MealPeriod } from '../../domain/daily-menu.ts';
import type { Menu } from '../../domain/menu.ts';
import type { Restaurant } from '../../domain/restaurant.ts';
import type { DishRank } from '../../search/dish-query.ts';
import type { UnreadOperator } from './unread-operator.ts';
import type { WaitOptions } from './wait-options.ts';

/** Where and when a dish is served. */
export interface DishMatch {
  /** Where it is served. */
  readonly restaurant: Restaurant;
  /** `YYYY-MM-DD`, Asia/Seoul. */
  readonly date: string;
  /** The meal that it is served at, without its menus. */
  readonly period: Omit<MealPeriod, 'menus'>;
  /** The menu that has the dish. */
  readonly menu: Menu;
  /** Whether the menu is named after the dish, or has it among its dishes. */
  readonly found: DishRank;
}

/** How many menus of a restaurant have the dish, on the days that were searched. */
export interface DishCount {
  /** Where it is served. */
  readonly restaurant: Restaurant;
  /** At least 1. */
  readonly count: number;
}

/** Which days and restaurants are searched. */
export interface DishSearchOptions extends WaitOptions {
  /** `YYYY-MM-DD`: only that day, today to 6 days ahead. @default a day that the query names, else all of them */
  readonly date?: string;
  /** Only this meal. @default a meal that the query names, else every meal */
  readonly meal?: MealCode;
  /** Only restaurants that match these words, as `search` finds them. @default all */
  readonly place?: string;
  /** Only these. @default all */
  readonly restaurants?: readonly Pick<Restaurant, 'vendor' | 'id'>[];
  /** 1 to 200. @default 50 */
  readonly limit?: number;
}

/** Menus that have a dish, by date; within a day, those named after it first. */
export interface DishList {
  /** At most `limit`. */
  readonly matches: readonly DishMatch[];
  /** How many there are, shown or not. */
  readonly total: number;
  /** Every restaurant that has the dish, shown or not, in the order of restaurants. */
  readonly byRestaurant: readonly DishCount[];
  /** The day that was searched; absent when today and the 6 days after it were. */
  readonly date?: string;
  /** The meal that was searched; absent when every meal was. */
  readonly meal?: MealCode;
  /** How many restaurants match the place, which the query may name too; absent without one. */
  readonly places?: number;
  /** The words of the query that name the place; absent when none does. */
  readonly placeWords?: string;
  /** Days of restaurants that have not been read, or only in part: there may be more matches. */
  readonly unreadDays: number;
  /** Operators whose restaurants have never been read: none of them was searched. */
  readonly incomplete: readonly UnreadOperator[];
}
