import {
  addDays,
  daysBetween,
  formatCompactDate,
  type KnownMealCode,
  MEAL_CODES,
  parseCompactDate,
} from 'menu-client';

/** The day and the meal that a visitor looks at. */
export interface ChosenMeal {
  /** `YYYY-MM-DD`, today or one of the 6 days after it. */
  readonly date: string;
  /** Undefined: of each restaurant its meal of the moment. */
  readonly meal: KnownMealCode | undefined;
}

/** Today and the days after it. */
const DAYS = 7;

/** The days that can be chosen, `YYYY-MM-DD`. */
export function choosableDates(today: string): readonly string[] {
  return Array.from({ length: DAYS }, (_, day) => addDays(today, day));
}

/** From a query. It comes from outside: what cannot be read is the present. @param date `YYYYMMDD` */
export function parseChosen(date: string | undefined, meal: string | undefined, today: string): ChosenMeal {
  const asked = date === undefined ? undefined : parseCompactDate(date);
  const ahead = asked === undefined ? 0 : daysBetween(today, asked);
  return {
    date: asked !== undefined && ahead >= 0 && ahead < DAYS ? asked : today,
    meal: MEAL_CODES.find((code) => code === meal),
  };
}

/** The choice as parameters of an address; none for the present. */
export function chosenParameters({ date, meal }: ChosenMeal, today: string): Record<string, string> {
  return {
    ...(date === today ? {} : { date: formatCompactDate(date) }),
    ...(meal === undefined ? {} : { meal }),
  };
}

/** The choice as the value of a cookie, with the day that it was made on; empty for the present. */
export function encodeChosen({ date, meal }: ChosenMeal, today: string): string {
  if (date === today && meal === undefined) return '';
  return [formatCompactDate(today), formatCompactDate(date), meal ?? ''].join('.');
}

/** What was chosen today; a choice of another day is over. */
export function decodeChosen(cookie: string | undefined, today: string): ChosenMeal {
  const [madeOn, date, meal] = (cookie ?? '').split('.');
  return madeOn === formatCompactDate(today)
    ? parseChosen(date, meal, today)
    : { date: today, meal: undefined };
}
