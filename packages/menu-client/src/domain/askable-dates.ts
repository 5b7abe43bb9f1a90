import { DAY_MS, seoulToday } from './calendar-date.ts';

/** How far back operators keep menus, and how far ahead they publish them, in days. */
const DAYS_BACK = 60;
const DAYS_AHEAD = 30;

/** The first and the last date, `YYYY-MM-DD`, that operators may have menus of. */
export interface AskableDates {
  /** The first one, `YYYY-MM-DD`. */
  readonly from: string;
  /** The last one, `YYYY-MM-DD`. */
  readonly to: string;
}

/** 60 days back and 30 ahead, in Asia/Seoul: operators are not asked for other dates. */
export function askableDates(nowMs: number): AskableDates {
  return { from: seoulToday(nowMs - DAYS_BACK * DAY_MS), to: seoulToday(nowMs + DAYS_AHEAD * DAY_MS) };
}
