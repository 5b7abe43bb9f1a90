import { addDays, daysBetween, isCalendarDate, weekday } from './calendar-date.ts';

/** How people name a day, in either language; each is tried at the start of folded text. */
interface DayForm {
  readonly form: RegExp;
  /** `YYYY-MM-DD`; undefined for a day that does not exist. */
  readonly date: (today: string, parts: readonly (string | undefined)[]) => string | undefined;
  /** True for a weekday alone: a date beside it says which one. */
  readonly vague?: true;
}

const SUNDAY_FIRST = '일월화수목금토';
const ENGLISH_DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const MEAL = '아침|점심|저녁|조식|중식|석식';
/** One letter is a day only if no other syllable follows: `화로` and `수도` are words. */
const KOREAN_DAY = `([${SUNDAY_FIRST}])(?:요일|욜|(?![가-힣])|(?=${MEAL}))`;
const ENGLISH_DAY = '(sun|mon|tue|wed|thu|fri|sat)(?:nesday|rsday|urday|sday|day|rs|r|s)?';
const MONTH = String.raw`(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:uary|ruary|ch|il|ust|t?ember|ober|e|y|t)?\.?`;

const RELATIVE: readonly (readonly [RegExp, number])[] = [
  [/^(?:내일 ?모레|모레|(?:the )?day after tomorrow)/, 2],
  [/^(?:그저께|그제|엊그제|(?:the )?day before yesterday)/, -2],
  [/^(?:오늘|금일|지금|현재|today|tonight|now)/, 0],
  [/^(?:내일|낼|명일|익일|tomorrow|tmrw?)/, 1],
  [/^글피/, 3],
  [/^그글피/, 4],
  [/^(?:어제|작일|yesterday)/, -1],
];

const COUNTED = ['하루', '이틀', '사흘', '나흘'];

/** Weeks begin on Monday: `다음주 월요일` is in the week after this one, however near. */
const WEEKS: readonly (readonly [string, number])[] = [
  ['(?:다다음|다담) ?주', 2],
  ['(?:다음|담) ?주|다음|차주|next(?: week)?', 1],
  ['(?:이번|요번|금) ?주|이번|this(?: week)?', 0],
  ['(?:지난|저번) ?주|지난|last(?: week)?', -1],
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

const koreanDay = (name: string): number => SUNDAY_FIRST.indexOf(name);
const englishDay = (name: string): number => ENGLISH_DAYS.indexOf(name);

const written = (year: number, month: number, day: number): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

/** Of the dates that people may mean, the one nearest to today; the later one of two. */
function nearest(today: string, candidates: readonly string[]): string | undefined {
  const distance = (date: string): number => Math.abs(daysBetween(today, date));
  return candidates
    .filter(isCalendarDate)
    .toSorted((a, b) => distance(a) - distance(b) || daysBetween(a, b))
    .at(0);
}

/** The day of a month without its year. */
function ofMonth(today: string, month: number, day: number): string | undefined {
  const year = Number(today.slice(0, 4));
  return nearest(
    today,
    [-1, 0, 1].map((years) => written(year + years, month, day)),
  );
}

/** A day of the month so many months after this one. */
function ofMonthAhead(today: string, ahead: number, day: number): string | undefined {
  const months = 12 * Number(today.slice(0, 4)) + Number(today.slice(5, 7)) - 1 + ahead;
  const date = written(Math.floor(months / 12), (months % 12) + 1, day);
  return isCalendarDate(date) ? date : undefined;
}

/** The day of a month that is not named. */
function ofSomeMonth(today: string, day: number): string | undefined {
  const candidates = [-1, 0, 1].flatMap((ahead) => ofMonthAhead(today, ahead, day) ?? []);
  return nearest(today, candidates);
}

const whole: DayForm['date'] = (_today, [year, month, day]) => {
  const date = written(Number(year), Number(month), Number(day));
  return isCalendarDate(date) ? date : undefined;
};
const monthAndDay: DayForm['date'] = (today, [month, day]) => ofMonth(today, Number(month), Number(day));
const monthName = (name = ''): number => MONTHS.indexOf(name) + 1;

const FORMS: readonly DayForm[] = [
  { form: /^(\d{4})(\d{2})(\d{2})(?!\d)/, date: whole },
  { form: /^(\d{4}) ?[-./년] ?(\d{1,2}) ?[-./월] ?(\d{1,2})(?!\d)\.?(?: ?일)?/, date: whole },
  {
    form: /^(\d{2})([-./])(\d{1,2})\2(\d{1,2})(?!\d)/,
    date: (today, [year, , month, day]) => whole(today, [`20${year}`, month, day]),
  },
  { form: /^(\d{1,2}) ?월 ?(\d{1,2})(?!\d)(?: ?일)?/, date: monthAndDay },
  { form: /^(\d{1,2})\/(\d{1,2})(?![\d/])/, date: monthAndDay },
  { form: /^(\d{1,2})[-.](\d{2})(?!\d|[.-]\d)\.?/, date: monthAndDay },
  {
    form: new RegExp(String.raw`^${MONTH} ?(\d{1,2})(?!\d)(?:st|nd|rd|th)?`),
    date: (today, [month, day]) => ofMonth(today, monthName(month), Number(day)),
  },
  {
    form: new RegExp(String.raw`^(\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH}`),
    date: (today, [day, month]) => ofMonth(today, monthName(month), Number(day)),
  },
  { form: /^(\d{1,2}) ?일 ?(?:뒤|후)/, date: (today, [days]) => addDays(today, Number(days)) },
  { form: /^(\d{1,2}) ?일 ?전/, date: (today, [days]) => addDays(today, -Number(days)) },
  { form: /^(\d) ?주(?:일)? ?(?:뒤|후)/, date: (today, [weeks]) => addDays(today, 7 * Number(weeks)) },
  {
    form: new RegExp(`^(${COUNTED.join('|')}) ?(?:뒤|후)`),
    date: (today, [days = '']) => addDays(today, COUNTED.indexOf(days) + 1),
  },
  { form: /^다음 ?달 ?(\d{1,2}) ?일/, date: (today, [day]) => ofMonthAhead(today, 1, Number(day)) },
  { form: /^이번 ?달 ?(\d{1,2}) ?일/, date: (today, [day]) => ofMonthAhead(today, 0, Number(day)) },
  { form: /^in (\d{1,2}) days?/, date: (today, [days]) => addDays(today, Number(days)) },
  { form: /^(\d{1,2}) ?일(?! ?[간차])/, date: (today, [day]) => ofSomeMonth(today, Number(day)) },
  ...RELATIVE.map(([form, days]): DayForm => ({ form, date: (today) => addDays(today, days) })),
  ...WEEKS.flatMap(([week, weeks]): DayForm[] => [
    { form: new RegExp(`^(?:${week}) ?${KOREAN_DAY}`), date: inWeek(weeks, koreanDay) },
    { form: new RegExp(`^(?:${week}) ?${ENGLISH_DAY}`), date: inWeek(weeks, englishDay) },
  ]),
  { form: /^(?:(?:다음|담) ?주|next week)/, date: (today) => inWeek(1, koreanDay)(today, ['월']) },
  // On a Sunday the weekend is this one.
  {
    form: /^(?:주말|(?:this )?weekend)/,
    date: (today) => (weekday(today) === 0 ? today : next(koreanDay)(today, ['토'])),
    vague: true,
  },
  { form: new RegExp(`^${KOREAN_DAY}`), date: next(koreanDay), vague: true },
  { form: new RegExp(`^${ENGLISH_DAY}`), date: next(englishDay), vague: true },
];

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
  for (const { form, date, vague } of FORMS) {
    const found = form.exec(folded);
    if (found === null) continue;
    const [{ length }, ...parts] = found;
    const named = date(today, parts);
    if (named !== undefined) yield { date: named, length, ...(vague === undefined ? {} : { vague }) };
  }
}
