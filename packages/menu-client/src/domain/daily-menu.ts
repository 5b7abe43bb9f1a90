import type { Menu } from './menu.ts';
import type { Restaurant } from './restaurant.ts';

/** 1 breakfast, 2 lunch, 3 dinner, 4 late night, 5 snack, 6 dawn. */
export const MEAL_CODES = ['1', '2', '3', '4', '5', '6'] as const;

export type MealCode = (typeof MEAL_CODES)[number];

/**
 * - `ok`: read, with menus
 * - `empty`: the operator answered that there is none
 * - `failed`: could not be read and nothing earlier is kept; `error` says why
 * - `stale`: could not be read now; the menus are those of `fetchedAt`
 */
export type PeriodStatus = 'ok' | 'empty' | 'failed' | 'stale';

/** Why a period could not be read. */
export interface PeriodError {
  readonly code: string;
  readonly retryable: boolean;
}

/** The menus of one meal of the day. */
export interface MealPeriod {
  readonly code: MealCode;
  /** The operator's own label, e.g. 점심. */
  readonly label: string;
  readonly status: PeriodStatus;
  readonly menus: readonly Menu[];
  /** When the menus were read from the operator (RFC 3339, UTC); absent when `failed`. */
  readonly fetchedAt?: string;
  /** When this period first had menus, and when they last changed (RFC 3339, UTC); absent until seen. */
  readonly firstSeenAt?: string;
  readonly changedAt?: string;
  /** Present when `failed` or `stale`. */
  readonly error?: PeriodError;
}

/** The menus of one restaurant on one day. */
export interface DailyMenu {
  readonly restaurant: Restaurant;
  /** Calendar date in Asia/Seoul, `YYYY-MM-DD`. */
  readonly date: string;
  /** By meal code, ascending. */
  readonly periods: readonly MealPeriod[];
}
