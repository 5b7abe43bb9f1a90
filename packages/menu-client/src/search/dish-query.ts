import { addDays, isCalendarDate, parseCompactDate, seoulToday } from '../domain/calendar-date.ts';
import type { Menu } from '../domain/menu.ts';
import { inHangul, parseQuery } from './query-words.ts';
import { foldText, joinWords } from './search-text.ts';

const DAYS_AHEAD: Readonly<Record<string, number>> = { 오늘: 0, today: 0, 내일: 1, tomorrow: 1, 모레: 2 };

/** What dishes are searched for: words, and a day if one is named among them. */
export interface DishQuery {
  /** Each word in the ways it may be written; a menu must have one of them for every word. */
  readonly words: readonly (readonly string[])[];
  /** `YYYY-MM-DD`, Asia/Seoul. */
  readonly date?: string;
}

/** Separates words such as `돈까스` from days such as `today`, `내일`, `20261120` and `2026-11-20`. */
export function parseDishQuery(query: string, nowMs: number): DishQuery {
  const words: (readonly string[])[] = [];
  let date: string | undefined;
  for (const { folded, typed } of parseQuery(query)) {
    const ahead = DAYS_AHEAD[folded];
    const named = isCalendarDate(folded) ? folded : parseCompactDate(folded);
    if (ahead !== undefined) date = addDays(seoulToday(nowMs), ahead);
    else if (named !== undefined) date = named;
    else words.push([folded, ...inHangul(typed)]);
  }
  return date === undefined ? { words } : { words, date };
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
