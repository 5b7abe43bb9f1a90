import { addDays, daysBetween } from 'menu-client';

/** The days of the month that a date is in. */
export interface Month {
  /** `YYYY-MM-01`. */
  readonly first: string;
  /** 28 to 31. */
  readonly days: number;
}

export function monthOf(date: string): Month {
  const first = `${date.slice(0, 7)}-01`;
  const next = `${addDays(first, 31).slice(0, 7)}-01`;
  return { first, days: daysBetween(first, next) };
}
