import type { Context, Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import type { DailyMenu, MenuService, Restaurant, WaitOptions } from 'menu-client';
import { MenuError, seoulToday } from 'menu-client';
import { FAVOURITES_COOKIE, favouriteRestaurants } from '../answers/http/favourites.ts';
import { RETRY_LATER } from '../answers/http/headers.ts';
import type { Page, Pages } from '../answers/http/pages.ts';
import type { Readings } from '../answers/readings.ts';
import { dayVersion, hasUnread, isLoading, nothingServed } from '../domain/day-view.ts';
import { isRead } from '../domain/favourite.ts';
import { galleryOf } from '../domain/gallery.ts';
import { decodeLook, encodeLook, type Look, PLAIN_LOOK, parseLook } from '../domain/look.ts';
import { myMeals } from '../domain/my-meals.ts';
import { otherDay } from '../domain/other-day.ts';
import { renderHomePage } from '../render/html/home-page.tsx';
import { renderHomeMarkdown } from '../render/markdown/home-markdown.ts';
import { isFirstReading } from '../render/unread-notes.ts';
import { countdown } from '../running/waits.ts';

/** Holds how a visitor looks at their dishes, and nothing else about them. */
const LOOK_COOKIE = 'look';
const YEAR_S = 31_536_000;
const RESULT_LIMIT = 50;
const GALLERY_LIMIT = 12;
const SHOWCASE_COUNT = 6;
const PLACE_COUNT = 6;
const MAX_QUERY_LENGTH = 100;
// Visitors without restaurants of their own do not wait for an operator.

/** Some restaurants for visitors who have chosen none: different ones each day, the same for everybody. */
function showcase(all: readonly Restaurant[], date: string): readonly Restaurant[] {
  const count = Math.min(SHOWCASE_COUNT, all.length);
  const start = Number(date.replaceAll('-', '')) * 31;
  const step = Math.max(1, Math.floor(all.length / Math.max(1, count)));
  return Array.from({ length: count }, (_, index) => all[(start + index * step) % all.length]).filter(
    (restaurant) => restaurant !== undefined,
  );
}

interface KnownDays {
  readonly days: readonly DailyMenu[];
  /** Restaurants whose day could not be loaded. */
  readonly failed: readonly Restaurant[];
}

const MIN_RESTAURANTS = 2;

/**
 * The places and companies with the most restaurants, most first: searches that are sure to find something.
 *
 * @param limit how many at most
 */
export function commonPlaces(restaurants: readonly Restaurant[], limit: number): readonly string[] {
  const counts = new Map<string, number>();
  for (const { location } of restaurants) {
    for (const place of new Set(location)) counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return [...counts]
    .filter(([place, count]) => count >= MIN_RESTAURANTS && place.trim().length > 1)
    .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([place]) => place);
}

/** Computed once for each list: the service hands out the same one until the catalogue changes. */
function placesOnce(): (restaurants: readonly Restaurant[]) => readonly string[] {
  const known = new WeakMap<readonly Restaurant[], readonly string[]>();
  return (restaurants) => {
    const places = known.get(restaurants) ?? commonPlaces(restaurants, PLACE_COUNT);
    known.set(restaurants, places);
    return places;
  };
}

/** The restaurants' days, as far as they are known by the end of the wait; one that left the catalogue has none. */
async function daysOf(
  service: MenuService,
  restaurants: readonly Restaurant[],
  date: string,
  wait: WaitOptions,
): Promise<KnownDays> {
  const found = await Promise.allSettled(
    restaurants.map(({ vendor, id }) => service.dailyMenu(vendor, id, date, wait)),
  );
  const days = found.flatMap((day) => (day.status === 'fulfilled' ? [day.value] : []));
  const failed = restaurants.filter((_, at) => {
    const day = found[at];
    return day?.status === 'rejected' && !hasLeft(day.reason);
  });
  return { days, failed };
}

function hasLeft(error: unknown): boolean {
  return error instanceof MenuError && error.code === 'restaurant_not_found';
}

/** True when the address says how to look at the dishes. */
function isAsked(c: Context): boolean {
  return c.req.query('sort') !== undefined || c.req.query('words') !== undefined;
}

/** How the visitor looks at the dishes of their restaurants: as the address says, else as the cookie says. */
function lookOf(c: Context): Look {
  return isAsked(c)
    ? parseLook(c.req.query('sort'), c.req.query('words'))
    : decodeLook(getCookie(c, LOOK_COOKIE));
}

function lookCookie(look: Look, protocol: string): string {
  const value = encodeLook(look);
  const age = value === '' ? 0 : YEAR_S;
  const secure = protocol === 'https:' ? '; Secure' : '';
  return `${LOOK_COOKIE}=${value}; Path=/; Max-Age=${age}; SameSite=Lax; HttpOnly${secure}`;
}

interface ServedDays {
  readonly days: readonly DailyMenu[];
  /** True when it is not known yet which day is the next one with menus. */
  readonly loading: boolean;
}

/** Each day, or the next one with menus if it has none. */
async function servedDays(
  service: MenuService,
  days: readonly DailyMenu[],
  today: string,
  wait: WaitOptions,
): Promise<ServedDays> {
  const others = await Promise.all(
    days.map(async (day) => (nothingServed(day) ? otherDay(service, day, today, wait) : undefined)),
  );
  return {
    days: days.map((day, at) => (others[at]?.kind === 'next' ? others[at].day : day)),
    loading: others.some((other) => other?.kind === 'loading'),
  };
}

interface Parts {
  readonly service: MenuService;
  readonly pages: Pages;
  readonly readings: Readings;
  readonly nowMs: () => number;
  /** How long the page may wait for what has to be read first, in ms. */
  readonly pageWaitMs: number;
}

/** `/`: search, my restaurants, today's gallery. */
export function mountHome(app: Hono, { service, pages, readings, pageWaitMs, ...clock }: Parts): void {
  const placesOf = placesOnce();
  app.get('/', async (c) => {
    const query = c.req.query('q')?.trim() ?? '';
    if (query.length > MAX_QUERY_LENGTH) return pages.sendError(c, 'badQuery');
    const wait = countdown(pageWaitMs);
    if (query !== '') {
      const { restaurants: results, incomplete } = await service.search(query, {
        limit: RESULT_LIMIT,
        ...wait,
      });
      const model = {
        query,
        results,
        incomplete,
        failed: [],
        resultLimit: RESULT_LIMIT,
        mine: [],
        places: [],
        gallery: [],
        meals: [],
        look: PLAIN_LOOK,
        days: [],
        loading: incomplete.some(isFirstReading),
      };
      const found: Page = {
        path: `/?${new URLSearchParams({ q: query }).toString()}`,
        unread: incomplete.length > 0,
        html: (page) => renderHomePage(page, model),
        markdown: (page) => renderHomeMarkdown(page, model),
      };
      // Programs would take a 200 without results for a complete answer.
      return results.length === 0 && incomplete.length > 0
        ? pages.send(c, { ...found, headers: RETRY_LATER }, 503)
        : pages.send(c, found);
    }
    const nowMs = clock.nowMs();
    const date = seoulToday(nowMs);
    const unchanged = readings.ofAll();
    const [{ restaurants, incomplete }, mine] = await Promise.all([
      service.restaurants(wait),
      favouriteRestaurants(service, getCookie(c, FAVOURITES_COOKIE), wait),
    ]);
    const personal = mine.length > 0;
    const look = lookOf(c);
    const asked = personal ? mine.filter(isRead) : showcase(restaurants, date);
    const { days, failed } = await daysOf(service, asked, date, wait);
    const gallery = personal ? [] : galleryOf(days, nowMs, { limit: GALLERY_LIMIT, photosOnly: true });
    const served = personal ? await servedDays(service, days, date, wait) : { days: [], loading: false };
    const meals = myMeals(served.days, nowMs, look);
    const loading = isLoading([...days, ...served.days]) || served.loading || incomplete.some(isFirstReading);
    const places = personal ? [] : placesOf(restaurants);
    const model = {
      query: '',
      resultLimit: RESULT_LIMIT,
      incomplete,
      mine,
      places,
      gallery,
      meals,
      look,
      days,
      failed,
      loading,
    };
    const nothing = restaurants.length === 0 && incomplete.length > 0;
    const shown = gallery
      .map(({ period, menu, restaurant }) => `${restaurant.id}${period.code}${menu?.id ?? ''}`)
      .join();
    const home: Page = {
      ...(personal ? {} : { version: [...places, ...days.map(dayVersion), shown].join(), unchanged }),
      path: '/',
      unread: loading || incomplete.length > 0 || failed.length > 0 || hasUnread([...days, ...served.days]),
      html: (page) => renderHomePage(page, model),
      markdown: (page) => renderHomeMarkdown(page, model),
      headers: {
        Vary: 'Accept, Accept-Language, Cookie',
        ...(personal ? { 'Cache-Control': 'private, no-cache' } : {}),
        ...(personal && isAsked(c) ? { 'Set-Cookie': lookCookie(look, new URL(c.req.url).protocol) } : {}),
        ...(nothing ? RETRY_LATER : {}),
      },
    };
    return pages.send(c, home, nothing ? 503 : 200);
  });
}
