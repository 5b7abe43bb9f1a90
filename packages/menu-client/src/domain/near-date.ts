import { addDays, daysBetween, isCalendarDate, weekday } from './calendar-date.ts';

/** `YYYY-MM-DD` of numbers that may name no day. */
export const written = (year: number, month: number, day: number): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

/** Of the dates that people may mean, the one nearest to today; the later one of two. */
function nearest(today: string, candidates: readonly string[]): string | undefined {
  const distance = (date: string): number => Math.abs(daysBetween(today, date));
  return candidates
    .filter(isCalendarDate)
    .toSorted((a, b) => distance(a) - distance(b) || daysBetween(a, b))
    .at(0);
}

/**
 * The day of three numbers between slashes, none of which is a year of four digits first: `12/01/2026`, `12/1/26`,
 * `26/12/1`. The month is before the day where there is such a month.
 */
export function ofSlashes(
  today: string,
  [first = '', second = '', third = '']: readonly string[],
): string | undefined {
  const [one, two] = [Number(first), Number(second)];
  const year = third.length === 2 ? 2000 + Number(third) : Number(third);
  const monthFirst = third.length === 1 ? [] : [written(year, one, two)];
  const dayFirst = third.length === 4 ? [written(year, two, one)] : [];
  const yearFirst = first.length === 2 && third.length < 4 ? [written(2000 + one, two, Number(third))] : [];
  return nearest(today, [...monthFirst, ...yearFirst]) ?? nearest(today, dayFirst);
}

/** The day of a month without its year. */
export function ofMonth(today: string, month: number, day: number): string | undefined {
  const year = Number(today.slice(0, 4));
  return nearest(
    today,
    [-1, 0, 1].map((years) => written(year + years, month, day)),
  );
}

/** The `nth` such weekday of the month that a date is in; undefined where it has fewer. Sunday is 0. */
function nthWeekday(date: string, nth: number, day: number): string | undefined {
  const first = `${date.slice(0, 7)}-01`;
  const found = addDays(first, ((day - weekday(first) + 7) % 7) + 7 * (nth - 1));
  return found.slice(0, 7) === date.slice(0, 7) ? found : undefined;
}

/** The `nth` such weekday of a month, from 1, in the nearest year. */
export function ofWeekday(today: string, month: number, nth: number, day: number): string | undefined {
  const first = ofMonth(today, month, 1);
  return first && nthWeekday(first, nth, day);
}

/** The same of the month so many months after this one. */
export function ofWeekdayAhead(today: string, ahead: number, nth: number, day: number): string | undefined {
  const first = ofMonthAhead(today, ahead, 1);
  return first && nthWeekday(first, nth, day);
}

/** A day of the month so many months after this one. */
export function ofMonthAhead(today: string, ahead: number, day: number): string | undefined {
  const months = 12 * Number(today.slice(0, 4)) + Number(today.slice(5, 7)) - 1 + ahead;
  const date = written(Math.floor(months / 12), (months % 12) + 1, day);
  return isCalendarDate(date) ? date : undefined;
}

/** The day of a month that is not named. */
export function ofSomeMonth(today: string, day: number): string | undefined {
  const candidates = [-1, 0, 1].flatMap((ahead) => ofMonthAhead(today, ahead, day) ?? []);
  return nearest(today, candidates);
}
