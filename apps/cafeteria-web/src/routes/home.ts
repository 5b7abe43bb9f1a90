import type { Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import type { DailyMenu, MenuService, Restaurant } from 'menu-client';
import { seoulToday } from 'menu-client';
import { dayVersion } from '../domain/day-view.ts';
import { galleryOf } from '../domain/gallery.ts';
import { seoulMinutes } from '../domain/seoul-time.ts';
import { FAVOURITES_COOKIE, parseFavourites } from '../http/favourites.ts';
import { sendErrorPage, sendPage } from '../http/page.ts';
import type { Site } from '../http/site.ts';
import { renderHomePage } from '../render/html/home-page.tsx';
import { renderHomeMarkdown } from '../render/markdown/home-markdown.ts';

const RESULT_LIMIT = 50;
const GALLERY_LIMIT = 12;
const SHOWCASE_COUNT = 6;
const MAX_QUERY_LENGTH = 100;

async function favourites(service: MenuService, cookie: string | undefined): Promise<readonly Restaurant[]> {
  const found = await Promise.all(
    parseFavourites(cookie).map(({ vendor, id }) => service.restaurant(vendor, id)),
  );
  return found.filter((restaurant) => restaurant !== undefined);
}

/** Some restaurants to show to those who have chosen none: others each day, the same for everybody. */
async function showcase(service: MenuService, date: string): Promise<readonly Restaurant[]> {
  const all = await service.restaurants();
  const count = Math.min(SHOWCASE_COUNT, all.length);
  const start = Number(date.replaceAll('-', '')) * 31;
  const step = Math.max(1, Math.floor(all.length / Math.max(1, count)));
  return Array.from({ length: count }, (_, index) => all[(start + index * step) % all.length]).filter(
    (restaurant) => restaurant !== undefined,
  );
}

/** The days that can be shown; a restaurant that left the catalogue meanwhile is not one. */
async function daysOf(
  service: MenuService,
  restaurants: readonly Restaurant[],
  date: string,
): Promise<DailyMenu[]> {
  const days = await Promise.allSettled(
    restaurants.map(({ vendor, id }) => service.dailyMenu(vendor, id, date)),
  );
  return days.filter((day) => day.status === 'fulfilled').map((day) => day.value);
}

/** `/`: search, my restaurants, today's gallery. */
export function mountHome(app: Hono, site: Site): void {
  const { service } = site;
  app.get('/', async (c) => {
    const query = c.req.query('q')?.trim() ?? '';
    if (query.length > MAX_QUERY_LENGTH) return sendErrorPage(c, site, 'badQuery');
    if (query !== '') {
      const results = await service.search(query, { limit: RESULT_LIMIT });
      const model = { query, results, resultLimit: RESULT_LIMIT, mine: [], gallery: [], days: [] };
      return sendPage(c, site, {
        path: `/?${new URLSearchParams({ q: query }).toString()}`,
        html: (page) => renderHomePage(page, model),
        markdown: (page) => renderHomeMarkdown(page, model),
      });
    }
    const nowMs = site.nowMs();
    const date = seoulToday(nowMs);
    const mine = await favourites(service, getCookie(c, FAVOURITES_COOKIE));
    const days = await daysOf(service, mine.length > 0 ? mine : await showcase(service, date), date);
    const gallery = galleryOf(days, seoulMinutes(nowMs), GALLERY_LIMIT);
    const model = { query: '', resultLimit: RESULT_LIMIT, mine, gallery, days };
    const personal = mine.length > 0;
    const shown = gallery
      .map(({ period, menu, restaurant }) => `${restaurant.id}${period.code}${menu.id}`)
      .join();
    return sendPage(c, site, {
      ...(personal ? {} : { key: '/', version: days.map(dayVersion).join() + shown }),
      path: '/',
      html: (page) => renderHomePage(page, model),
      markdown: (page) => renderHomeMarkdown(page, model),
      headers: {
        Vary: 'Accept, Accept-Language, Cookie',
        ...(personal ? { 'Cache-Control': 'private, no-cache' } : {}),
      },
    });
  });
}
