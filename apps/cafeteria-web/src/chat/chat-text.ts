import type { Choice, MealPeriod, Restaurant } from 'menu-client';
import { isUnread } from '../domain/day/day-view.ts';
import { formatAmount } from '../domain/dish/nutrients.ts';
import type { Messages } from '../render/i18n/messages.ts';
import { periodNote } from '../render/notes/period-note.ts';
import { incompleteNotes } from '../render/notes/unread-notes.ts';
import { mealLabel, namesOf, type PageContext, placedName, placesBeside } from '../render/page-context.ts';
import { plainLine } from '../render/plain-text.ts';
import type { ChatAnswer } from './chat-answer.ts';

/** The text, or its beginning and an ellipsis where it is longer; no character is cut in two. */
export const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;

/** The facts of a choice in a line: calories, takeout, sold out, and the dishes that come with it. */
export function choiceFacts(text: Messages, { menu, item, nutrition, name }: Choice): readonly string[] {
  const calories = nutrition?.caloriesKcal;
  const sides =
    item === undefined
      ? menu.components.map((dish) => plainLine(dish.name)).filter((dish) => dish !== name)
      : [];
  return [
    [
      menu.corner === undefined ? '' : plainLine(menu.corner),
      calories === undefined ? '' : `${formatAmount(calories)} kcal`,
      menu.serving === 'take-out' ? text.takeout : '',
      menu.soldOut ? text.soldOut : '',
    ]
      .filter((fact) => fact !== '')
      .join(' · '),
    sides.join(', '),
  ].filter((line) => line !== '');
}

/** Restaurant, day and meal; where it is as well, if another one that matches is called the same. */
export function chatTitle(page: PageContext, answer: Extract<ChatAnswer, { kind: 'day' }>): string {
  const { restaurant, date, period, takeout, others } = answer;
  const name = namesOf(page, restaurant).primary;
  const isShared = others.some((other) => namesOf(page, other).primary === name);
  const what = [period && mealLabel(page, period), takeout && page.text.takeout].filter(Boolean);
  return `${isShared ? placedName(page, restaurant) : name}, ${[page.text.date(date), ...what].join(' ')}`;
}

/** What tells the restaurants apart in a few letters, by id: the name, or the narrowest place where names are the same. */
export function shortNames(
  page: PageContext,
  restaurants: readonly Restaurant[],
): ReadonlyMap<string, string> {
  const named = restaurants.map((restaurant) => ({
    id: restaurant.id,
    names: [namesOf(page, restaurant).primary, placesBeside(page, restaurant).at(-1), restaurant.id],
  }));
  const isUnique = (at: number, name: string | undefined): boolean =>
    name !== undefined && named.filter(({ names }) => names[at] === name).length === 1;
  return new Map(
    named.map(({ id, names }) => [id, names.find((name, at) => isUnique(at, name)) ?? id] as const),
  );
}

/** What to say when there are no menus to show. */
export function chatNote(page: PageContext, answer: ChatAnswer): string {
  const { text } = page;
  switch (answer.kind) {
    case 'help':
      return text.chat.help;
    case 'outside':
      return text.chat.outside(text.date(answer.dates.from), text.date(answer.dates.to));
    case 'unread':
      return `${text.failedPeriod} ${text.chat.again}`;
    case 'nowhere':
      return answer.incomplete.length > 0
        ? [...incompleteNotes(page, answer.incomplete), text.searchNoneYet, text.chat.again].join(' ')
        : [
            `${text.searchNone} ${text.searchNoneHint}`,
            `${text.chat.dishes} ${page.origin}/?${new URLSearchParams({ q: answer.asked }).toString()}`,
          ].join('\n');
    default:
      return [
        answer.period === undefined
          ? noMealNote(page, answer.periods)
          : mealNote(page, answer.period, answer.takeout),
        ...(answer.next === undefined ? [] : [text.chat.next(text.date(answer.next))]),
        ...incompleteNotes(page, answer.incomplete),
      ]
        .filter((note) => note !== '')
        .join(' ');
  }
}

/** Why a day has no such meal: as long as nothing of it is read, it may have one. */
function noMealNote({ text }: PageContext, periods: readonly MealPeriod[]): string {
  if (!periods.some(isUnread)) return text.emptyPeriod;
  const loading = periods.some(({ status }) => status === 'loading');
  return `${loading ? text.dayLoading : text.failedPeriod} ${text.chat.again}`;
}

function mealNote(page: PageContext, period: MealPeriod, takeout: boolean): string {
  const { text } = page;
  const note = periodNote(page, period) ?? '';
  if (period.status === 'loading') return `${note} ${text.chat.again}`;
  const isShown = period.status === 'ok' || period.status === 'stale';
  return takeout && isShown && period.menus.length === 0 ? `${note} ${text.takeoutNone}`.trim() : note;
}
