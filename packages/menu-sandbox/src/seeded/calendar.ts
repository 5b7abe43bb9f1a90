const DATE = /^(\d{4})-?(\d{2})-?(\d{2})$/;
const DAY_MS = 86_400_000;

/** Public holidays of South Korea that fall on the same date each year, `MM-DD`. */
const HOLIDAYS: ReadonlySet<string> = new Set([
  '01-01',
  '03-01',
  '05-05',
  '06-06',
  '08-15',
  '10-03',
  '10-09',
  '12-25',
]);

/** `YYYYMMDD` or `YYYY-MM-DD` as `YYYY-MM-DD`; undefined when there is no such date. */
export function parseDate(text: string): string | undefined {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined) return undefined;
  const date = `${year}-${month}-${day}`;
  const time = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date) return undefined;
  return date;
}

/** Days since 1970-01-01. */
export function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS;
}

/** Saturdays, Sundays and fixed public holidays. */
export function isDayOff(date: string): boolean {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return weekday === 0 || weekday === 6 || HOLIDAYS.has(date.slice(5));
}

/** Hour of the day in Seoul, 0 to 23 (no daylight saving time). */
export function seoulHour(nowMs: number): number {
  return new Date(nowMs + 9 * 3_600_000).getUTCHours();
}

/** `YYYYMMDD` in Seoul. */
export function seoulDate(nowMs: number): string {
  return new Date(nowMs + 9 * 3_600_000).toISOString().slice(0, 10).replaceAll('-', '');
}
