import { dayStartMs } from '../../domain/calendar-date.ts';
import type { DayState } from '../entry/day-entry.ts';
import type { Freshness } from '../entry/freshness.ts';

export interface PlanQuestion {
  readonly nowMs: number;
  readonly restaurantIds: readonly string[];
  /** Today in Asia/Seoul and the days after it, `YYYY-MM-DD`. */
  readonly dates: readonly string[];
  /** For each restaurant that anybody is interested in; above 0. */
  readonly interest: ReadonlyMap<string, number>;
  /** Undefined for a day that was never asked for. */
  readonly stateOf: (restaurantId: string, date: string) => DayState | undefined;
  /** Requests that one day of a restaurant takes, at least 1, if its state does not say. */
  readonly costOf: (restaurantId: string) => number;
  readonly freshness: Pick<Freshness, 'todayMs' | 'laterDaysMs'>;
  /** Requests that the plan may take; it has at least one reading if any is due. */
  readonly maxRequests: number;
}

export interface PlannedRead {
  readonly restaurantId: string;
  readonly date: string;
}

export interface ReadPlan {
  /** In the order in which to read. */
  readonly reads: readonly PlannedRead[];
  /** How many days should be read now, including those of the plan. */
  readonly due: number;
}

const MINUTE_MS = 60_000;

/** When breakfast, lunch and dinner usually begin, minutes since midnight: people look at menus from an hour before. */
const MEALS_BEGIN = [6 * 60 + 30, 11 * 60, 17 * 60] as const;
const BEFORE_MEAL_MINUTES = 60;
const MEAL_MINUTES = 150;

/** Between meals today is read this many times less often. */
const BETWEEN_MEALS = 4;

/** What nobody asks for is read in this part of the night, minutes since midnight, well after the date has changed. */
const NIGHT = { fromMinute: 30, toMinute: 5 * 60 + 30 } as const;

/** A reading that failed, or failed in part, is tried again after this. */
const RETRY_MS = { wanted: 5 * MINUTE_MS, rest: 30 * MINUTE_MS } as const;

/** The share of a plan reserved for what nobody asked for, so that it does not wait forever. */
const REST_SHARE = 0.25;

/** A day that was never read counts as this many times too old. */
const NEVER_READ = 100;

/**
 * What to read next. What people are interested in is read as often as it gets old: sooner with more interest and for
 * nearer days, most of all before a meal. Everything else is read once, and again once a night.
 */
export function planReads(question: PlanQuestion): ReadPlan {
  const { maxRequests } = question;
  const { wanted, rest } = dueReads(question);
  const kept = Math.min(Math.floor(maxRequests * REST_SHARE), costOf(rest));
  const first = take(wanted, maxRequests - kept);
  const second = take(rest, maxRequests - costOf(first));
  const more = take(wanted.slice(first.length), maxRequests - costOf(first) - costOf(second));
  const fitting = [...first, ...more, ...second];
  const reads = (fitting.length > 0 ? fitting : [...wanted, ...rest].slice(0, 1)).map(
    ({ restaurantId, date }) => ({ restaurantId, date }),
  );
  return { reads, due: wanted.length + rest.length };
}

interface Candidate extends PlannedRead {
  readonly urgency: number;
  readonly cost: number;
}

/** Most urgent first; ties in the order of dates and restaurants. */
function dueReads(question: PlanQuestion): {
  readonly wanted: readonly Candidate[];
  readonly rest: readonly Candidate[];
} {
  const { dates, restaurantIds, interest, stateOf, costOf, nowMs } = question;
  const minute = Math.floor((nowMs - dayStartMs(dates[0] ?? '')) / MINUTE_MS);
  const wanted: Candidate[] = [];
  const rest: Candidate[] = [];
  for (const [daysAhead, date] of dates.entries()) {
    for (const restaurantId of restaurantIds) {
      const state = stateOf(restaurantId, date);
      const weight = interest.get(restaurantId);
      const cost = state?.cost ?? costOf(restaurantId);
      if (wasJustTried(state, nowMs, weight === undefined ? RETRY_MS.rest : RETRY_MS.wanted)) continue;
      if (weight === undefined) {
        if (isRestDue(question, state, daysAhead, minute))
          rest.push({ restaurantId, date, urgency: 0, cost });
        continue;
      }
      const urgency = wantedUrgency(question, state, daysAhead, weight, minute);
      if (urgency !== undefined) wanted.push({ restaurantId, date, urgency, cost });
    }
  }
  return { wanted: wanted.sort((a, b) => b.urgency - a.urgency), rest };
}

function costOf(reads: readonly Candidate[]): number {
  return reads.reduce((sum, { cost }) => sum + cost, 0);
}

/** As many from the start as the requests allow. */
function take(reads: readonly Candidate[], maxRequests: number): readonly Candidate[] {
  let left = maxRequests;
  const end = reads.findIndex(({ cost }) => {
    left -= cost;
    return left < 0;
  });
  return end < 0 ? reads : reads.slice(0, end);
}

/** How many times too old it is, times how much it is wanted; undefined while it is fresh. */
function wantedUrgency(
  { nowMs, freshness }: PlanQuestion,
  state: DayState | undefined,
  daysAhead: number,
  weight: number,
  minute: number,
): number | undefined {
  const mealFactor = daysAhead === 0 ? mealFactorAt(minute) : 1;
  const todayMs = freshness.todayMs * (mealFactor === 1 ? BETWEEN_MEALS : 1);
  const targetMs = daysAhead === 0 ? todayMs : freshness.laterDaysMs;
  const age = state?.readAtMs === undefined ? NEVER_READ : (nowMs - state.readAtMs) / targetMs;
  return age < 1 ? undefined : (weight * mealFactor * Math.min(age, NEVER_READ)) / (1 + daysAhead);
}

/** Due at any time if never read; at night if not read since midnight; by day only today, if the night missed it. */
function isRestDue(
  { nowMs, dates, freshness }: PlanQuestion,
  state: DayState | undefined,
  daysAhead: number,
  minute: number,
): boolean {
  if (state?.readAtMs === undefined) return true;
  const fresh = nowMs - state.readAtMs < (daysAhead === 0 ? freshness.todayMs : freshness.laterDaysMs);
  if (minute < NIGHT.fromMinute || state.readAtMs >= dayStartMs(dates[0] ?? '') || fresh) return false;
  return minute < NIGHT.toMinute || daysAhead === 0;
}

function wasJustTried(state: DayState | undefined, nowMs: number, retryMs: number): boolean {
  return state !== undefined && state.readAtMs === undefined && nowMs - state.triedAtMs < retryMs;
}

/** How much more today is wanted at this minute of the day: 4 before a meal, 2 while it lasts, else 1. */
function mealFactorAt(minute: number): number {
  for (const begin of MEALS_BEGIN) {
    if (minute >= begin - BEFORE_MEAL_MINUTES && minute < begin) return 4;
    if (minute >= begin && minute < begin + MEAL_MINUTES) return 2;
  }
  return 1;
}
