import type { DayChange } from './day-change.ts';
import type { Menu } from './menu.ts';
import type { PeriodError, PeriodStatus } from './period-status.ts';
import type { Restaurant } from './restaurant.ts';

/** 1 breakfast, 2 lunch, 3 dinner, 4 late night, 5 snack, 6 dawn. */
export const MEAL_CODES = ['1', '2', '3', '4', '5', '6'] as const;

/** One of the six codes that both operators use, see `MEAL_CODES`. */
export type KnownMealCode = (typeof MEAL_CODES)[number];

/** One of `MEAL_CODES`, or another code of the operator, 1 to 20 ASCII letters, digits, `_` and `-`: the label names its meal. */
export type MealCode = KnownMealCode | (string & {});

/** The menus of one meal of the day. */
export interface MealPeriod {
  /** Which meal it is, see `MEAL_CODES`. */
  readonly code: MealCode;
  /** The operator's own label, e.g. 점심. */
  readonly label: string;
  /** Whether the menus were read, and if not, whether there are earlier ones. */
  readonly status: PeriodStatus;
  /**
   * What is eaten there, then what is taken out, each in the operator's order; empty when the status is `empty`, `failed` or
   * `loading`.
   */
  readonly menus: readonly Menu[];
  /** When the menus were read from the operator (RFC 3339, UTC); absent when `failed` or `loading`. */
  readonly fetchedAt?: string;
  /** When this period first had menus (RFC 3339, UTC); absent until seen. */
  readonly firstSeenAt?: string;
  /** When its menus last changed (RFC 3339, UTC); absent until seen. */
  readonly changedAt?: string;
  /** What our readings saw change on the day itself, in order; absent when nothing did. */
  readonly changes?: readonly DayChange[];
  /** Present when `failed` or `stale`. */
  readonly error?: PeriodError;
}

/** The menus of one restaurant on one day. */
export interface DailyMenu {
  /** Whose menus they are. */
  readonly restaurant: Restaurant;
  /** Calendar date in Asia/Seoul, `YYYY-MM-DD`. */
  readonly date: string;
  /** By meal code, ascending. */
  readonly periods: readonly MealPeriod[];
}
