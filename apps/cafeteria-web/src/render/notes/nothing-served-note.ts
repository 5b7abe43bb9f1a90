import type { DailyMenu } from 'menu-client';
import type { PageContext } from '../page-context.ts';

/** What is said of a day on which a restaurant serves nothing. */
export function nothingServedNote({ text, today }: PageContext, { date }: DailyMenu): string {
  return date === today ? text.closedToday : text.noPeriods;
}
