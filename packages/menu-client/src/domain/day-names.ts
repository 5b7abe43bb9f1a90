const SUNDAY_FIRST = '일월화수목금토';
const ENGLISH_DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
/** From January. */
export const MONTHS: readonly string[] = [
  'jan',
  'feb',
  'mar',
  'apr',
  'may',
  'jun',
  'jul',
  'aug',
  'sep',
  'oct',
  'nov',
  'dec',
];

const MEAL = '아침|점심|저녁|조식|중식|석식';
/** One letter is a day only if no other syllable follows: `화로` and `수도` are words, `수 있나요` asks. */
export const KOREAN_DAY = `(?!수 ?[있없])([${SUNDAY_FIRST}])(?: ?요일|욜|(?![가-힣])|(?=${MEAL}))`;
/** Its first part is the first three letters. */
export const ENGLISH_DAY = '(sun|mon|tue|wed|thu|fri|sat)(?:nesday|rsday|urday|sday|day|rs|r|s)?';
/** Its first part is in `MONTHS`. */
export const MONTH = String.raw`(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:uary|ruary|ch|il|ust|t?ember|ober|e|y|t)?\.?`;

/** How a month is named from this one, and how many after it that is. */
export const MONTHS_AWAY: readonly (readonly [string, number])[] = [
  ['(?:다음|담) ?달|내달', 1],
  ['이번 ?달|이달', 0],
  ['(?:지난|저번) ?달', -1],
];

/** Sunday is 0. */
export const koreanDay = (name: string): number => SUNDAY_FIRST.indexOf(name);
/** Sunday is 0. */
export const englishDay = (name: string): number => ENGLISH_DAYS.indexOf(name);
