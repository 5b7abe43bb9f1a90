import type { Restaurant } from 'menu-client';
import { formatCompactDate, restaurantSlug } from 'menu-client';

// Paths in a row are nearly always of one restaurant: a day page has two dozen links to its pages.
let latest: { readonly restaurant: Restaurant; readonly path: string } | undefined;

/** Path of the restaurant's undated page, percent-encoded. */
export function restaurantPath(restaurant: Restaurant): string {
  if (latest?.restaurant !== restaurant) {
    const { vendor, id, name } = restaurant;
    const slug = encodeURIComponent(restaurantSlug(name));
    latest = { restaurant, path: `/restaurants/${vendor}/${encodeURIComponent(id)}/${slug}` };
  }
  return latest.path;
}

export function dayPath(restaurant: Restaurant, date: string): string {
  return `${restaurantPath(restaurant)}/${formatCompactDate(date)}`;
}

/**
 * A short path to the restaurant's page, for the date if there is one. It has no slug, which costs a model three times
 * as many tokens as all the rest.
 */
export function shortPath({ vendor, id }: Restaurant, date?: string): string {
  const path = `/restaurants/${vendor}/${encodeURIComponent(id)}`;
  return date === undefined ? path : `${path}/-/${formatCompactDate(date)}`;
}

export function dayFeedPath(restaurant: Restaurant, date: string): string {
  return `${dayPath(restaurant, date)}/rss.xml`;
}

/** The feed of today and the six days after it, to subscribe to. */
export function feedPath(restaurant: Restaurant): string {
  return `${restaurantPath(restaurant)}/rss.xml`;
}

export function dayCalendarPath(restaurant: Restaurant, date: string): string {
  return `${dayPath(restaurant, date)}.ics`;
}

/** One menu of a day, with the details that its operator gives for one menu at a time. */
export function menuPath(restaurant: Restaurant, date: string, menuId: string): string {
  return `${dayPath(restaurant, date)}/menus/${encodeURIComponent(menuId)}`;
}

/** The seven days from `date`. */
export function weekPath(restaurant: Restaurant, date: string): string {
  return `${dayPath(restaurant, date)}/week`;
}

/** The month that `date` is in. */
export function monthPath(restaurant: Restaurant, date: string): string {
  return `${dayPath(restaurant, date)}/month`;
}

/** The calendar of today and the six days after it, to subscribe to. */
export function calendarPath(restaurant: Restaurant): string {
  return `${restaurantPath(restaurant)}/calendar.ics`;
}

/** What is found for a query, on one day of the seven (`YYYY-MM-DD`) and at one place if they are given. */
export function foundPath(
  query: string,
  filter: { readonly date?: string; readonly place?: string } = {},
): string {
  const { date, place } = filter;
  const parameters = {
    q: query,
    ...(place === undefined ? {} : { place }),
    ...(date === undefined ? {} : { date: formatCompactDate(date) }),
  };
  return `/?${new URLSearchParams(parameters).toString()}`;
}

/** How an alarm names a restaurant. */
export function alarmKey({ vendor, id }: Pick<Restaurant, 'vendor' | 'id'>): string {
  return `${vendor}.${id}`;
}

/** The days on which a dish is served at restaurants, named by `vendor.id`: to subscribe to, or the page to set it. */
export function alarmPath(
  file: 'alarm' | 'alarm.ics' | 'alarm.rss',
  dish: string,
  restaurants: readonly string[],
): string {
  const named = restaurants.map((each): [string, string] => ['r', each]);
  return `/${file}?${new URLSearchParams([['dish', dish], ...named]).toString()}`;
}

/** A reminder of lunch at restaurants, named by `vendor.id`, each day at a time such as `11:20`. */
export function lunchReminderPath(at: string, restaurants: readonly string[]): string {
  const named = restaurants.map((each): [string, string] => ['r', each]);
  return `/alarm.ics?${new URLSearchParams([['at', at], ...named]).toString()}`;
}
