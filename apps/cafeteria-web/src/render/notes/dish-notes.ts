import type { DishList } from 'menu-client';
import type { PageContext } from '../page-context.ts';
import { incompleteNotes } from './unread-notes.ts';

/** Why menus may be missing from what was found; empty when none are. */
export function dishNotes(page: PageContext, { unreadDays, incomplete }: DishList): readonly string[] {
  const unread = unreadDays === 0 ? [] : [page.text.dishUnread(unreadDays)];
  return [...incompleteNotes(page, incomplete), ...unread];
}
