import { isCalendarDate } from 'menu-client';

// Korea keeps UTC+9 all year and has no daylight saving time.
const SEOUL_OFFSET_MS = 9 * 3_600_000;
const DAY_MS = 86_400_000;

/** Minutes since midnight in Seoul, 0 to 1,439. */
export function seoulMinutes(nowMs: number): number {
  return Math.floor(((nowMs + SEOUL_OFFSET_MS) % DAY_MS) / 60_000);
}

/** `HH:MM` in Seoul of an RFC 3339 time. */
export function seoulClock(time: string): string {
  return new Date(Date.parse(time) + SEOUL_OFFSET_MS).toISOString().slice(11, 16);
}

/** The date `YYYY-MM-DD` of a path's `YYYYMMDD`; undefined when no calendar has it. */
export function parseCompactDate(text: string): string | undefined {
  if (!/^\d{8}$/.test(text)) return undefined;
  const date = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
  return isCalendarDate(date) ? date : undefined;
}
