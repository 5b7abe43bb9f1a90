import { addDays, isCalendarDate, weekday } from './calendar-date.ts';
import { COUNTED_DAYS } from './counted-days.ts';
import type { DayForm } from './day-form.ts';
import { ENGLISH_DAY, englishDay, KOREAN_DAY, koreanDay, MONTH, MONTHS, MONTHS_AWAY } from './day-names.ts';
import { ofMonth, ofMonthAhead, ofSlashes, ofSomeMonth, written } from './near-date.ts';
import { WEEKDAYS_OF_MONTHS } from './weekdays-of-months.ts';

const RELATIVE: readonly (readonly [RegExp, number])[] = [
  [/^(?:(?:내일|낼) ?모[레래]|모 ?[레래]|(?:the )?day after tomorrow)/, 2],
  [/^(?:엊?그저께|엊?그제|(?:the )?day before yesterday)/, -2],
  [/^(?:오 ?늘|금일|당일|지금|현재|이따가?|today|this (?=morning|evening)|now)/, 0],
  [/^(?:내 ?일|낼|명일|익일|tom+or+ow|tmrw?|tmw|2moro)/, 1],
  [/^글피/, 3],
  [/^그글피/, 4],
  [/^(?:어 ?제|어저께|작일|yesterday)/, -1],
];

/** Weeks begin on Monday: `다음주 월요일` is in the week after this one, however near. */
const WEEKS: readonly (readonly [string, number])[] = [
  ['(?:다다음|다담) ?주', 2],
  ['(?:다음|담) ?주|다음|차주|next(?: week)?', 1],
  ['(?:이번|요번|금) ?주|이번|this(?: week)?', 0],
  ['(?:지난|저번) ?주|지난|저번|last(?: week)?', -1],
];
/** After the weekday. */
const WEEKS_AFTER: readonly (readonly [string, number])[] = [
  ['after next', 2],
  ['next week', 1],
  ['this week', 0],
  ['last week', -1],
];

const YEARS_AWAY: readonly (readonly [string, number])[] = [
  ['내년', 1],
  ['올해|금년', 0],
  ['작년|지난 ?해', -1],
];

const inWeek =
  (weeks: number, dayOf: (name: string) => number): DayForm['date'] =>
  (today, [name = '']) => {
    const monday = addDays(today, -((weekday(today) + 6) % 7));
    return addDays(monday, 7 * weeks + ((dayOf(name) + 6) % 7));
  };

const next =
  (dayOf: (name: string) => number): DayForm['date'] =>
  (today, [name = '']) =>
    addDays(today, (dayOf(name) - weekday(today) + 7) % 7);

const whole: DayForm['date'] = (_today, [year, month, day]) => {
  const date = written(Number(year), Number(month), Number(day));
  return isCalendarDate(date) ? date : undefined;
};
const dayOfYear =
  (years: number): DayForm['date'] =>
  (today, [month, day]) =>
    whole(today, [String(Number(today.slice(0, 4)) + years), month, day]);
const weekendOf =
  (weeks: number): DayForm['date'] =>
  (today) =>
    weeks === 0 && weekday(today) === 0 ? today : inWeek(weeks, koreanDay)(today, ['토']);
const monthAndDay: DayForm['date'] = (today, [month, day]) => ofMonth(today, Number(month), Number(day));
const monthNamed: DayForm['date'] = (today, [name = '', day, year]) => {
  const month = MONTHS.indexOf(name) + 1;
  return year === undefined ? ofMonth(today, month, Number(day)) : whole(today, [year, String(month), day]);
};

const FORMS: readonly DayForm[] = [
  { form: /^(\d{4})(\d{2})(\d{2})(?!\d)/, date: whole },
  { form: /^(\d{4})(?: ?[-./년] ?| )(\d{1,2})(?: ?[-./월] ?| )(\d{1,2})(?!\d)\.?(?: ?일)?/, date: whole },
  {
    form: /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{1,2})(?!\d)/,
    date: (today, parts) =>
      ofSlashes(
        today,
        parts.map((part = '') => part),
      ),
  },
  {
    form: /^(\d{2})(?<sign>[-.])(\d{1,2})\k<sign>(\d{1,2})(?!\d)/,
    date: (today, [year, , month, day]) => whole(today, [`20${year}`, month, day]),
  },
  {
    form: /^(\d{2}) ?년 ?(\d{1,2}) ?월 ?(\d{1,2})(?!\d)(?: ?일)?/,
    date: (today, [year, month, day]) => whole(today, [`20${year}`, month, day]),
  },
  ...YEARS_AWAY.map(
    ([year, years]): DayForm => ({
      form: new RegExp(String.raw`^(?:${year}) ?(\d{1,2}) ?월 ?(\d{1,2})(?!\d)(?: ?일)?`),
      date: dayOfYear(years),
    }),
  ),
  { form: /^(\d{1,2}) ?월 ?(\d{1,2})(?!\d)(?: ?일)?/, date: monthAndDay },
  { form: /^(\d{1,2})\/(\d{1,2})(?![\d/])/, date: monthAndDay },
  { form: /^(\d{1,2})-(\d{2})(?!\d|[.-]\d)/, date: monthAndDay },
  { form: /^(1[0-2])-(\d)(?!\d|[.-]\d)/, date: monthAndDay },
  { form: /^(\d{1,2})\. ?(\d{1,2})(?!\d|[.-]\d)\.?/, date: monthAndDay },
  {
    form: new RegExp(String.raw`^${MONTH} ?(\d{1,2})(?!\d)(?:st|nd|rd|th)?(?: (\d{4})(?!\d))?`),
    date: monthNamed,
  },
  {
    form: new RegExp(String.raw`^(\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH}(?: (\d{4})(?!\d))?`),
    date: (today, [day, month, year]) => monthNamed(today, [month, day, year]),
  },
  ...WEEKDAYS_OF_MONTHS,
  ...COUNTED_DAYS,
  ...MONTHS_AWAY.map(
    ([month, ahead]): DayForm => ({
      form: new RegExp(String.raw`^(?:${month}) ?(\d{1,2}) ?일`),
      date: (today, [day]) => ofMonthAhead(today, ahead, Number(day)),
    }),
  ),
  { form: /^(\d{1,2}) ?일(?! ?[간차])/, date: (today, [day]) => ofSomeMonth(today, Number(day)) },
  ...RELATIVE.map(([form, days]): DayForm => ({ form, date: (today) => addDays(today, days) })),
  ...WEEKS.flatMap(([week, weeks]): DayForm[] => [
    { form: new RegExp(`^(?:${week}) ?${KOREAN_DAY}`), date: inWeek(weeks, koreanDay) },
    { form: new RegExp(`^(?:${week}) ?${ENGLISH_DAY}`), date: inWeek(weeks, englishDay) },
    { form: new RegExp(`^(?:${week}) ?(?:주?말|weekend)`), date: weekendOf(weeks), vague: true },
  ]),
  ...WEEKS_AFTER.map(
    ([week, weeks]): DayForm => ({
      form: new RegExp(`^${ENGLISH_DAY} (?:of )?${week}`),
      date: inWeek(weeks, englishDay),
    }),
  ),
  { form: /^(?:(?:다음|담) ?주|next week)/, date: (today) => inWeek(1, koreanDay)(today, ['월']) },
  { form: /^(?:주말|weekend)/, date: weekendOf(0), vague: true },
  { form: new RegExp(`^(?:(?:돌아)?오는 ?)?${KOREAN_DAY}`), date: next(koreanDay), vague: true },
  { form: new RegExp(`^(?:(?:this )?coming )?${ENGLISH_DAY}`), date: next(englishDay), vague: true },
];

/** Most words name no day, and one look tells. */
const NAMES_DAY = new RegExp(FORMS.map(({ form }) => form.source).join('|'));

/** A day at the start of a text. */
export interface NamedDay {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** How many characters name it. */
  readonly length: number;
  /** True for a weekday alone: a date beside it says which one. */
  readonly vague?: true;
}

/**
 * The days that may be named at the start of a folded text, the likeliest first: which one is meant depends on what
 * follows (`월` in `월요일` and in `월남쌈`). A day or month without its year is the nearest one to today; a weekday is
 * the next one, today included.
 *
 * @param today `YYYY-MM-DD`, Asia/Seoul
 */
export function* namedDays(folded: string, today: string): Generator<NamedDay> {
  if (!NAMES_DAY.test(folded)) return;
  for (const { form, date, vague } of FORMS) {
    const found = form.exec(folded);
    if (found === null) continue;
    const [{ length }, ...parts] = found;
    const named = date(today, parts);
    if (named !== undefined) yield { date: named, length, ...(vague === undefined ? {} : { vague }) };
  }
}
