/** Sorts after every digit. */
const END = '~';

const DATE = String.raw`(\d{4})-(\d\d)-(\d\d)`;
const TIME = String.raw`(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[zZ]|([+-])(\d\d)(?::?(\d\d))?)`;

// date-time = full-date "T" full-time (RFC 3339 section 5.6); as ajv-formats does, it takes a space for the T, and offsets without a colon
// or without minutes.
const DATE_TIME_PATTERN = new RegExp(`^${DATE}[tT\\s]${TIME}$`);
const TIME_PATTERN = new RegExp(`^${TIME}$`);

const DAY_SECONDS = 86_400;
/** Whether a text is a `date-time` of RFC 3339, of any number of digits, such as `2026-11-28T11:00:00.5+09:00`. */
export function isDateTime(text: string): boolean {
  return instantOf(text) !== undefined;
}

/**
 * A text for a date-time: texts compare by code point exactly as their instants do, whatever their digits and offsets, and the same instant
 * has one text. Text that is not a date-time sorts after all of them.
 *
 *   key = seconds, 12 digits, from a day before the year 0, since an offset may lead there; "~" in a leap second; fraction without zeros at its end
 */
export function dateTimeKey(text: string): string {
  return instantOf(text) ?? END + text;
}

/** Whether a text is a `time` of RFC 3339, such as `11:00:00.5+09:00`. */
export function isTime(text: string): boolean {
  return timeOfDay(text) !== undefined;
}

/** The same for times, as on one day: `00:30:00+09:00` is before `00:00:00Z`. */
export function timeKey(text: string): string {
  return timeOfDay(text) ?? END + text;
}

function instantOf(text: string): string | undefined {
  const match = DATE_TIME_PATTERN.exec(text);
  if (match === null) return undefined;
  const [, year = '', month = '', day = '', ...time] = match;
  const days = daysSinceStart(Number(year), Number(month), Number(day));
  return days === undefined ? undefined : keyOf((days + 1) * DAY_SECONDS, time, 12);
}

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Days since the first of January of the year 0; undefined for a day that does not exist. */
function daysSinceStart(year: number, month: number, day: number): number | undefined {
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const lengths = isLeapYear ? MONTH_DAYS.with(1, 29) : MONTH_DAYS;
  if (day < 1 || day > (lengths[month - 1] ?? 0)) return undefined;
  const before = year === 0 ? 0 : year - 1;
  const leapYears =
    year === 0 ? 0 : 1 + Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400);
  const ofYear = lengths.slice(0, month - 1).reduce((sum, length) => sum + length, 0);
  return year * 365 + leapYears + ofYear + day - 1;
}

function timeOfDay(text: string): string | undefined {
  const match = TIME_PATTERN.exec(text);
  return match === null ? undefined : keyOf(DAY_SECONDS, match.slice(1), 6);
}

/** @param time what the groups of `TIME` have found */
function keyOf(
  midnightSeconds: number,
  [hour, minute, second, fraction = '', sign, offsetHours = '0', offsetMinutes = '0']: readonly (
    | string
    | undefined
  )[],
  digits: number,
): string | undefined {
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  const offset = Number(offsetHours) * 3_600 + Number(offsetMinutes) * 60;
  const isLeap = seconds === 60;
  if (hours > 23 || minutes > 59 || seconds > 60) return undefined;
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return undefined;
  const local = midnightSeconds + hours * 3_600 + minutes * 60 + (isLeap ? 59 : seconds);
  const instant = sign === '-' ? local + offset : local - offset;
  // A leap second is the last of a day in UTC.
  if (isLeap && (instant + 1) % DAY_SECONDS !== 0) return undefined;
  return String(instant).padStart(digits, '0') + (isLeap ? END : '') + withoutZerosAtEnd(fraction);
}

/** By a loop: a regular expression would take quadratic time. */
function withoutZerosAtEnd(digits: string): string {
  let length = digits.length;
  while (digits[length - 1] === '0') length -= 1;
  return digits.slice(0, length);
}
