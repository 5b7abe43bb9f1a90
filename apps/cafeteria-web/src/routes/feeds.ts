import type { Context, Hono } from 'hono';
import { routePath } from 'hono/route';
import { seoulToday } from 'menu-client';
import { dayVersion } from '../domain/day-view.ts';
import { calendarPath, dayCalendarPath, dayFeedPath, dayPath } from '../domain/restaurant-path.ts';
import { parseCompactDate } from '../domain/seoul-time.ts';
import { BASE_HEADERS } from '../http/headers.ts';
import { isLanguage } from '../http/language.ts';
import { feedContext, sendErrorPage } from '../http/page.ts';
import type { ReadingMark } from '../http/readings.ts';
import { documentKey, withLanguage } from '../http/ready-key.ts';
import { Rendering } from '../http/rendering.ts';
import { respond } from '../http/respond.ts';
import type { Site } from '../http/site.ts';
import { validFrom } from '../http/validity.ts';
import { renderCalendar } from '../render/ics/menu-calendar.ts';
import { namesOf, type PageContext } from '../render/page-context.ts';
import { lastChange, missingPeriods, renderFeed } from '../render/rss/menu-feed.ts';
import { findRestaurant } from './find-restaurant.ts';

const SHARED = {
  ...BASE_HEADERS,
  'Cache-Control': 'public, max-age=300',
  'Access-Control-Allow-Origin': '*',
};
const RSS_HEADERS = { ...SHARED, 'Content-Type': 'application/rss+xml; charset=utf-8' };
const ICS_HEADERS = { ...SHARED, 'Content-Type': 'text/calendar; charset=utf-8' };

interface Kept {
  /** As our links spell it. */
  readonly path: string;
  readonly version: string;
  /** Taken before the days were asked for. */
  readonly mark: ReadingMark;
  readonly headers: Readonly<Record<string, string>>;
  readonly render: (page: PageContext) => string;
}

/** Feeds depend on the address alone: the path, the language asked for and the origin. */
function keyOf(c: Context, site: Site, path: string): string {
  const asked = c.req.query('lang');
  return documentKey(site, c.req.header('host'), withLanguage(path, isLanguage(asked) ? asked : undefined));
}

function sendRecentFeed(c: Context, site: Site): Promise<Response> | undefined {
  const recent = site.renderings.recent(keyOf(c, site, new URL(c.req.url).pathname), site.nowMs());
  return recent === undefined ? undefined : respond(c, recent.rendering);
}

function send(c: Context, site: Site, kept: Kept): Promise<Response> {
  const page = feedContext(c, site);
  // The seven days of a calendar begin today.
  const version = `${page.today} ${kept.version}`;
  const make = () => new Rendering(kept.render(page), kept.headers, version);
  const validity = validFrom(site.nowMs(), kept.mark);
  const key = keyOf(c, site, kept.path);
  return respond(c, site.renderings.get(key, version, routePath(c), validity, make));
}

/** Feeds and calendars: of all restaurants, and of one. */
export function mountFeeds(app: Hono, site: Site): void {
  app.get('/rss.xml', async (c) => respond(c, await site.feed.current()));

  app.get('/restaurants/:vendor/:id/:slug/calendar.ics', async (c) => {
    const recent = sendRecentFeed(c, site);
    if (recent !== undefined) return recent;
    const found = await findRestaurant(c, site, '/calendar.ics');
    if ('answer' in found) return found.answer;
    const { vendor, id } = found.restaurant;
    const mark = site.readings.ofRestaurant(vendor, id);
    const days = await site.service.week(vendor, id, seoulToday(site.nowMs()), 7);
    return send(c, site, {
      path: calendarPath(found.restaurant),
      mark,
      version: days.map(dayVersion).join('\n'),
      headers: ICS_HEADERS,
      render: (page) => renderCalendar(page, days, namesOf(page, found.restaurant).primary),
    });
  });

  app.get('/restaurants/:vendor/:id/:slug/:file{[^/]+\\.ics}', async (c) => {
    const recent = sendRecentFeed(c, site);
    if (recent !== undefined) return recent;
    const file = c.req.param('file');
    const found = await findRestaurant(c, site, `/${encodeURIComponent(file)}`);
    if ('answer' in found) return found.answer;
    const date = parseCompactDate(file.slice(0, -'.ics'.length));
    if (date === undefined) return sendErrorPage(c, site, 'badDate');
    const mark = site.readings.ofRestaurant(found.restaurant.vendor, found.restaurant.id);
    const day = await site.service.dailyMenu(found.restaurant.vendor, found.restaurant.id, date);
    return send(c, site, {
      path: dayCalendarPath(found.restaurant, date),
      mark,
      version: dayVersion(day),
      headers: ICS_HEADERS,
      render: (page) =>
        renderCalendar(
          page,
          [day],
          page.text.dayTitle(namesOf(page, found.restaurant).primary, page.text.date(date)),
        ),
    });
  });

  app.get('/restaurants/:vendor/:id/:slug/:date/rss.xml', async (c) => {
    const recent = sendRecentFeed(c, site);
    if (recent !== undefined) return recent;
    const compact = c.req.param('date');
    const found = await findRestaurant(c, site, `/${encodeURIComponent(compact)}/rss.xml`);
    if ('answer' in found) return found.answer;
    const date = parseCompactDate(compact);
    if (date === undefined) return sendErrorPage(c, site, 'badDate');
    const { restaurant } = found;
    const mark = site.readings.ofRestaurant(restaurant.vendor, restaurant.id);
    const day = await site.service.dailyMenu(restaurant.vendor, restaurant.id, date);
    return send(c, site, {
      path: dayFeedPath(restaurant, date),
      mark,
      version: dayVersion(day),
      headers: RSS_HEADERS,
      render: (page) => {
        const title = page.text.dayTitle(namesOf(page, restaurant).primary, page.text.longDate(date));
        const notes = [page.sampleData ? page.text.sampleData : '', missingPeriods(page, day)];
        const channel = {
          title,
          description: [title, ...notes].filter((note) => note !== '').join('. '),
          pagePath: dayPath(restaurant, date),
          feedPath: dayFeedPath(restaurant, date),
          changedAt: lastChange([day]),
        };
        return renderFeed(page, channel, [day]);
      },
    });
  });
}
