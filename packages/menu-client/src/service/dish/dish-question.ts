import type { MealCode } from '../../domain/daily-menu.ts';
import { MenuError } from '../../domain/menu-error.ts';
import type { Restaurant } from '../../domain/restaurant.ts';
import { type DishQuery, parseDishQuery } from '../../search/dish-query.ts';
import type { RestaurantIndex } from '../../search/restaurant-index.ts';
import type { DishList, DishSearchOptions } from '../contract/dish-list.ts';
import { type DishSearch, dishDates, type FoundDishes } from './dish-search.ts';

/** A question about dishes, as it is searched for. */
export interface DishQuestion extends Omit<DishQuery, 'meal'> {
  readonly meal?: MealCode;
  /** The days that are searched, `YYYY-MM-DD`. */
  readonly dates: readonly string[];
}

/** @throws MenuError `invalid_date` for a day whose menus are not searched */
export function readDishQuestion(query: string, options: DishSearchOptions, nowMs: number): DishQuestion {
  const asked = parseDishQuery(query, nowMs);
  const date = options.date ?? asked.date;
  const meal = options.meal ?? asked.meal;
  const known = dishDates(nowMs);
  if (date !== undefined && !known.includes(date)) {
    throw new MenuError(
      'invalid_date',
      `Dishes are known from ${known[0]} to ${known.at(-1)}: send one of these days, or none for all.`,
    );
  }
  return {
    words: asked.words,
    dates: date === undefined ? known : [date],
    ...(date === undefined ? {} : { date }),
    ...(meal === undefined ? {} : { meal }),
  };
}

/**
 * Where and when the dish is served. Where nothing has all of the words, those that no menu has and restaurants match are
 * the place (`강남 돈까스`).
 */
export async function answerDishQuestion(
  question: DishQuestion,
  { place, restaurants: among, limit = 50 }: DishSearchOptions,
  index: RestaurantIndex,
  dishes: DishSearch,
): Promise<Omit<DishList, 'incomplete'>> {
  const { words, dates, date, meal } = question;
  const keys = among && new Set(among.map(({ vendor, id }) => `${vendor} ${id}`));
  const at = (text: string): readonly Restaurant[] => index.search(text, index.restaurants.length, 'alone');
  const find = (
    each: DishQuery['words'],
    found: readonly Restaurant[],
    most = limit,
  ): Promise<FoundDishes> => {
    const restaurants = found.filter(({ vendor, id }) => keys?.has(`${vendor} ${id}`) ?? true);
    return dishes.search(each, { restaurants, dates, meal, limit: most });
  };
  let places = place === undefined ? undefined : at(place);
  let placeWords: string | undefined;
  let found = await find(words, places ?? index.restaurants);
  if (found.total === 0 && places === undefined && words.length > 1) {
    const isServed = async (word: readonly string[]): Promise<boolean> =>
      (await find([word], index.restaurants, 0)).total > 0;
    const split = await splitPlace(words, at, isServed);
    if (split !== undefined) {
      found = await find(split.dish, split.place);
      places = split.place;
      placeWords = split.words;
    }
  }
  return {
    ...found,
    ...(date === undefined ? {} : { date }),
    ...(meal === undefined ? {} : { meal }),
    ...(places === undefined ? {} : { places: places.length }),
    ...(placeWords === undefined ? {} : { placeWords }),
  };
}

interface SplitPlace {
  readonly dish: DishQuery['words'];
  readonly place: readonly Restaurant[];
  /** As typed, apart from their form. */
  readonly words: string;
}

/** The words that name a place, and the others; undefined if none does. */
async function splitPlace(
  words: DishQuery['words'],
  at: (text: string) => readonly Restaurant[],
  isServed: (word: readonly string[]) => Promise<boolean>,
): Promise<SplitPlace | undefined> {
  const dish: (readonly string[])[] = [];
  const named: string[] = [];
  for (const word of words) {
    const [text = ''] = word;
    if (at(text).length === 0 || (await isServed(word))) dish.push(word);
    else named.push(text);
  }
  const place = named.length === 0 || dish.length === 0 ? [] : at(named.join(' '));
  return place.length === 0 ? undefined : { dish, place, words: named.join(' ') };
}
