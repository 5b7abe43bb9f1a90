import type { Choice, MealPeriod } from 'menu-client';
import { isUnread } from '../domain/day/day-view.ts';
import { formatAmount } from '../domain/dish/nutrients.ts';
import type { Messages } from '../render/i18n/messages.ts';
import { periodNote } from '../render/notes/period-note.ts';
import type { PageContext } from '../render/page-context.ts';
import { plainLine } from '../render/plain-text.ts';
import type { ChatAnswer } from './chat-answer.ts';

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
      return answer.incomplete
        ? `${text.searchNoneYet} ${text.chat.again}`
        : `${text.searchNone} ${text.searchNoneHint}`;
    default:
      return [
        answer.period === undefined ? noMealNote(page, answer.periods) : mealNote(page, answer.period),
        ...(answer.next === undefined ? [] : [text.chat.next(text.date(answer.next))]),
      ].join(' ');
  }
}

/** Why a day has no such meal: as long as nothing of it is read, it may have one. */
function noMealNote({ text }: PageContext, periods: readonly MealPeriod[]): string {
  if (!periods.some(isUnread)) return text.emptyPeriod;
  const loading = periods.some(({ status }) => status === 'loading');
  return `${loading ? text.dayLoading : text.failedPeriod} ${text.chat.again}`;
}

function mealNote(page: PageContext, period: MealPeriod): string {
  const note = periodNote(page, period) ?? '';
  return period.status === 'loading' ? `${note} ${page.text.chat.again}` : note;
}
