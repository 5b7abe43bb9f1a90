import type { DailyMenu, MealPeriod } from 'menu-client';
import { formatCompactDate } from 'menu-client';
import RSS from 'rss';
import { isUnread, periodsInOrder } from '../../domain/day/day-view.ts';
import { dayPath, shortPath } from '../../domain/restaurant-path.ts';
import { periodNote } from '../notes/period-note.ts';
import { linkTo, mealLabel, namesOf, type PageContext } from '../page-context.ts';
import { plainLine } from '../plain-text.ts';
import { dayHtml, periodHtml, unreadHtml } from './feed-html.tsx';

/** What a feed says about itself. */
export interface FeedChannel {
  readonly title: string;
  readonly description: string;
  /** Path of the HTML page and of the feed itself. */
  readonly pagePath: string;
  readonly feedPath: string;
  /** The last change of what the feed holds (RFC 3339); absent when nothing was ever seen. */
  readonly changedAt: string | undefined;
}

/**
 * A permanent name for the menus of one meal of one day, the same in every feed: a `tag:` URI of the site's own domain.
 *
 * @see https://www.rfc-editor.org/rfc/rfc4151
 */
export function periodTag(page: PageContext, day: DailyMenu, period: MealPeriod): string {
  return `${dayTag(page, day)}/${period.code}`;
}

/** The same for the whole day of a restaurant. */
function dayTag({ authority }: PageContext, { restaurant, date }: DailyMenu): string {
  return `tag:${authority},2026:cafeteria/${restaurant.vendor}/${encodeURIComponent(restaurant.id)}/${date}`;
}

/** The latest change in any period of the days. */
export function lastChange(days: readonly DailyMenu[]): string | undefined {
  let last: string | undefined;
  for (const { periods } of days) {
    for (const { changedAt, firstSeenAt } of periods) {
      for (const time of [changedAt, firstSeenAt])
        if (time !== undefined && (last === undefined || time > last)) last = time;
    }
  }
  return last;
}

/** A sentence for each period that shows no menus, so that a failure never looks like an empty menu. */
export function missingPeriods(page: PageContext, day: DailyMenu): string {
  return periodsInOrder(day)
    .filter((period) => period.menus.length === 0)
    .map((period) => {
      const note = periodNote(page, period) ?? '';
      return isUnread(period) ? note : `${mealLabel(page, period)}: ${note}`;
    })
    .join(' ');
}

interface ItemOptions {
  /** Items name their restaurant; meals that could not be read have no item and are counted in the channel instead. */
  readonly ofAllRestaurants: boolean;
}

/** Adds an item for each meal period that has menus, and for each that could not be read. */
function addMeals(feed: RSS, page: PageContext, day: DailyMenu, { ofAllRestaurants }: ItemOptions): void {
  const { restaurant, date } = day;
  const url = page.origin + linkTo(page, dayPath(restaurant, date));
  for (const period of periodsInOrder(day)) {
    const label = mealLabel(page, period);
    if (period.menus.length === 0) {
      if (!isUnread(period) || ofAllRestaurants) continue;
      feed.item({
        title: `${page.text.date(date)} ${label}: ${page.text.status[period.status]}`,
        description: unreadHtml(page, period),
        url: `${url}#meal-${period.code}`,
        // Not the id that the menus will get: readers show each id once, and the menus are still to come.
        guid: `${periodTag(page, day, period)}/unread`,
        categories: [label, formatCompactDate(date)],
      } as RSS.ItemOptions);
      continue;
    }
    const name = ofAllRestaurants ? `${plainLine(namesOf(page, restaurant).primary)} ` : '';
    const seen = period.firstSeenAt ?? period.fetchedAt;
    feed.item({
      title: `${name}${page.text.date(date)} ${label}`,
      description: periodHtml(page, period),
      url: `${url}#meal-${period.code}`,
      guid: periodTag(page, day, period),
      categories: [label, formatCompactDate(date)],
      // When this menu was first seen: to readers, a publication date in the future is an error.
      ...(seen === undefined ? {} : { date: new Date(seen) }),
    } as RSS.ItemOptions);
  }
}

/** Adds an item for a day of one of many restaurants: the names of its menus, meal by meal. */
function addRestaurantDay(feed: RSS, page: PageContext, day: DailyMenu, place: string): void {
  const periods = periodsInOrder(day).filter(({ menus }) => menus.length > 0);
  if (periods.length === 0) return;
  const seen = periods.map(({ firstSeenAt, fetchedAt }) => firstSeenAt ?? fetchedAt ?? '').sort()[0] ?? '';
  feed.item({
    title: `${place} ${page.text.date(day.date)}`,
    description: dayHtml(page, day),
    url: page.origin + shortPath(day.restaurant, day.date),
    guid: dayTag(page, day),
    ...(seen === '' ? {} : { date: new Date(seen) }),
  } as RSS.ItemOptions);
}

function newFeed(page: PageContext, channel: FeedChannel): RSS {
  return new RSS({
    title: plainLine(channel.title),
    description: plainLine(channel.description),
    site_url: page.origin + linkTo(page, channel.pagePath),
    feed_url: page.origin + linkTo(page, channel.feedPath),
    language: page.language,
    generator: 'cafeteria-web',
    ttl: 30,
  });
}

const BUILD_DATE = /<lastBuildDate>[^<]*<\/lastBuildDate>/;

/** The library writes the current time; ETag and 304 need the time of the last change. */
function withChangeTime(xml: string, changedAt: string | undefined): string {
  const element =
    changedAt === undefined ? '' : `<lastBuildDate>${new Date(changedAt).toUTCString()}</lastBuildDate>`;
  return xml.replace(BUILD_DATE, element);
}

/** A whole feed of a few days, of one restaurant unless the options say otherwise. */
export function renderFeed(
  page: PageContext,
  channel: FeedChannel,
  days: readonly DailyMenu[],
  options: ItemOptions = { ofAllRestaurants: false },
): string {
  const feed = newFeed(page, channel);
  for (const day of days) addMeals(feed, page, day, options);
  return withChangeTime(feed.xml(), channel.changedAt);
}

/**
 * Only the items of some of a restaurant's days, for a feed that is too large to write at once.
 *
 * @param place the restaurant's name among all restaurants
 */
export function renderFeedItems(page: PageContext, days: readonly DailyMenu[], place: string): string {
  const feed = new RSS({ title: '', feed_url: page.origin, site_url: page.origin });
  for (const day of days) addRestaurantDay(feed, page, day, place);
  const xml = feed.xml();
  const start = xml.indexOf('<item>');
  return start < 0 ? '' : xml.slice(start, xml.lastIndexOf('</item>') + '</item>'.length);
}

/** What comes before and after the items of a feed. */
export function renderFeedFrame(
  page: PageContext,
  channel: FeedChannel,
): { readonly start: string; readonly end: string } {
  const xml = withChangeTime(newFeed(page, channel).xml(), channel.changedAt);
  const end = '</channel></rss>';
  return { start: xml.slice(0, xml.length - end.length), end };
}
