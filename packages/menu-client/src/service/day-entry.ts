import type { DailyMenu, MealPeriod, PeriodError } from '../domain/daily-menu.ts';
import type { Menu } from '../domain/menu.ts';
import { compareMenus, type MenuChange } from '../domain/menu-change.ts';
import type { Restaurant } from '../domain/restaurant.ts';
import type { Meal, MealReading } from '../operator/operator.ts';

/** A meal as it is kept: the last menus that were read, and why the last attempt failed if it did. */
export interface PeriodEntry extends Meal {
  readonly menus: readonly Menu[];
  /** When `menus` were read; absent until they were. */
  readonly fetchedAtMs?: number;
  readonly firstSeenAtMs?: number;
  readonly changedAtMs?: number;
  readonly error?: PeriodError;
  /** The last reading had none of `menus`: it is believed when the next one says so too. */
  readonly emptyOnce?: true;
}

/** Operators answer now and then that there is nothing, where there is. */
const UNCONFIRMED: PeriodError = { code: 'operator_answer_empty', retryable: true };

/** A restaurant's day as it is kept. */
export interface DayEntry {
  readonly periods: readonly PeriodEntry[];
  /** When the operator was last asked. */
  readonly attemptedAtMs: number;
}

/** What a meal's menus did, without where and when. */
export type PeriodChange = Pick<MenuChange, 'kind' | 'menu' | 'meal'>;

/** The day after a reading: a meal that failed keeps what was known of it. */
export function mergeDay(
  before: DayEntry | undefined,
  readings: readonly MealReading[],
  nowMs: number,
): { readonly entry: DayEntry; readonly changes: readonly PeriodChange[] } {
  const earlier = new Map(before?.periods.map((period) => [period.code, period]));
  const changes: PeriodChange[] = [];
  const periods = readings.map((reading): PeriodEntry => {
    const known = earlier.get(reading.code);
    earlier.delete(reading.code);
    const meal = { code: reading.code, label: reading.label };
    if ('error' in reading) {
      const { code, retryable } = reading.error;
      return { menus: [], ...known, ...meal, error: { code, retryable } };
    }
    const hadMenus = known !== undefined && known.menus.length > 0;
    if (hadMenus && reading.menus.length === 0 && known.emptyOnce !== true)
      return { ...known, ...meal, emptyOnce: true, error: UNCONFIRMED };
    return mergePeriod(known, { ...meal, menus: reading.menus }, changes, nowMs);
  });
  // A meal that the restaurant no longer lists is withdrawn with its menus; before it ever had any it just goes.
  for (const gone of earlier.values()) {
    if (gone.firstSeenAtMs === undefined) continue;
    periods.push(mergePeriod(gone, { code: gone.code, label: gone.label, menus: [] }, changes, nowMs));
  }
  periods.sort((a, b) => a.code.localeCompare(b.code));
  return { entry: { periods, attemptedAtMs: nowMs }, changes };
}

function mergePeriod(
  known: PeriodEntry | undefined,
  read: Meal & { readonly menus: readonly Menu[] },
  changes: PeriodChange[],
  nowMs: number,
): PeriodEntry {
  const differences = compareMenus(known?.menus ?? [], read.menus);
  changes.push(...differences.map((difference) => ({ ...difference, meal: read.code })));
  const firstSeenAtMs = known?.firstSeenAtMs ?? (read.menus.length > 0 ? nowMs : undefined);
  const changedAtMs = differences.length > 0 ? nowMs : known?.changedAtMs;
  return {
    ...read,
    fetchedAtMs: nowMs,
    ...(firstSeenAtMs === undefined ? {} : { firstSeenAtMs }),
    ...(changedAtMs === undefined ? {} : { changedAtMs }),
  };
}

/** The entry as it is shown. With `overdue`, everything is older than it should be and could not be read in time. */
export function toDailyMenu(
  restaurant: Restaurant,
  date: string,
  entry: DayEntry,
  overdue?: PeriodError,
): DailyMenu {
  return { restaurant, date, periods: entry.periods.map((period) => toPeriod(period, overdue)) };
}

function toPeriod(period: PeriodEntry, overdue: PeriodError | undefined): MealPeriod {
  const { code, label, menus, fetchedAtMs, firstSeenAtMs, changedAtMs } = period;
  const error = period.error ?? overdue;
  return {
    code,
    label,
    status: statusOf(period, error),
    menus,
    ...(fetchedAtMs === undefined ? {} : { fetchedAt: timestamp(fetchedAtMs) }),
    ...(firstSeenAtMs === undefined ? {} : { firstSeenAt: timestamp(firstSeenAtMs) }),
    ...(changedAtMs === undefined ? {} : { changedAt: timestamp(changedAtMs) }),
    ...(error === undefined ? {} : { error }),
  };
}

function statusOf(period: PeriodEntry, error: PeriodError | undefined): MealPeriod['status'] {
  if (period.fetchedAtMs === undefined) return 'failed';
  if (error !== undefined) return 'stale';
  return period.menus.length === 0 ? 'empty' : 'ok';
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
