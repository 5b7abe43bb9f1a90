import { saysNothing } from 'menu-client';
import type { PageContext } from '../page-context.ts';

/** What could not be searched. */
export interface Unsearched {
  /** An operator whose restaurants were never read. */
  readonly operators: boolean;
  /** Menus of some days. */
  readonly menus: boolean;
  /** All of them, since the day is not one of the seven. */
  readonly allMenus: boolean;
}

/** What to say when a search finds no restaurant and no dish; what could not be searched is never reported as nothing. */
export function nothingFound({ text }: PageContext, query: string, unsearched: Unsearched): string {
  if (saysNothing(query)) return text.chat.help;
  if (unsearched.operators) return `${text.searchNoneYet} ${text.failedRetry}`;
  if (unsearched.allMenus) return `${text.searchNone} ${text.searchNoneHint}`;
  if (unsearched.menus) return `${text.searchNone} ${text.dishNoneYet}`;
  return `${text.foundNone} ${text.searchNoneHint}`;
}
