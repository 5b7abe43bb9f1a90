import type { Context, Hono } from 'hono';
import type { MenuService } from 'menu-client';
import { MAX_RESTAURANT_ID_LENGTH, parseVendor, seoulToday } from 'menu-client';
import { restaurantsNamed } from '../answers/http/favourites.ts';
import { BASE_HEADERS } from '../answers/http/headers.ts';
import type { Pages } from '../answers/http/pages.ts';
import type { Readings } from '../answers/readings.ts';
import { dayVersion } from '../domain/day-view.ts';
import { dishWords } from '../domain/dish-words.ts';
import { isRead, type UnreadFavourite } from '../domain/favourite.ts';
import { matchedDays } from '../domain/matched-days.ts';
import { alarmPath, dishesPath } from '../domain/restaurant-path.ts';
import { renderCalendar } from '../render/ics/menu-calendar.ts';
import { namesOf, type PageContext } from '../render/page-context.ts';
import { sentences } from '../render/plain-text.ts';
import { lastChange, renderFeed } from '../render/rss/menu-feed.ts';
import { incompleteNotes } from '../render/unread-notes.ts';

interface Parts {
  readonly service: MenuService;
  readonly pages: Pages;
  readonly readings: Readings;
  readonly nowMs: () => number;
}

const MAX_DISH_LENGTH = 100;
const MAX_RESTAURANTS = 12;
const REMIND_MINUTES = 30;
const MATCH_LIMIT = 200;

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

/** `/alarm.ics` and `/alarm.rss`: the days ahead on which a dish is served at restaurants; everything is in the address. */
export function mountAlarms(app: Hono, { service, pages, readings, nowMs }: Parts): void {
  const send = async (c: Context, file: keyof typeof TYPES): Promise<Response> => {
    const dish = dishWords(c.req.query('dish') ?? '');
    const asked = c.req.queries('r') ?? [];
    const named = asked.map(parseNamed).filter((each) => each !== undefined);
    if (
      dish === '' ||
      dish.length > MAX_DISH_LENGTH ||
      named.length === 0 ||
      named.length !== asked.length ||
      named.length > MAX_RESTAURANTS
    )
      return pages.sendError(c, 'badAlarm');
    const unchanged = readings.ofAll();
    const restaurants = await restaurantsNamed(service, named);
    if (restaurants.length === 0) return pages.sendError(c, 'restaurantNotFound');
    const found = await service.searchDishes(dish, { restaurants, limit: MATCH_LIMIT });
    const days = matchedDays(found.matches);
    const unread = found.unreadDays > 0 || restaurants.some((each) => !isRead(each));
    const path = alarmPath(file, dish, asked);
    const describe = (page: PageContext): string => {
      const places = restaurants.map((each) => (isRead(each) ? namesOf(page, each).primary : each.id));
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
      headers: {
        ...BASE_HEADERS,
        'Content-Type': TYPES[file],
        'Cache-Control': 'public, max-age=300',
        'Access-Control-Allow-Origin': '*',
      },
      render: (page) => {
        const title = page.text.alarmName(dish);
        if (file === 'alarm.ics')
          return renderCalendar(page, days, title, describe(page), { dish, minutes: REMIND_MINUTES });
        const channel = {
          title,
          description: describe(page),
          pagePath: dishesPath(dish),
          feedPath: path,
          changedAt: lastChange(days),
        };
        return renderFeed(page, channel, days, { ofAllRestaurants: true });
      },
    });
  };
  app.get('/alarm.ics', (c) => send(c, 'alarm.ics'));
  app.get('/alarm.rss', (c) => send(c, 'alarm.rss'));
}
