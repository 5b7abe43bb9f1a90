import type { MealPeriod } from '../domain/daily-menu.ts';
import type { Menu } from '../domain/menu.ts';
import type { Restaurant } from '../domain/restaurant.ts';
import type { DishRank } from '../search/dish-query.ts';
import type { UnreadOperator } from './unread-operator.ts';

/** Where and when a dish is served. */
export interface DishMatch {
  readonly restaurant: Restaurant;
  /** `YYYY-MM-DD`, Asia/Seoul. */
  readonly date: string;
  readonly period: Omit<MealPeriod, 'menus'>;
  readonly menu: Menu;
  readonly found: DishRank;
}

export interface DishSearchOptions {
  /** `YYYY-MM-DD`: that day alone, today to 6 days ahead. @default a day that the query names, else all of them */
  readonly date?: string;
  /** Only these. @default all */
  readonly restaurants?: readonly Pick<Restaurant, 'vendor' | 'id'>[];
  /** 1 to 200. @default 50 */
  readonly limit?: number;
}

/** Menus that have a dish, by date; on each day those named after it first. */
export interface DishList {
  readonly matches: readonly DishMatch[];
  /** How many there are, shown or not. */
  readonly total: number;
  /** The day that was looked at; absent for all of today and the 6 days after it. */
  readonly date?: string;
  /** Days of restaurants that have not been read, or not wholly: there may be more matches. */
  readonly unreadDays: number;
  /** Operators whose restaurants have never been read: none of theirs was looked at. */
  readonly incomplete: readonly UnreadOperator[];
}
