import {
  type AskedDay,
  addDays,
  dayStartMs,
  daysBetween,
  formatCompactDate,
  isMenuError,
  type KnownMealCode,
  MEAL_CODES,
  parseAsked,
  resolveDay,
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

/** The day and the meal of a text that names a day and nothing else. */
function namedDay(text: string, today: string): Partial<AskedDay> {
  try {
    return resolveDay(text, dayStartMs(today));
  } catch (error) {
    if (isMenuError(error)) return {};
    throw error;
  }
}

/**
 * From a query, where a day and a meal may be said in words. It comes from outside: what cannot be read is the present.
 */
export function parseChosen(date: string | undefined, meal: string | undefined, today: string): ChosenMeal {
  const asked = date === undefined ? {} : namedDay(date, today);
  const ahead = asked.date === undefined ? 0 : daysBetween(today, asked.date);
  return {
    date: asked.date !== undefined && ahead >= 0 && ahead < DAYS ? asked.date : today,
    meal:
      meal === undefined
        ? asked.meal
        : (MEAL_CODES.find((code) => code === meal) ?? parseAsked(meal, today).meal),
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
