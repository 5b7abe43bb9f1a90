import type { DishList } from 'menu-client';
import type { PageContext } from './page-context.ts';
import { incompleteNotes } from './unread-notes.ts';

/** Why menus may be missing from what was found; empty when none are. */
export function dishNotes(page: PageContext, { unreadDays, incomplete }: DishList): readonly string[] {
  const unread = unreadDays === 0 ? [] : [page.text.dishUnread(unreadDays)];
  return [...incompleteNotes(page, incomplete), ...unread];
}

/** How many there are, or that there are none; what could not be read is never reported as nothing. */
export function dishCount({ text }: PageContext, found: DishList): string {
  const { matches, total, unreadDays, incomplete } = found;
  if (total > matches.length) return text.dishMany(matches.length, total);
  if (total > 0) return text.dishCount(total);
  return unreadDays > 0 || incomplete.length > 0 ? text.dishNoneYet : text.dishNone;
}
