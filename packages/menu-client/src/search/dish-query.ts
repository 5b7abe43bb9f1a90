import { seoulToday } from '../domain/calendar-date.ts';
import type { KnownMealCode } from '../domain/daily-menu.ts';
import type { Menu } from '../domain/menu.ts';
import { parseAsked } from './asked-text.ts';
import { spellingsOf } from './dish-spellings.ts';
import { isEmptyWord, stemsOf } from './empty-words.ts';
import { inHangul, parseQuery } from './query-words.ts';
import { foldText, joinWords } from './search-text.ts';

/** What dishes are searched for: words, and the day and the meal that are named among them. */
export interface DishQuery {
  /** Each word in the ways it may be written; a menu must have one of them for every word. */
  readonly words: readonly (readonly string[])[];
  /** `YYYY-MM-DD`, Asia/Seoul. */
  readonly date?: string;
  /** Absent when no meal is named beside the words. */
  readonly meal?: KnownMealCode;
}

/** Separates words such as `돈까스` from days and meals such as `내일`, `next friday`, `11/28` and `점심`. */
export function parseDishQuery(query: string, nowMs: number): DishQuery {
  const asked = parseAsked(query, seoulToday(nowMs));
  const day = asked.date === undefined ? {} : { date: asked.date };
  // A meal alone is what is looked for: menus are named after it.
  const mealAlone = asked.words.length === 0 && asked.date === undefined;
  const words = parseQuery(mealAlone ? query : asked.words.join(' ')).map(({ folded, typed }) => [
    folded,
    ...inHangul(typed),
    ...spellingsOf(folded),
  ]);
  return { words, ...day, ...(asked.meal === undefined || mealAlone ? {} : { meal: asked.meal }) };
}

/**
 * What to search with where nothing has all of the words: without those that say nothing, such as `메뉴` and `어디`, and
 * each also without its endings (`돈까스는`). Undefined where that is the same, or nothing.
 */
export function meantWords(words: DishQuery['words']): DishQuery['words'] | undefined {
  const meant = words
    .filter(([word = '']) => !isEmptyWord(word))
    .map((ways) => [...ways, ...stemsOf(ways[0] ?? '').flatMap((stem) => [stem, ...spellingsOf(stem)])]);
  const isSame = meant.length === words.length && meant.flat().length === words.flat().length;
  return isSame || meant.length === 0 ? undefined : meant;
}

/** Separators: between the menus of a day, between a menu's own names and its dishes, and between names. */
const MENU = '\u0000';
const DISHES = '\u0001';
const NAME = '\u0002';

/** The names of the menus as one text, searched in one pass. */
export function dishText(menus: readonly Menu[]): string {
  const names = (named: readonly { readonly name: string; readonly nameEn?: string }[]): string =>
    named
      .flatMap(({ name, nameEn = '' }) => [name, nameEn])
      .map((name) => joinWords(foldText(name)))
      .filter((name) => name !== '')
      .join(NAME);
  return menus
    .map((menu) => names([menu]) + DISHES + names([...menu.components, ...(menu.bundle?.items ?? [])]))
    .join(MENU);
}

/** `menu`: its own name has every word; `dish`: they are among its dishes. */
export type DishRank = 'menu' | 'dish';

/** How each menu of a text from `dishText` has the words, in order; undefined for one that does not. */
export function rankDishes(text: string, words: DishQuery['words']): readonly (DishRank | undefined)[] {
  const within = (part: string): boolean => words.every((ways) => ways.some((way) => part.includes(way)));
  if (words.length === 0 || !within(text)) return [];
  return text.split(MENU).map((menu) => {
    if (!within(menu)) return undefined;
    return within(menu.slice(0, menu.indexOf(DISHES))) ? 'menu' : 'dish';
  });
}
