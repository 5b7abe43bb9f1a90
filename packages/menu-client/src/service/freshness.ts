import { addDays, dayStartMs, seoulToday } from '../domain/calendar-date.ts';
import type { DayEntry } from './day-entry.ts';

/** How long each kind of data is fresh, and how much longer it is shown while a newer one is being read; in ms. */
export interface Freshness {
  /** @default 6 h */
  readonly restaurantsMs: number;
  /** The meals that a restaurant offers. @default 24 h */
  readonly mealsMs: number;
  /** @default 15 min */
  readonly todayMs: number;
  /** @default 3 h */
  readonly laterDaysMs: number;
  /** Shown without waiting while it is read again, counted from when it stopped being fresh. @default 12 h */
  readonly staleMs: number;
  /** Before a read that failed is tried again. @default 60 s */
  readonly retryMs: number;
}

export const DEFAULT_FRESHNESS: Freshness = {
  restaurantsMs: 6 * 3_600_000,
  mealsMs: 24 * 3_600_000,
  todayMs: 15 * 60_000,
  laterDaysMs: 3 * 3_600_000,
  staleMs: 12 * 3_600_000,
  retryMs: 60_000,
};

export interface Age {
  /** Answered from the cache alone until then. */
  readonly freshUntilMs: number;
  /** Answered from the cache while it is read again until then. */
  readonly usableUntilMs: number;
}

export function ageFrom(fetchedAtMs: number, freshMs: number, freshness: Freshness): Age {
  const freshUntilMs = fetchedAtMs + freshMs;
  return { freshUntilMs, usableUntilMs: freshUntilMs + freshness.staleMs };
}

/** A day read after its end never changes; a meal that failed is tried again soon. */
export function dayAge(entry: DayEntry, date: string, nowMs: number, freshness: Freshness): Age {
  const retryAtMs = entry.attemptedAtMs + freshness.retryMs;
  const readAtMs = entry.periods.map((period) => period.fetchedAtMs);
  const oldestMs = Math.min(entry.attemptedAtMs, ...readAtMs.map((ms) => ms ?? entry.attemptedAtMs));
  const failed = entry.periods.some((period) => period.error !== undefined);
  const missing = readAtMs.includes(undefined);
  const dayEndMs = dayStartMs(addDays(date, 1));
  if (!failed && oldestMs >= dayEndMs) {
    return { freshUntilMs: Number.POSITIVE_INFINITY, usableUntilMs: Number.POSITIVE_INFINITY };
  }
  const freshMs = date <= seoulToday(nowMs) ? freshness.todayMs : freshness.laterDaysMs;
  const age = ageFrom(oldestMs, freshMs, freshness);
  const freshUntilMs = failed ? retryAtMs : age.freshUntilMs;
  return { freshUntilMs, usableUntilMs: missing ? freshUntilMs : Math.max(freshUntilMs, age.usableUntilMs) };
}
