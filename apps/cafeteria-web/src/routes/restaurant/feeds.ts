import type { Hono } from 'hono';
import { parseCompactDate, seoulToday } from 'menu-client';
import type { AnswerCache } from '../../answers/answer-cache.ts';
import type { SiteFeed } from '../../answers/feeds/site-feed.ts';
import { BASE_HEADERS, RETRY_LATER } from '../../answers/http/headers.ts';
import type { OriginOf } from '../../answers/link-origin.ts';
import {
  calendarOperation,
  DAY_STATUSES,
  ELSEWHERE,
  feedOperation,
  TOO_LARGE,
  WEEK_STATUSES,
} from '../../answers/openapi/answers.ts';
import { describedRoute } from '../../answers/openapi/described-route.ts';
import { DayPath, Lang, RestaurantPath } from '../../answers/openapi/parameters.ts';
import type { Readings } from '../../answers/readings.ts';
import { askedBy, respond } from '../../answers/respond.ts';
import { dayVersion, hasUnread } from '../../domain/day/day-view.ts';
import {
  calendarPath,
  dayCalendarPath,
  dayFeedPath,
  dayPath,
  feedPath,
  restaurantPath,
} from '../../domain/restaurant-path.ts';
import { renderCalendar } from '../../render/ics/menu-calendar.ts';
import { namesOf } from '../../render/page-context.ts';
import { sentences } from '../../render/plain-text.ts';
import { lastChange, missingPeriods, renderFeed } from '../../render/rss/menu-feed.ts';
import { findRestaurant, type RestaurantParts } from './find-restaurant.ts';

const SHARED = {
  ...BASE_HEADERS,
  'Cache-Control': 'public, max-age=300',
  'Access-Control-Allow-Origin': '*',
};
const RSS_HEADERS = { ...SHARED, 'Content-Type': 'application/rss+xml; charset=utf-8' };
const ICS_HEADERS = { ...SHARED, 'Content-Type': 'text/calendar; charset=utf-8' };

interface Parts extends RestaurantParts {
  readonly answers: AnswerCache;
  readonly readings: Readings;
  readonly feed: SiteFeed;
  readonly originOf: OriginOf;
  readonly nowMs: () => number;
}

/** `/rss.xml`: the menus of all restaurants. */
export const siteFeedRoute = describedRoute(
  '/rss.xml',
  feedOperation(
    'getSiteFeed',
    'Menus of all restaurants, today and the six days after it, as RSS: an item for each day of each',
    ['200', '500', '503'],
    { '431': TOO_LARGE },
  ),
);

/** `.../rss.xml`: the menus of a restaurant, from today on. */
export const restaurantFeedRoute = describedRoute('/restaurants/:vendor/:id/:slug/rss.xml', {
  ...feedOperation('getRestaurantFeed', 'Today and the six days after it as RSS', WEEK_STATUSES, {
    '308': ELSEWHERE,
  }),
  requestParams: { path: RestaurantPath, query: Lang },
});

/** `.../calendar.ics`: the same as a calendar. */
export const restaurantCalendarRoute = describedRoute('/restaurants/:vendor/:id/:slug/calendar.ics', {
  ...calendarOperation('getWeeklyCalendar', 'Today and the six days after it as iCalendar', WEEK_STATUSES, {
    '308': ELSEWHERE,
  }),
  requestParams: { path: RestaurantPath, query: Lang },
});

/** `.../{YYYYMMDD}.ics`: a day of a restaurant as a calendar. */
export const dayCalendarRoute = describedRoute(
  '/restaurants/:vendor/:id/:slug/:file{[^/]+\\.ics}',
  {
    ...calendarOperation('getDailyCalendar', 'Menu of a day as iCalendar', DAY_STATUSES, {
      '308': ELSEWHERE,
    }),
    requestParams: { path: DayPath, query: Lang },
  },
  '/restaurants/{vendor}/{id}/{slug}/{date}.ics',
);

/** `.../{YYYYMMDD}/rss.xml`: a day of a restaurant. */
export const dayFeedRoute = describedRoute('/restaurants/:vendor/:id/:slug/:date/rss.xml', {
  ...feedOperation('getDailyFeed', 'Menu of a day as RSS', DAY_STATUSES, { '308': ELSEWHERE }),
  requestParams: { path: DayPath, query: Lang },
});

/** Feeds and calendars: of all restaurants, and of one. */
export function mountFeeds(app: Hono, parts: Parts): void {
  const { service, pages, answers, readings, feed, originOf, nowMs } = parts;
  app.get(siteFeedRoute.path, async (c) => {
    if (feed.ready === undefined && (await service.restaurants()).incomplete.length > 0)
      return pages.sendError(c, 'catalogueUnread', RETRY_LATER);
    const copy = await feed.current(originOf(c.req.header('host')));
    const ready = feed.ready;
    const keeping = {
      target: siteFeedRoute.path,
      route: siteFeedRoute.path,
      unchanged: () => feed.ready === ready,
    };
    return respond(
      c,
      answers.keep(askedBy(c), keeping, () => copy),
    );
  });

  app.get(restaurantFeedRoute.path, async (c) => {
    const found = await findRestaurant(c, parts, '/rss.xml');
    if ('answer' in found) return found.answer;
    const { restaurant } = found;
    const { vendor, id } = restaurant;
    const unchanged = readings.ofRestaurant(vendor, id);
    const days = await service.week(vendor, id, seoulToday(nowMs()), 7);
    return pages.sendFeed(c, {
      path: feedPath(restaurant),
      unchanged,
      version: days.map(dayVersion).join('\n'),
      unread: hasUnread(days),
      headers: RSS_HEADERS,
      render: (page) => {
        const title = namesOf(page, restaurant).primary;
        const failed = days
          .flatMap(({ periods }) => periods)
          .filter(({ status, menus }) => status !== 'empty' && menus.length === 0).length;
        const channel = {
          title,
          description: sentences([
            page.text.feedDescription(title),
            page.sampleData ? page.text.sampleData : '',
            failed === 0 ? '' : page.text.siteFeedFailed(failed),
          ]),
          pagePath: restaurantPath(restaurant),
          feedPath: feedPath(restaurant),
          changedAt: lastChange(days),
        };
        return renderFeed(page, channel, days);
      },
    });
  });

  app.get(restaurantCalendarRoute.path, async (c) => {
    const found = await findRestaurant(c, parts, '/calendar.ics');
    if ('answer' in found) return found.answer;
    const { vendor, id } = found.restaurant;
    const unchanged = readings.ofRestaurant(vendor, id);
    const days = await service.week(vendor, id, seoulToday(nowMs()), 7);
    return pages.sendFeed(c, {
      path: calendarPath(found.restaurant),
      unchanged,
      version: days.map(dayVersion).join('\n'),
      unread: hasUnread(days),
      headers: ICS_HEADERS,
      render: (page) => renderCalendar(page, days, namesOf(page, found.restaurant).primary),
    });
  });

  app.get(dayCalendarRoute.path, async (c) => {
    const file = c.req.param('file');
    const found = await findRestaurant(c, parts, `/${encodeURIComponent(file)}`);
    if ('answer' in found) return found.answer;
    const date = parseCompactDate(file.slice(0, -'.ics'.length));
    if (date === undefined) return pages.sendError(c, 'badDate');
    const unchanged = readings.ofRestaurant(found.restaurant.vendor, found.restaurant.id);
    const day = await service.dailyMenu(found.restaurant.vendor, found.restaurant.id, date);
    return pages.sendFeed(c, {
      path: dayCalendarPath(found.restaurant, date),
      unchanged,
      version: dayVersion(day),
      unread: hasUnread([day]),
      headers: ICS_HEADERS,
      render: (page) =>
        renderCalendar(
          page,
          [day],
          page.text.dayTitle(namesOf(page, found.restaurant).primary, page.text.date(date)),
        ),
    });
  });

  app.get(dayFeedRoute.path, async (c) => {
    const compact = c.req.param('date');
    const found = await findRestaurant(c, parts, `/${encodeURIComponent(compact)}/rss.xml`);
    if ('answer' in found) return found.answer;
    const date = parseCompactDate(compact);
    if (date === undefined) return pages.sendError(c, 'badDate');
    const { restaurant } = found;
    const unchanged = readings.ofRestaurant(restaurant.vendor, restaurant.id);
    const day = await service.dailyMenu(restaurant.vendor, restaurant.id, date);
    return pages.sendFeed(c, {
      path: dayFeedPath(restaurant, date),
      unchanged,
      version: dayVersion(day),
      unread: hasUnread([day]),
      headers: RSS_HEADERS,
      render: (page) => {
        const title = page.text.dayTitle(namesOf(page, restaurant).primary, page.text.longDate(date));
        const notes = [page.sampleData ? page.text.sampleData : '', missingPeriods(page, day)];
        const channel = {
          title,
          description: sentences([title, ...notes]),
          pagePath: dayPath(restaurant, date),
          feedPath: dayFeedPath(restaurant, date),
          changedAt: lastChange([day]),
        };
        return renderFeed(page, channel, [day]);
      },
    });
  });
}
