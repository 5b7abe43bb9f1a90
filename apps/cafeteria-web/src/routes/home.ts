import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import type { DailyMenu, MenuService, Restaurant } from 'menu-client';
import { MenuError, seoulToday } from 'menu-client';
import type { Readings } from '../answers/readings.ts';
import { dayVersion, hasUnread, nothingServed } from '../domain/day-view.ts';
import { isRead } from '../domain/favourite.ts';
import { galleryOf } from '../domain/gallery.ts';
import { decodeLook, encodeLook, type Look, PLAIN_LOOK, parseLook } from '../domain/look.ts';
import { myMeals } from '../domain/my-meals.ts';
import { otherDay } from '../domain/other-day.ts';
import { seoulMinutes } from '../domain/seoul-time.ts';
import { FAVOURITES_COOKIE, favouriteRestaurants } from '../http/favourites.ts';
import { RETRY_LATER } from '../http/headers.ts';
import type { Page, Pages } from '../http/pages.ts';
import { renderHomePage } from '../render/html/home-page.tsx';
import { renderHomeMarkdown } from '../render/markdown/home-markdown.ts';

/** Holds how a visitor looks at their dishes, and nothing else about them. */
const LOOK_COOKIE = 'look';
const YEAR_S = 31_536_000;
const RESULT_LIMIT = 50;
const GALLERY_LIMIT = 12;
const SHOWCASE_COUNT = 6;
const PLACE_COUNT = 6;
const MAX_QUERY_LENGTH = 100;
// Visitors without restaurants of their own do not wait for an operator.
const SHOWCASE_WAIT_MS = 500;

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
  /** True when some were still being read when the wait ended. */
  readonly pending: boolean;
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

/** The days that can be shown within `waitMs`; a restaurant that left the catalogue meanwhile has none. */
async function daysOf(
  service: MenuService,
  restaurants: readonly Restaurant[],
  date: string,
  waitMs = Number.POSITIVE_INFINITY,
): Promise<KnownDays> {
  const late = new AbortController();
  const tooLate = Number.isFinite(waitMs)
    ? sleep(waitMs, 'late' as const, { signal: late.signal }).catch(() => 'late' as const)
    : undefined;
  const found = await Promise.allSettled(
    restaurants.map(({ vendor, id }) => {
      const day = service.dailyMenu(vendor, id, date);
      return tooLate === undefined ? day : Promise.race([day, tooLate]);
    }),
  );
  late.abort();
  const read = found.flatMap((day) => (day.status === 'fulfilled' ? [day.value] : []));
  const failed = restaurants.filter((_, at) => {
    const day = found[at];
    return day?.status === 'rejected' && !hasLeft(day.reason);
  });
  return { days: read.filter((day) => day !== 'late'), failed, pending: read.includes('late') };
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

/** Each day, or the next one with menus if it has none. */
async function servedDays(
  service: MenuService,
  days: readonly DailyMenu[],
  today: string,
): Promise<readonly DailyMenu[]> {
  return Promise.all(
    days.map(async (day) => {
      const other = nothingServed(day) ? await otherDay(service, day, today) : undefined;
      return other?.day ?? day;
    }),
  );
}

interface Parts {
  readonly service: MenuService;
  readonly pages: Pages;
  readonly readings: Readings;
  readonly nowMs: () => number;
}

/** `/`: search, my restaurants, today's gallery. */
export function mountHome(app: Hono, { service, pages, readings, ...clock }: Parts): void {
  const placesOf = placesOnce();
  app.get('/', async (c) => {
    const query = c.req.query('q')?.trim() ?? '';
    if (query.length > MAX_QUERY_LENGTH) return pages.sendError(c, 'badQuery');
    if (query !== '') {
      const { restaurants: results, incomplete } = await service.search(query, { limit: RESULT_LIMIT });
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
        pending: false,
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
    const { restaurants, incomplete } = await service.restaurants();
    const mine = await favouriteRestaurants(service, getCookie(c, FAVOURITES_COOKIE));
    const personal = mine.length > 0;
    const look = lookOf(c);
    const { days, failed, pending } = personal
      ? await daysOf(service, mine.filter(isRead), date)
      : await daysOf(service, showcase(restaurants, date), date, SHOWCASE_WAIT_MS);
    const gallery = personal
      ? []
      : galleryOf(days, seoulMinutes(nowMs), { limit: GALLERY_LIMIT, photosOnly: true });
    const served = personal ? await servedDays(service, days, date) : [];
    const meals = myMeals(served, date, seoulMinutes(nowMs), look);
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
      pending,
    };
    const nothing = restaurants.length === 0 && incomplete.length > 0;
    const shown = gallery
      .map(({ period, menu, restaurant }) => `${restaurant.id}${period.code}${menu.id}`)
      .join();
    const home: Page = {
      ...(personal
        ? {}
        : { version: [String(pending), ...places, ...days.map(dayVersion), shown].join(), unchanged }),
      path: '/',
      unread: incomplete.length > 0 || failed.length > 0 || hasUnread(days),
      html: (page) => renderHomePage(page, model),
      markdown: (page) => renderHomeMarkdown(page, model),
      headers: {
        Vary: 'Accept, Accept-Language, Cookie',
        ...(personal ? { 'Cache-Control': 'private, no-cache' } : {}),
        ...(personal && isAsked(c) ? { 'Set-Cookie': lookCookie(look, new URL(c.req.url).protocol) } : {}),
        ...(pending ? { 'Cache-Control': 'no-cache' } : {}),
        ...(nothing ? RETRY_LATER : {}),
      },
    };
    return pages.send(c, home, nothing ? 503 : 200);
  });
}
