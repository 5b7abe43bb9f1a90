import { addDays, parseDate, seoulToday } from 'menu-client';

/** The forms of a date argument. */
export const MEAL_DATE = /^(?:today|tomorrow|\d{8}|\d{4}-\d{2}-\d{2})$/;

/**
 * `YYYY-MM-DD` from `today`, `tomorrow` (both in Asia/Seoul), `YYYYMMDD` or `YYYY-MM-DD`.
 * @throws MenuError `invalid_date`
 */
export function resolveMealDate(text: string, nowMs: number): string {
  if (text === 'today') return seoulToday(nowMs);
  if (text === 'tomorrow') return addDays(seoulToday(nowMs), 1);
  return parseDate(text);
}
