import { addDays, weekday } from 'menu-client';

/** The Monday of the week that the date is in, both `YYYY-MM-DD`: weeks are shown from there. */
export function mondayOf(date: string): string {
  return addDays(date, -((weekday(date) + 6) % 7));
}
