import { isCalendarDate } from '../domain/calendar-date.ts';
import { MenuError } from '../domain/menu-error.ts';

/** @throws MenuError `invalid_date` */
export function checkDate(date: string): void {
  if (isCalendarDate(date)) return;
  throw new MenuError('invalid_date', `${JSON.stringify(date.slice(0, 40))} is not a date: send YYYY-MM-DD.`);
}

/** @throws MenuError `invalid_argument` */
export function checkInteger(name: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new MenuError('invalid_argument', `${name} must be an integer from ${min} to ${max}.`);
}
