import { setTimeout as sleep } from 'node:timers/promises';
import type { Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import type { DailyMenu, MenuService, Restaurant } from 'menu-client';
import { seoulToday } from 'menu-client';
import type { Readings } from '../answers/readings.ts';
import { dayVersion } from '../domain/day-view.ts';
import { galleryOf } from '../domain/gallery.ts';
import { seoulMinutes } from '../domain/seoul-time.ts';
import { FAVOURITES_COOKIE, favouriteRestaurants } from '../http/favourites.ts';
import type { Pages } from '../http/pages.ts';
import { renderHomePage } from '../render/html/home-page.tsx';
import { renderHomeMarkdown } from '../render/markdown/home-markdown.ts';

const RESULT_LIMIT = 50;
const GALLERY_LIMIT = 12;
const SHOWCASE_COUNT = 6;
const PLACE_COUNT = 6;
const MAX_QUERY_LENGTH = 100;
// Visitors without restaurants of their own do not wait for an operator.
const SHOWCASE_WAIT_MS = 500;

/** Some restaurants for visitors who have chosen none: different ones each day, the same for everybody. */
async function showcase(service: MenuService, date: string): Promise<readonly Restaurant[]> {
  const all = await service.restaurants();
  const count = Math.min(SHOWCASE_COUNT, all.length);
  const start = Number(date.replaceAll('-', '')) * 31;
  const step = Math.max(1, Math.floor(all.length / Math.max(1, count)));
  return Array.from({ length: count }, (_, index) => all[(start + index * step) % all.length]).filter(
    (restaurant) => restaurant !== undefined,
  );
}

interface KnownDays {
  readonly days: readonly DailyMenu[];
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
  return { days: read.filter((day) => day !== 'late'), pending: read.includes('late') };
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
      const results = await service.search(query, { limit: RESULT_LIMIT });
      const model = {
        query,
        results,
        resultLimit: RESULT_LIMIT,
        mine: [],
        places: [],
        gallery: [],
        days: [],
        pending: false,
      };
      return pages.send(c, {
        path: `/?${new URLSearchParams({ q: query }).toString()}`,
        html: (page) => renderHomePage(page, model),
        markdown: (page) => renderHomeMarkdown(page, model),
      });
    }
    const nowMs = clock.nowMs();
    const date = seoulToday(nowMs);
    const unchanged = readings.ofAll();
    const mine = await favouriteRestaurants(service, getCookie(c, FAVOURITES_COOKIE));
    const personal = mine.length > 0;
    const { days, pending } = personal
      ? await daysOf(service, mine, date)
      : await daysOf(service, await showcase(service, date), date, SHOWCASE_WAIT_MS);
    const gallery = galleryOf(days, seoulMinutes(nowMs), { limit: GALLERY_LIMIT, photosOnly: !personal });
    const places = personal ? [] : placesOf(await service.restaurants());
    const model = { query: '', resultLimit: RESULT_LIMIT, mine, places, gallery, days, pending };
    const shown = gallery
      .map(({ period, menu, restaurant }) => `${restaurant.id}${period.code}${menu.id}`)
      .join();
    return pages.send(c, {
      ...(personal
        ? {}
        : { version: [String(pending), ...places, ...days.map(dayVersion), shown].join(), unchanged }),
      path: '/',
      html: (page) => renderHomePage(page, model),
      markdown: (page) => renderHomeMarkdown(page, model),
      headers: {
        Vary: 'Accept, Accept-Language, Cookie',
        ...(personal ? { 'Cache-Control': 'private, no-cache' } : {}),
        ...(pending ? { 'Cache-Control': 'no-cache' } : {}),
      },
    });
  });
}
