import type { Context, Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import type { MenuService, Restaurant } from 'menu-client';
import { MAX_RESTAURANT_ID_LENGTH, parseVendor, seoulToday } from 'menu-client';
import { FAVOURITES_COOKIE, favouriteRestaurants, restaurantsNamed } from '../answers/http/favourites.ts';
import { BASE_HEADERS, RETRY_LATER } from '../answers/http/headers.ts';
import type { Pages } from '../answers/http/pages.ts';
import { AlarmCalendarQuery, AlarmQuery } from '../answers/openapi/alarm-query.ts';
import { calendarOperation, feedOperation } from '../answers/openapi/answers.ts';
import { describedRoute } from '../answers/openapi/described-route.ts';
import type { Readings } from '../answers/readings.ts';
import { dayVersion, hasUnread, isLoading } from '../domain/day/day-view.ts';
import { matchedDays } from '../domain/day/matched-days.ts';
import { dishWords } from '../domain/dish/dish-words.ts';
import { isRead, type UnreadFavourite } from '../domain/favourite.ts';
import { alarmKey, alarmPath, foundPath, lunchReminderPath } from '../domain/restaurant-path.ts';
import { renderAlarmPage } from '../render/html/alarm-page.tsx';
import { renderLunchCalendar } from '../render/ics/lunch-calendar.ts';
import { renderCalendar } from '../render/ics/menu-calendar.ts';
import { renderAlarmMarkdown } from '../render/markdown/alarm-markdown.ts';
import { incompleteNotes } from '../render/notes/unread-notes.ts';
import { namesOf, type PageContext } from '../render/page-context.ts';
import { sentences } from '../render/plain-text.ts';
import { lastChange, renderFeed } from '../render/rss/menu-feed.ts';
import { countdown } from '../running/waits.ts';

type Restaurants = readonly Restaurant[];

interface Parts {
  readonly service: MenuService;
  readonly pages: Pages;
  readonly readings: Readings;
  readonly nowMs: () => number;
  /** How long the page may wait for what has to be read first, in ms. */
  readonly pageWaitMs: number;
}

const MAX_DISH_LENGTH = 100;
const MAX_RESTAURANTS = 12;
const REMIND_MINUTES = 30;
const MATCH_LIMIT = 200;

const FEED_HEADERS = {
  ...BASE_HEADERS,
  'Cache-Control': 'public, max-age=300',
  'Access-Control-Allow-Origin': '*',
};

const keysOf = (named: readonly UnreadFavourite[]): readonly string[] =>
  named.map(({ vendor, id }) => `${vendor}.${id}`);

const TYPES = {
  'alarm.ics': 'text/calendar; charset=utf-8',
  'alarm.rss': 'application/rss+xml; charset=utf-8',
} as const;

/** `vendor.id` as it is written in the address; undefined for anything else. */
function parseNamed(text: string): UnreadFavourite | undefined {
  const dot = text.indexOf('.');
  const vendor = parseVendor(text.slice(0, Math.max(0, dot)));
  const id = text.slice(dot + 1);
  return vendor === undefined || id === '' || id.length > MAX_RESTAURANT_ID_LENGTH
    ? undefined
    : { vendor, id };
}

/** The restaurants that the address names; undefined when it names none, too many, or something else. */
function namedBy(c: Context): readonly UnreadFavourite[] | undefined {
  const asked = c.req.queries('r') ?? [];
  const named = asked.map(parseNamed).filter((each) => each !== undefined);
  return named.length === 0 || named.length !== asked.length || named.length > MAX_RESTAURANTS
    ? undefined
    : named;
}

/** A time of day, `HH:MM`. */
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const REMINDER_DAYS = 7;

const ANSWERS = {
  '429': { description: 'Too many requests; Retry-After says when to try again.' },
};

/** `/alarm.ics`: the days of a dish, or a reminder of lunch. */
export const alarmCalendarRoute = describedRoute('/alarm.ics', {
  ...calendarOperation(
    'getDishCalendar',
    'Days on which a dish is served at restaurants, with a reminder 30 minutes before; or their lunch each day',
    ['200', '400', '404', '500'],
    ANSWERS,
  ),
  requestParams: { query: AlarmCalendarQuery },
});

/** `/alarm.rss`: the days of a dish. */
export const alarmFeedRoute = describedRoute('/alarm.rss', {
  ...feedOperation(
    'getDishFeed',
    'Days on which a dish is served at restaurants, as RSS',
    ['200', '400', '404', '500'],
    ANSWERS,
  ),
  requestParams: { query: AlarmQuery },
});

/**
 * `/alarm.ics` and `/alarm.rss`: the days ahead on which a dish is served at restaurants, or, with a time instead of a
 * dish, a reminder of their lunch; `/alarm`: the page to set them. Everything is in the address.
 */
export function mountAlarms(app: Hono, parts: Parts): void {
  const { service, pages, readings, nowMs, pageWaitMs } = parts;
  /** What programs have kept of an alarm is better than one without a restaurant that cannot be looked up. */
  const lookUp = async (c: Context, named: readonly UnreadFavourite[]): Promise<Response | Restaurants> => {
    const restaurants = await restaurantsNamed(service, named);
    if (restaurants.length === 0) return pages.sendError(c, 'restaurantNotFound');
    if (restaurants.every(isRead)) return restaurants;
    return pages.sendError(c, 'catalogueUnread', RETRY_LATER);
  };
  const remind = async (c: Context, at: string): Promise<Response> => {
    const named = namedBy(c);
    if (named === undefined || !TIME.test(at)) return pages.sendError(c, 'badAlarm');
    const unchanged = readings.ofAll();
    const restaurants = await lookUp(c, named);
    if (restaurants instanceof Response) return restaurants;
    const weeks = await Promise.all(
      restaurants.map(({ vendor, id }) =>
        service.week(vendor, id, seoulToday(nowMs()), REMINDER_DAYS, countdown(pageWaitMs)),
      ),
    );
    const days = weeks.flat();
    return pages.sendFeed(c, {
      path: lunchReminderPath(at, keysOf(named)),
      unchanged,
      unread: hasUnread(days) || isLoading(days),
      version: days.map(dayVersion).join('\n'),
      headers: { ...FEED_HEADERS, 'Content-Type': TYPES['alarm.ics'] },
      render: (page) => renderLunchCalendar(page, days, at),
    });
  };
  const send = async (c: Context, file: keyof typeof TYPES): Promise<Response> => {
    const dish = dishWords(c.req.query('dish') ?? '');
    const named = namedBy(c);
    if (dish === '' || dish.length > MAX_DISH_LENGTH || named === undefined)
      return pages.sendError(c, 'badAlarm');
    const unchanged = readings.ofAll();
    const restaurants = await lookUp(c, named);
    if (restaurants instanceof Response) return restaurants;
    const found = await service.searchDishes(dish, { restaurants, limit: MATCH_LIMIT });
    const days = matchedDays(found.matches);
    const unread = found.unreadDays > 0;
    const path = alarmPath(file, dish, keysOf(named));
    const describe = (page: PageContext): string => {
      const places = restaurants.map((each) => namesOf(page, each).primary);
      return sentences([
        page.text.alarmDescription(dish, places.join(', ')),
        ...(page.sampleData ? [page.text.sampleData] : []),
        ...(found.unreadDays > 0 ? [page.text.dishUnread(found.unreadDays)] : []),
        ...incompleteNotes(page, found.incomplete),
      ]);
    };
    return pages.sendFeed(c, {
      path,
      unchanged,
      unread,
      version: [seoulToday(nowMs()), ...restaurants.map(({ id }) => id), ...days.map(dayVersion)].join('\n'),
      headers: { ...FEED_HEADERS, 'Content-Type': TYPES[file] },
      render: (page) => {
        const title = page.text.alarmName(dish);
        if (file === 'alarm.ics')
          return renderCalendar(page, days, title, describe(page), { dish, minutes: REMIND_MINUTES });
        const channel = {
          title,
          description: describe(page),
          pagePath: foundPath(dish),
          feedPath: path,
          changedAt: lastChange(days),
        };
        return renderFeed(page, channel, days, { ofAllRestaurants: true });
      },
    });
  };
  app.get('/alarm', async (c) => {
    const dish = dishWords(c.req.query('dish') ?? '');
    const asksRestaurants = c.req.query('r') !== undefined;
    const named = asksRestaurants ? namedBy(c) : [];
    if (dish.length > MAX_DISH_LENGTH || named === undefined) return pages.sendError(c, 'badAlarm');
    const wait = countdown(pageWaitMs);
    const [own, others] = await Promise.all([
      favouriteRestaurants(service, getCookie(c, FAVOURITES_COOKIE), wait),
      restaurantsNamed(service, named, wait),
    ]);
    const ownKeys = own.map(alarmKey);
    const listed = [...own, ...others.filter((each) => !ownKeys.includes(alarmKey(each)))];
    const chosen = asksRestaurants ? others : own;
    const found =
      dish === '' || chosen.length === 0
        ? undefined
        : await service.searchDishes(dish, { restaurants: chosen, limit: MATCH_LIMIT, ...wait });
    const path = dish === '' ? '/alarm' : alarmPath('alarm', dish, asksRestaurants ? keysOf(named) : []);
    const model = { path, dish, listed, chosen, found };
    return pages.send(c, {
      path,
      unread: !listed.every(isRead),
      html: (page) => renderAlarmPage(page, model),
      markdown: (page) => renderAlarmMarkdown(page, model),
      headers: { Vary: 'Accept, Accept-Language, Cookie', 'Cache-Control': 'private, no-cache' },
    });
  });
  app.get(alarmCalendarRoute.path, (c) => {
    const at = c.req.query('at');
    return c.req.query('dish') === undefined && at !== undefined ? remind(c, at) : send(c, 'alarm.ics');
  });
  app.get(alarmFeedRoute.path, (c) => send(c, 'alarm.rss'));
}
