import { dayEndMs, dayStartMs } from '../../domain/calendar-date.ts';
import type { Menu } from '../../domain/menu.ts';
import { hasItemsToRead } from '../../operator/bundle.ts';
import type { BundleEntry } from './bundle-entry.ts';
import { type DayEntry, hasUnaskedItems } from './day-entry.ts';

/** How long each kind of data is fresh, and how much longer it is shown while a newer one is being read; in ms. */
export interface Freshness {
  /**
   * An operator's list of restaurants.
   * @default 1 h
   */
  readonly restaurantsMs: number;
  /**
   * The menus of today, with the list of its meals and the items of its bundles, and of a past day that was last read before its end.
   * @default 15 min
   */
  readonly todayMs: number;
  /**
   * The menus of the days to come, and the list of their meals.
   * @default 3 h
   */
  readonly laterDaysMs: number;
  /** The items of a bundle of another day that did not change. @default 12 h */
  readonly itemsMs: number;
  /** How long data that are no longer fresh are shown without waiting, while they are read again. @default 12 h */
  readonly staleMs: number;
  /** Wait before a failed read is tried again. @default 60 s */
  readonly retryMs: number;
}

export const DEFAULT_FRESHNESS: Freshness = {
  restaurantsMs: 3_600_000,
  todayMs: 15 * 60_000,
  laterDaysMs: 3 * 3_600_000,
  itemsMs: 12 * 3_600_000,
  staleMs: 12 * 3_600_000,
  retryMs: 60_000,
};

export interface Age {
  /** Until then, the cache alone answers. */
  readonly freshUntilMs: number;
  /** Until then, the cache answers while the data are read again. */
  readonly usableUntilMs: number;
}

/** What was read so much later than now was read by a clock that is wrong: it is neither fresh nor usable. */
function isAhead(fetchedAtMs: number, nowMs: number, { todayMs }: Freshness): boolean {
  return fetchedAtMs > nowMs + todayMs;
}

export function ageFrom(fetchedAtMs: number, freshMs: number, nowMs: number, freshness: Freshness): Age {
  if (isAhead(fetchedAtMs, nowMs, freshness)) return { freshUntilMs: nowMs, usableUntilMs: nowMs };
  const freshUntilMs = fetchedAtMs + freshMs;
  return { freshUntilMs, usableUntilMs: freshUntilMs + freshness.staleMs };
}

/** Age of the day's menus; if somebody is asking for them, also of items that could not be read. */
export function dayAge(
  entry: DayEntry,
  date: string,
  nowMs: number,
  freshness: Freshness,
  asked = false,
): Age {
  const { freshUntilMs, usableUntilMs } = menusAge(entry, date, nowMs, freshness);
  const retryAtMs = asked ? itemsRetryAtMs(entry, freshness) : Number.POSITIVE_INFINITY;
  return { freshUntilMs: Math.min(freshUntilMs, retryAtMs), usableUntilMs };
}

/** Age of the day with the items of its bundles: neither fresh nor usable until they were asked for. */
export function wholeDayAge(
  entry: DayEntry,
  date: string,
  nowMs: number,
  freshness: Freshness,
  asked: boolean,
): Age {
  if (!hasUnaskedItems(entry)) return dayAge(entry, date, nowMs, freshness, asked);
  return { freshUntilMs: entry.attemptedAtMs, usableUntilMs: entry.attemptedAtMs };
}

/** A day read after its end never changes; a meal that failed is tried again soon. */
function menusAge(entry: DayEntry, date: string, nowMs: number, freshness: Freshness): Age {
  if (isAhead(entry.attemptedAtMs, nowMs, freshness)) return { freshUntilMs: nowMs, usableUntilMs: nowMs };
  const retryAtMs = entry.attemptedAtMs + freshness.retryMs;
  const readAtMs = entry.periods.map((period) => period.fetchedAtMs);
  const oldestMs = Math.min(entry.attemptedAtMs, ...readAtMs.map((ms) => ms ?? entry.attemptedAtMs));
  const failed = entry.periods.some((period) => period.error !== undefined);
  const missing = readAtMs.includes(undefined);
  if (!failed && oldestMs >= dayEndMs(date)) {
    return { freshUntilMs: Number.POSITIVE_INFINITY, usableUntilMs: Number.POSITIVE_INFINITY };
  }
  const freshMs = dayStartMs(date) <= nowMs ? freshness.todayMs : freshness.laterDaysMs;
  const age = ageFrom(oldestMs, freshMs, nowMs, freshness);
  const freshUntilMs = failed ? retryAtMs : age.freshUntilMs;
  return { freshUntilMs, usableUntilMs: missing ? freshUntilMs : Math.max(freshUntilMs, age.usableUntilMs) };
}

/** The bundles whose items have to be asked for now. */
export function dueBundles(
  { periods }: DayEntry,
  date: string,
  nowMs: number,
  freshness: Freshness,
): readonly Menu[] {
  const freshMs = isToday(date, nowMs) ? freshness.todayMs : freshness.itemsMs;
  return periods.flatMap(({ menus, bundles }) =>
    menus.filter((menu) => hasItemsToRead(menu) && nowMs >= dueAtMs(bundles?.[menu.id], freshMs, freshness)),
  );
}

/** Due as often as the day, on the day itself; now and then before it, and soon if something may be missing. */
function dueAtMs(known: BundleEntry | undefined, freshMs: number, freshness: Freshness): number {
  if (known === undefined) return 0;
  if (known.error !== undefined) return known.attemptedAtMs + freshness.retryMs;
  const doubtful = known.incomplete === true || known.items.length === 0;
  return known.attemptedAtMs + (doubtful ? freshness.todayMs : freshMs);
}

/**
 * Age of the list of meals for a day: today's is read with the menus, since meals are added during the day. It is waited
 * for, because the menus of a meal that is missing from it would not be asked for.
 */
export function mealsAge(
  { fetchedAtMs, incomplete }: { readonly fetchedAtMs: number; readonly incomplete?: boolean },
  date: string,
  nowMs: number,
  freshness: Freshness,
): Age {
  const { retryMs, todayMs, laterDaysMs } = freshness;
  if (isAhead(fetchedAtMs, nowMs, freshness)) return { freshUntilMs: nowMs, usableUntilMs: nowMs };
  const untilMs =
    fetchedAtMs + (isToday(date, nowMs) ? retryMs : incomplete === true ? todayMs : laterDaysMs);
  return { freshUntilMs: untilMs, usableUntilMs: untilMs };
}

function isToday(date: string, nowMs: number): boolean {
  return dayStartMs(date) <= nowMs && nowMs < dayEndMs(date);
}

/** When items that could not be read are tried again; Infinity if there are none. */
function itemsRetryAtMs({ periods }: DayEntry, { retryMs }: Freshness): number {
  const failed = periods.flatMap(({ bundles = {} }) =>
    Object.values(bundles).filter(({ error }) => error !== undefined),
  );
  return Math.min(...failed.map(({ attemptedAtMs }) => attemptedAtMs + retryMs));
}
