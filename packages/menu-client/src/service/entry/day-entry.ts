import { seoulToday } from '../../domain/calendar-date.ts';
import type { DailyMenu, MealPeriod } from '../../domain/daily-menu.ts';
import { type DayChange, dayChanges } from '../../domain/day-change.ts';
import type { Menu } from '../../domain/menu.ts';
import { compareMenus, type MenuChange } from '../../domain/menu-change.ts';
import { firstCause } from '../../domain/menu-error.ts';
import type { PeriodError } from '../../domain/period-status.ts';
import type { Restaurant } from '../../domain/restaurant.ts';
import { eatenThereFirst } from '../../domain/serving.ts';
import { hasItemsToRead } from '../../operator/bundle.ts';
import { compareMealCodes } from '../../operator/meal-code.ts';
import type { Meal, MealReading } from '../../operator/operator.ts';
import {
  type BundleEntries,
  type BundleReading,
  carryBundles,
  mergeBundle,
  toBundle,
} from './bundle-entry.ts';

/** A meal as it is kept: the menus last read, and why the last attempt failed if it did. */
export interface PeriodEntry extends Meal {
  readonly menus: readonly Menu[];
  /** Items of `menus` that were asked for. */
  readonly bundles?: BundleEntries;
  /** When `menus` were read; absent until they were. */
  readonly fetchedAtMs?: number;
  readonly firstSeenAtMs?: number;
  readonly changedAtMs?: number;
  /** Changes since the day began, seen by readings on that day. */
  readonly changes?: readonly DayChange[];
  readonly error?: PeriodError;
  /** The last reading found none of `menus`: they are dropped only if the next one finds none either. */
  readonly emptyOnce?: true;
}

/** Now and then, operators answer that there is nothing although there is. */
const UNCONFIRMED: PeriodError = { code: 'operator_answer_empty', retryable: true };

/** Of one meal; the latest are kept. */
const MAX_CHANGES = 40;

/** A restaurant's day as it is kept. */
export interface DayEntry {
  readonly periods: readonly PeriodEntry[];
  /** When the operator was last asked. */
  readonly attemptedAtMs: number;
}

/** What a plan of readings has to know about a day. */
export interface DayState {
  /** When the operator was last asked. */
  readonly triedAtMs: number;
  /** When all of its meals had been read; absent if one never was, or has failed since. */
  readonly readAtMs?: number;
  /** Requests that reading it again takes, if known to be fewer than usual. */
  readonly cost?: number;
}

/** When the day was read, for planning readings: a day is read when all of its meals are. */
export function dayState({ periods, attemptedAtMs }: DayEntry): DayState {
  const times = periods.map(({ error, fetchedAtMs }) => (error === undefined ? fetchedAtMs : undefined));
  const read = times.filter((time) => time !== undefined);
  const complete = read.length === times.length;
  return { triedAtMs: attemptedAtMs, ...(complete ? { readAtMs: Math.min(attemptedAtMs, ...read) } : {}) };
}

/** Requests that reading the day for the first time takes: for the list of meals, each meal and each bundle. */
export function dayCost({ periods }: DayEntry): number {
  const bundles = periods.flatMap(({ menus }) => menus).filter(hasItemsToRead);
  return 1 + periods.length + bundles.length;
}

/** A change of a meal's menus, without where and when. */
export type PeriodChange = Pick<MenuChange, 'kind' | 'menu' | 'meal'>;

/** The day after a reading: a meal that failed keeps what was known about it. @param date `YYYY-MM-DD` */
export function mergeDay(
  date: string,
  before: DayEntry | undefined,
  readings: readonly MealReading[],
  nowMs: number,
): { readonly entry: DayEntry; readonly changes: readonly PeriodChange[] } {
  const earlier = new Map(before?.periods.map((period) => [period.code, period]));
  const changes: PeriodChange[] = [];
  const reading: ReadingTime = { nowMs, ofTheDay: seoulToday(nowMs) === date };
  const merge = (known: PeriodEntry | undefined, read: ReadPeriod): PeriodEntry =>
    mergePeriod(known, read, changes, reading);
  const periods = readings.map((read): PeriodEntry => {
    const known = earlier.get(read.code);
    earlier.delete(read.code);
    const meal = { code: read.code, label: read.label };
    if ('error' in read) {
      const { code, retryable } = firstCause(read.error);
      return { menus: [], ...known, ...meal, error: { code, retryable } };
    }
    const hadMenus = known !== undefined && known.menus.length > 0;
    if (hadMenus && read.menus.length === 0 && known.emptyOnce !== true)
      return { ...known, ...meal, emptyOnce: true, error: UNCONFIRMED };
    return merge(known, { ...meal, menus: read.menus });
  });
  // A meal that the restaurant no longer lists is withdrawn with its menus; one that never had any is just dropped.
  for (const gone of earlier.values()) {
    if (gone.firstSeenAtMs === undefined) continue;
    periods.push(merge(gone, { code: gone.code, label: gone.label, menus: [] }));
  }
  periods.sort((a, b) => compareMealCodes(a.code, b.code));
  return { entry: { periods, attemptedAtMs: nowMs }, changes };
}

type ReadPeriod = Meal & { readonly menus: readonly Menu[] };

interface ReadingTime {
  readonly nowMs: number;
  /** True for readings on the day itself: earlier changes interest nobody. */
  readonly ofTheDay: boolean;
}

function mergePeriod(
  known: PeriodEntry | undefined,
  read: ReadPeriod,
  changes: PeriodChange[],
  { nowMs, ofTheDay }: ReadingTime,
): PeriodEntry {
  const differences = compareMenus(known?.menus ?? [], read.menus);
  changes.push(...differences.map((difference) => ({ ...difference, meal: read.code })));
  const firstSeenAtMs = known?.firstSeenAtMs ?? (read.menus.length > 0 ? nowMs : undefined);
  const changedAtMs = differences.length > 0 ? nowMs : known?.changedAtMs;
  const seen =
    ofTheDay && known?.fetchedAtMs !== undefined ? dayChanges(known.menus, read.menus, timestamp(nowMs)) : [];
  const sinceMorning = [...(known?.changes ?? []), ...seen].slice(-MAX_CHANGES);
  return {
    ...read,
    ...(sinceMorning.length === 0 ? {} : { changes: sinceMorning }),
    bundles: carryBundles(known?.bundles, known?.menus ?? [], read.menus),
    fetchedAtMs: nowMs,
    ...(firstSeenAtMs === undefined ? {} : { firstSeenAtMs }),
    ...(changedAtMs === undefined ? {} : { changedAtMs }),
  };
}

/** True if a bundle's items were never asked for: the menus are known and shown before them. */
export function hasUnaskedItems({ periods }: DayEntry): boolean {
  return periods.some(({ menus, bundles }) =>
    menus.some((menu) => hasItemsToRead(menu) && bundles?.[menu.id] === undefined),
  );
}

/** The day after items were asked for, by menu id. */
export function mergeItems(
  day: DayEntry,
  readings: ReadonlyMap<string, BundleReading>,
  nowMs: number,
): { readonly entry: DayEntry; readonly changes: readonly PeriodChange[] } {
  if (readings.size === 0) return { entry: day, changes: [] };
  const changes: PeriodChange[] = [];
  const periods = day.periods.map((period): PeriodEntry => {
    const bundles = { ...period.bundles };
    for (const { id } of period.menus) {
      const reading = readings.get(id);
      if (reading !== undefined) bundles[id] = mergeBundle(bundles[id], reading, nowMs);
    }
    const read = { ...period, bundles };
    const before = new Map(shownMenus(period).map((menu) => [menu.id, itemsOf(menu)]));
    const differing = shownMenus(read).filter((menu) => before.get(menu.id) !== itemsOf(menu));
    changes.push(...differing.map((menu) => ({ kind: 'changed' as const, menu, meal: period.code })));
    return differing.length === 0 ? read : { ...read, changedAtMs: nowMs };
  });
  return { entry: { ...day, periods }, changes };
}

function itemsOf({ bundle }: Menu): string {
  return JSON.stringify([bundle?.status, bundle?.items]);
}

/** The menus with their kept items. */
function shownMenus({ menus, bundles }: PeriodEntry): readonly Menu[] {
  if (bundles === undefined) return menus;
  return menus.map((menu) => {
    const entry = bundles[menu.id];
    return entry === undefined || menu.bundle === undefined ? menu : { ...menu, bundle: toBundle(entry) };
  });
}

/** The entry as it is shown. With `overdue`, all of it is older than it should be and could not be read in time. */
export function toDailyMenu(
  restaurant: Restaurant,
  date: string,
  entry: DayEntry,
  overdue?: PeriodError,
): DailyMenu {
  return { restaurant, date, periods: entry.periods.map((period) => toPeriod(period, overdue)) };
}

/** An entry never changes and is asked for many times, so it is written out once. */
const written = new WeakMap<PeriodEntry, MealPeriod>();

function toPeriod(period: PeriodEntry, overdue: PeriodError | undefined): MealPeriod {
  if (overdue !== undefined) return writePeriod(period, overdue);
  const known = written.get(period) ?? writePeriod(period, undefined);
  written.set(period, known);
  return known;
}

function writePeriod(period: PeriodEntry, overdue: PeriodError | undefined): MealPeriod {
  const { code, label, fetchedAtMs, firstSeenAtMs, changedAtMs, changes } = period;
  const error = period.error ?? overdue;
  return {
    code,
    label,
    status: statusOf(period, error),
    menus: eatenThereFirst(shownMenus(period)),
    ...(fetchedAtMs === undefined ? {} : { fetchedAt: timestamp(fetchedAtMs) }),
    ...(firstSeenAtMs === undefined ? {} : { firstSeenAt: timestamp(firstSeenAtMs) }),
    ...(changedAtMs === undefined ? {} : { changedAt: timestamp(changedAtMs) }),
    ...(changes === undefined ? {} : { changes }),
    ...(error === undefined ? {} : { error }),
  };
}

function statusOf(period: PeriodEntry, error: PeriodError | undefined): MealPeriod['status'] {
  if (period.fetchedAtMs === undefined) return error === undefined ? 'loading' : 'failed';
  if (error !== undefined) return 'stale';
  return period.menus.length === 0 ? 'empty' : 'ok';
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
