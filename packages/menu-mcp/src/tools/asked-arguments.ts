import {
  isMenuError,
  MAX_RESTAURANT_ID_LENGTH,
  MEAL_CODES,
  MenuError,
  parseAsked,
  resolveDay,
  VENDORS,
} from 'menu-client';
import { z } from 'zod';
import { MEALS, type MealName, mealName } from '../output/menu-selection.ts';

const DATE =
  'Send date as today, tomorrow, a day of the week such as friday or next monday, 11/28, YYYYMMDD or YYYY-MM-DD.';
const MEAL = `Send meal as ${MEALS.join(', ')}, or leave it out.`;
const VENDOR = `Send vendor as ${VENDORS.join(' or ')}, from a result of search_restaurants.`;
const ID = 'Send restaurantId: the id of a result of search_restaurants, as it is.';
const MAX_TEXT_LENGTH = 40;

export const dateArgument = z.string(DATE).max(MAX_TEXT_LENGTH, DATE);

/** A meal by its name; a word for it, such as 점심, is understood too. */
export const mealArgument = z
  .string(MEAL)
  .max(MAX_TEXT_LENGTH, MEAL)
  .transform((text, context): MealName => {
    const meal = MEALS.find((name) => name === text) ?? mealName(parseAsked(text, '2000-01-01').meal ?? '');
    if (meal !== undefined) return meal;
    context.addIssue({ code: 'custom', message: MEAL });
    return z.NEVER;
  })
  .meta({ enum: [...MEALS] });

export const vendorArgument = z
  .enum(VENDORS, VENDOR)
  .describe('Operator of the restaurant, from search_restaurants');

export const restaurantIdArgument = z
  .string(ID)
  .min(1, ID)
  .max(MAX_RESTAURANT_ID_LENGTH, ID)
  .describe('Id of the restaurant, from search_restaurants');

/** 1 to 20, 10 when left out. */
export function limitArgument(things: string) {
  const limit = 'Send limit as an integer from 1 to 20, or leave it out.';
  return z
    .int(limit)
    .min(1, limit)
    .max(20, limit)
    .default(10)
    .describe(`How many ${things} at most, 10 when left out`);
}

/** The day that a text names, and the meal if it names one too: `내일점심`. @throws MenuError `invalid_date` */
export function askedDay(text: string, nowMs: number): { readonly date: string; readonly meal?: MealName } {
  try {
    const day = resolveDay(text, nowMs);
    const meal = mealName(day.meal ?? '');
    return { date: day.date, ...(meal === undefined ? {} : { meal }) };
  } catch (error) {
    if (!isMenuError(error)) throw error;
    throw new MenuError(error.code, `No calendar has this date. ${DATE}`);
  }
}

/** The operators' code of a meal. */
export function mealCode(meal: MealName): (typeof MEAL_CODES)[number] {
  return MEAL_CODES[MEALS.indexOf(meal)] as (typeof MEAL_CODES)[number];
}
