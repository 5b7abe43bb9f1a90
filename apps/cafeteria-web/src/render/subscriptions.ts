import type { Restaurant } from 'menu-client';
import { type Favourite, isRead } from '../domain/favourite.ts';
import { calendarPath, feedPath } from '../domain/restaurant-path.ts';
import { namesOf, type PageContext } from './page-context.ts';
import { plainLine } from './plain-text.ts';

/** A way to get the menus of a restaurant from then on. */
export interface Subscription {
  readonly label: string;
  readonly href: string;
}

/** A calendar by its path: for a program of the visitor's own, which `webcal:` opens, for Google's, and as a file. */
export function calendarLinks({ origin, text }: PageContext, path: string): readonly Subscription[] {
  const webcal = `${origin.replace(/^https?:/, 'webcal:')}${path}`;
  const google = new URL('https://calendar.google.com/calendar/render');
  google.searchParams.set('cid', webcal);
  return [
    { label: text.calendarApp, href: webcal },
    { label: text.googleCalendar, href: google.href },
    { label: text.calendar, href: path },
  ];
}

/** The feed of a restaurant and its calendar; none of them is of one day only. */
export function subscriptions(page: PageContext, restaurant: Restaurant): readonly Subscription[] {
  return [
    { label: page.text.rss, href: feedPath(restaurant) },
    ...calendarLinks(page, calendarPath(restaurant)),
  ];
}

/** The feeds that the front page offers, the visitor's restaurants first: that of all restaurants is long. */
export function siteFeeds(
  page: PageContext,
  mine: readonly Favourite[],
): readonly { readonly title: string; readonly type: string; readonly path: string }[] {
  const type = 'application/rss+xml';
  const own = mine.filter(isRead).map((restaurant) => ({
    title: page.text.feedOf(plainLine(namesOf(page, restaurant).primary)),
    type,
    path: feedPath(restaurant),
  }));
  return [...own, { title: page.text.feedOfAll, type, path: '/rss.xml' }];
}
