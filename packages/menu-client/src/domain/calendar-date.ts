import { MenuError } from './menu-error.ts';

/** Asia/Seoul has been UTC+9 all year round since 1988. */
const SEOUL_OFFSET_MS = 9 * 3_600_000;
export const DAY_MS = 86_400_000;

/** Today in Asia/Seoul, `YYYY-MM-DD`. */
export function seoulToday(nowMs: number): string {
  return toDate(nowMs + SEOUL_OFFSET_MS);
}

/**
 * `YYYY-MM-DD` from `YYYYMMDD` or `YYYY-MM-DD`, for years 1 to 9999.
 * @throws MenuError `invalid_date` for anything else, including a day that does not exist
 */
export function parseDate(text: string): string {
  const date = isCalendarDate(text) ? text : parseCompactDate(text);
  if (date !== undefined) return date;
  throw new MenuError('invalid_date', `${JSON.stringify(text.slice(0, 40))} is not a date: send YYYYMMDD.`);
}

/** `YYYY-MM-DD` from `YYYYMMDD` only; undefined for anything else. */
export function parseCompactDate(text: string): string | undefined {
  const date = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
  return text.length === 8 && isCalendarDate(date) ? date : undefined;
}

/** True for a real calendar day written `YYYY-MM-DD`, years 1 to 9999. */
export function isCalendarDate(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  // `Date` reads a day that its month does not have as one of the next month.
  return new Date(`${text}T00:00:00Z`).getUTCDate() === Number(text.slice(8));
}

/** `YYYYMMDD` of a `YYYY-MM-DD`. */
export function formatCompactDate(date: string): string {
  return date.replaceAll('-', '');
}

/** The date `days` later (earlier when negative). */
export function addDays(date: string, days: number): string {
  return toDate(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS);
}

/** Whole days from `from` to `to`; negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}

/** 0 Sunday to 6 Saturday. */
export function weekday(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

/** When the date begins in Asia/Seoul, milliseconds since the epoch. */
export function dayStartMs(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) - SEOUL_OFFSET_MS;
}

/** When the date ends in Asia/Seoul, milliseconds since the epoch. */
export function dayEndMs(date: string): number {
  return dayStartMs(date) + DAY_MS;
}

function toDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
