import { addDays, seoulToday } from '../../domain/calendar-date.ts';
import type { DailyMenu, MealCode } from '../../domain/daily-menu.ts';
import type { Restaurant } from '../../domain/restaurant.ts';
import type { Clock } from '../../http/clock.ts';
import { type DishQuery, dishText, meantWords, rankDishes } from '../../search/dish-query.ts';
import type { DishCount, DishMatch } from '../contract/dish-list.ts';

/** Today and the days after it. */
export const DISH_DAYS = 7;
/** After this everything is loaded again, since another process may have read. */
const MAX_AGE_MS = 5 * 60_000;
/** With more changed days than this, loading everything again is cheaper. */
const MAX_CHANGED = 300;

interface DishSearchParts {
  readonly clock: Clock;
  /** The kept days from a date, of every restaurant. */
  readonly keptDays: (from: string, days: number) => AsyncIterable<DailyMenu>;
  /** One kept day; undefined if there is none. */
  readonly keptDay: (restaurant: Restaurant, date: string) => Promise<DailyMenu | undefined>;
  readonly onBackgroundError: (error: unknown) => void;
}

interface DayText {
  readonly meals: readonly { readonly code: MealCode; readonly text: string }[];
  /** False if a meal has not been read. */
  readonly whole: boolean;
}

/** By date, then by restaurant. */
type DayTexts = Map<string, Map<string, DayText>>;

/** Where and when to look. */
interface DishScope {
  /** In the order of ties. */
  readonly restaurants: readonly Restaurant[];
  readonly dates: readonly string[];
  /** Only this meal. */
  readonly meal: MealCode | undefined;
  readonly limit: number;
}

export interface FoundDishes {
  readonly matches: readonly DishMatch[];
  readonly total: number;
  readonly byRestaurant: readonly DishCount[];
  readonly unreadDays: number;
}

const keyOf = (restaurant: Pick<Restaurant, 'vendor' | 'id'>): string =>
  `${restaurant.vendor} ${restaurant.id}`;

/**
 * Search over the dishes of the days ahead. Only the names of each kept day are in memory, as one text; the first search
 * loads them from the store, later ones only what has changed since.
 */
export class DishSearch {
  readonly #parts: DishSearchParts;
  #texts: DayTexts | undefined;
  readonly #changed = new Map<string, { readonly restaurant: string; readonly date: string }>();
  #readAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(parts: DishSearchParts) {
    this.#parts = parts;
  }

  /** Call when a day was read: its names are loaded again. */
  note(restaurant: Pick<Restaurant, 'vendor' | 'id'>, date: string): void {
    if (this.#readAtMs === Number.NEGATIVE_INFINITY) return;
    const changed = { restaurant: keyOf(restaurant), date };
    this.#changed.set(`${changed.restaurant} ${date}`, changed);
  }

  /** Where nothing has all of the words, those that say nothing are left out, and endings. */
  async search(words: DishQuery['words'], scope: DishScope): Promise<FoundDishes> {
    if (words.length === 0) return { matches: [], total: 0, byRestaurant: [], unreadDays: 0 };
    await this.#refresh(scope.restaurants);
    const found = await this.#find(words, scope);
    const meant = found.total > 0 ? undefined : meantWords(words);
    return meant === undefined ? found : this.#find(meant, scope);
  }

  async #find(
    words: DishQuery['words'],
    { restaurants, dates, meal, limit }: DishScope,
  ): Promise<FoundDishes> {
    const days: { restaurant: Restaurant; date: string; named: boolean }[] = [];
    const counts = new Map<Restaurant, number>();
    let total = 0;
    let unreadDays = 0;
    for (const date of dates) {
      const texts = this.#texts?.get(date);
      for (const restaurant of restaurants) {
        const day = texts?.get(keyOf(restaurant));
        if (day?.whole !== true) unreadDays += 1;
        const ranks = (day?.meals ?? [])
          .filter(({ code }) => meal === undefined || code === meal)
          .flatMap(({ text }) => rankDishes(text, words))
          .filter((rank) => rank !== undefined);
        total += ranks.length;
        if (ranks.length > 0) counts.set(restaurant, (counts.get(restaurant) ?? 0) + ranks.length);
        if (ranks.length > 0) days.push({ restaurant, date, named: ranks.includes('menu') });
      }
    }
    days.sort((a, b) => compareDates(a.date, b.date) || Number(b.named) - Number(a.named));
    const matches: DishMatch[] = [];
    for (const { restaurant, date } of days) {
      if (matches.length >= limit) break;
      const day = await this.#parts.keptDay(restaurant, date);
      if (day !== undefined) matches.push(...matchesOf(ofMeal(day, meal), words));
    }
    matches.sort((a, b) => compareDates(a.date, b.date) || compareRanks(a, b));
    const byRestaurant = [...counts].map(([restaurant, count]) => ({ restaurant, count }));
    return { matches: matches.slice(0, limit), total, byRestaurant, unreadDays };
  }

  async #refresh(restaurants: readonly Restaurant[]): Promise<void> {
    const { clock, onBackgroundError } = this.#parts;
    if (this.#changed.size <= MAX_CHANGED) await this.#readChanged(restaurants);
    if (clock.nowMs() - this.#readAtMs < MAX_AGE_MS && this.#changed.size <= MAX_CHANGED) return;
    this.#reading ??= this.#readAll().finally(() => (this.#reading = undefined));
    if (this.#texts === undefined) await this.#reading;
    else this.#reading.catch(onBackgroundError);
  }

  async #readChanged(restaurants: readonly Restaurant[]): Promise<void> {
    if (this.#texts === undefined || this.#changed.size === 0) return;
    const listed = new Map(restaurants.map((restaurant) => [keyOf(restaurant), restaurant]));
    for (const [key, { restaurant: name, date }] of this.#changed) {
      const restaurant = listed.get(name);
      if (restaurant === undefined) continue;
      // While everything is being loaded, this day may already have been passed.
      if (this.#reading === undefined) this.#changed.delete(key);
      const day = await this.#parts.keptDay(restaurant, date);
      if (day !== undefined) keep(this.#texts, day);
    }
  }

  async #readAll(): Promise<void> {
    const { clock, keptDays } = this.#parts;
    this.#changed.clear();
    this.#readAtMs = clock.nowMs();
    try {
      const texts: DayTexts = new Map();
      for await (const day of keptDays(seoulToday(this.#readAtMs), DISH_DAYS)) keep(texts, day);
      this.#texts = texts;
    } catch (error) {
      this.#readAtMs = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }
}

function keep(texts: DayTexts, day: DailyMenu): void {
  const ofDate = texts.get(day.date) ?? new Map<string, DayText>();
  texts.set(day.date, ofDate);
  const meals = day.periods.map(({ code, menus }) => ({ code, text: dishText(menus) }));
  const whole = day.periods.every(({ status }) => status !== 'failed');
  ofDate.set(keyOf(day.restaurant), { meals, whole });
}

function ofMeal(day: DailyMenu, meal: MealCode | undefined): DailyMenu {
  return meal === undefined ? day : { ...day, periods: day.periods.filter(({ code }) => code === meal) };
}

/** The menus of a day that have the words, those named after them first. */
function matchesOf(day: DailyMenu, words: DishQuery['words']): readonly DishMatch[] {
  const { restaurant, date } = day;
  const matches = day.periods.flatMap(({ menus, ...period }) => {
    const ranks = rankDishes(dishText(menus), words);
    return menus.flatMap((menu, at): DishMatch[] => {
      const found = ranks[at];
      return found === undefined ? [] : [{ restaurant, date, period, menu, found }];
    });
  });
  return matches.sort(compareRanks);
}

function compareDates(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function compareRanks(a: Pick<DishMatch, 'found'>, b: Pick<DishMatch, 'found'>): number {
  return Number(b.found === 'menu') - Number(a.found === 'menu');
}

/** Today and the days ahead that can be searched, `YYYY-MM-DD`. */
export function dishDates(nowMs: number): readonly string[] {
  const today = seoulToday(nowMs);
  return Array.from({ length: DISH_DAYS }, (_, day) => addDays(today, day));
}

/** The menus of the given days that have every word of the query, by day; matches as `DishSearch` does. */
export function findDishes(days: readonly DailyMenu[], words: DishQuery['words']): readonly DishMatch[] {
  const found = days.flatMap((day) => matchesOf(day, words));
  const meant = found.length > 0 ? undefined : meantWords(words);
  return meant === undefined ? found : days.flatMap((day) => matchesOf(day, meant));
}
