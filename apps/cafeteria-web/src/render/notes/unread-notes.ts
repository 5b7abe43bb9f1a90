import type { DailyMenu, UnreadOperator } from 'menu-client';
import { seoulToday } from 'menu-client';
import { hasUnread } from '../../domain/day/day-view.ts';
import { seoulClock } from '../../domain/day/seoul-time.ts';
import { type Favourite, isRead } from '../../domain/favourite.ts';
import { type PageContext, placedName } from '../page-context.ts';

/** True while the first answer is on its way. */
export function isFirstReading({ reason }: Pick<UnreadOperator, 'reason'>): boolean {
  return reason === 'deadline_exceeded';
}

/** A sentence for each operator missing from a list: which, and since when. */
export function incompleteNotes(
  { text }: PageContext,
  incomplete: readonly UnreadOperator[],
): readonly string[] {
  return incomplete.map((operator) => {
    const { vendor, since } = operator;
    return isFirstReading(operator)
      ? text.incompleteLoading(text.vendors[vendor])
      : text.incomplete(text.vendors[vendor], text.date(seoulToday(Date.parse(since))), seoulClock(since));
  });
}

/** The name of one of my restaurants, or what is known of one that cannot be looked up now. */
export function favouriteName(page: PageContext, favourite: Favourite): string {
  if (isRead(favourite)) return placedName(page, favourite);
  return `${favourite.id} (${page.text.vendors[favourite.vendor]})`;
}

/** Says of one of my restaurants that nothing of it could be read. */
export function unreadFavouriteNote(page: PageContext, favourite: Favourite): string {
  const { failedPeriod, unreadRestaurant } = page.text;
  return `${favouriteName(page, favourite)}: ${isRead(favourite) ? failedPeriod : unreadRestaurant}`;
}

/** What the home page's gallery is made of. */
export interface GallerySources {
  readonly mine: readonly unknown[];
  readonly days: readonly DailyMenu[];
  /** Restaurants whose day could not be loaded. */
  readonly failed: readonly unknown[];
  readonly incomplete: readonly UnreadOperator[];
  /** True when part of them is still being read. */
  readonly loading: boolean;
}

/** True when menus are missing because they could not be read. */
export function lacksMenus({ days, failed, incomplete, loading }: GallerySources): boolean {
  if (loading) return false;
  return hasUnread(days) || failed.length > 0 || incomplete.length > 0;
}

/** Why the gallery is empty; what could not be read is never reported as nothing. */
export function emptyGallery({ text }: PageContext, sources: GallerySources): string {
  if (sources.loading) return text.dayLoading;
  if (lacksMenus(sources)) return `${text.failedPeriod} ${text.failedRetry}`;
  return sources.mine.length === 0 ? text.noPhotosToday : text.noMenusToday;
}
