import type { Choice, MealPeriod } from 'menu-client';
import { formatAmount } from '../domain/nutrients.ts';
import type { Messages } from '../i18n/messages.ts';
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
export function chatNote(text: Messages, answer: ChatAnswer): string {
  switch (answer.kind) {
    case 'help':
      return text.chat.help;
    case 'slow':
      return text.chat.slow;
    case 'unread':
      return `${text.failedPeriod} ${text.chat.again}`;
    case 'nowhere':
      return answer.incomplete
        ? `${text.searchNoneYet} ${text.chat.again}`
        : `${text.searchNone} ${text.searchNoneHint}`;
    default:
      return periodNote(text, answer.period);
  }
}

function periodNote(text: Messages, period: MealPeriod | undefined): string {
  if (period === undefined || period.status === 'empty') return text.emptyPeriod;
  if (period.status === 'failed') return `${text.failedPeriod} (${text.reason(period.error?.code ?? '')})`;
  return period.status === 'stale' ? text.status.stale : '';
}
