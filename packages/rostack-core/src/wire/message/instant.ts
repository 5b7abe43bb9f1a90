// The last millisecond of RFC 3339, whose years have four digits.
const MAX_INSTANT_MS = 253_402_300_799_999;

/** Whether RFC 3339 and the compact event can both express this instant: milliseconds from 1970 to the end of 9999. */
export function isInstant(ms: number): boolean {
  return Number.isInteger(ms) && ms >= 0 && ms <= MAX_INSTANT_MS;
}

/** An instant as RFC 3339 in UTC with milliseconds. */
export function formatInstant(ms: number): string {
  // oxlint-disable-next-line no-restricted-globals -- formats a given instant, reads no clock
  return new Date(ms).toISOString();
}

/** The instant of a valid RFC 3339 date and time, truncated to whole milliseconds. */
export function parseInstant(dateTime: string): number {
  // oxlint-disable-next-line no-restricted-globals -- reads a given instant, no clock
  return Date.parse(dateTime.toUpperCase());
}
