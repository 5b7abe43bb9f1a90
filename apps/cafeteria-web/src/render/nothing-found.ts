import { saysNothing } from 'menu-client';
import type { PageContext } from './page-context.ts';

/** What to say when a search finds no restaurant. @param incomplete whether an operator could not be searched */
export function nothingFound({ text }: PageContext, query: string, incomplete: boolean): string {
  if (saysNothing(query)) return text.chat.help;
  return incomplete
    ? `${text.searchNoneYet} ${text.failedRetry}`
    : `${text.searchNone} ${text.searchNoneHint}`;
}
