import type { Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import {
  type DishList,
  type DishMatch,
  MenuError,
  type MenuService,
  resolveDay,
  type WaitOptions,
} from 'menu-client';
import type { z } from 'zod';
import { FAVOURITES_COOKIE, favouriteRestaurants } from '../answers/http/favourites.ts';
import { BASE_HEADERS, NOT_KEPT } from '../answers/http/headers.ts';
import { incompleteFields, incompleteMembers } from '../answers/http/incomplete.ts';
import type { Pages } from '../answers/http/pages.ts';
import { problem } from '../answers/http/problem.ts';
import { type Dishes, DishesQuery, type DishItem } from '../answers/json/schemas.ts';
import { Rendering } from '../answers/rendering.ts';
import { respond } from '../answers/respond.ts';
import { dishesOf } from '../domain/dishes-of.ts';
import { isRead } from '../domain/favourite.ts';
import { dayPath, dishesPath } from '../domain/restaurant-path.ts';
import { renderDishesPage } from '../render/html/dishes-page.tsx';
import { renderDishesMarkdown } from '../render/markdown/dishes-markdown.ts';
import { countdown } from '../running/waits.ts';
import { toItem } from './search.ts';

interface Parts {
  readonly service: MenuService;
  readonly pages: Pages;
  readonly nowMs: () => number;
  /** How long the page may wait for what has to be read first, in ms. */
  readonly pageWaitMs: number;
}

const MAX_QUERY_LENGTH = 100;
const PAGE_LIMIT = 100;
const HEADERS = {
  ...BASE_HEADERS,
  'Content-Type': 'application/json',
  'Cache-Control': 'public, max-age=60',
  'Access-Control-Allow-Origin': '*',
};

function toDish({ restaurant, date, period, menu, found }: DishMatch): z.infer<typeof DishItem> {
  const { name, nameEn, corner, serving, soldOut, nutrition } = menu;
  return {
    date,
    meal: period.code,
    mealLabel: period.label,
    found,
    name,
    ...(nameEn === undefined ? {} : { nameEn }),
    ...(corner === undefined ? {} : { corner }),
    serving,
    soldOut,
    stale: period.status === 'stale',
    dishes: dishesOf(menu).map((dish) => dish.name),
    ...(nutrition?.caloriesKcal === undefined ? {} : { caloriesKcal: nutrition.caloriesKcal }),
    ...(nutrition?.proteinG === undefined ? {} : { proteinG: nutrition.proteinG }),
    path: dayPath(restaurant, date),
    restaurant: toItem(restaurant),
  };
}

function toBody({ matches, total, date, unreadDays, incomplete }: DishList): z.infer<typeof Dishes> {
  return {
    dishes: matches.map(toDish),
    total,
    ...(date === undefined ? {} : { date }),
    unreadDays,
    incomplete: incompleteMembers(incomplete),
  };
}

/** `/proxy/dishes` and `/search`: where and when a dish is served, as JSON and as a page. */
export function mountDishes(app: Hono, { service, pages, nowMs, pageWaitMs }: Parts): void {
  const search = (
    query: string,
    date: string | undefined,
    limit: number,
    wait: WaitOptions = {},
  ): Promise<DishList> =>
    service.searchDishes(query, { limit, ...wait, ...(date ? resolveDay(date, nowMs()) : {}) });

  app.get('/proxy/dishes', async (c) => {
    const query = DishesQuery.safeParse(c.req.query());
    if (!query.success) {
      const detail = query.error.issues.map(({ message }) => message).join(' ');
      return problem(c, { title: 'Invalid request', status: 400, detail });
    }
    const { q, date, limit } = query.data;
    try {
      const found = await search(q, date, limit);
      const whole = found.unreadDays === 0 && found.incomplete.length === 0;
      const own = whole ? {} : { ...NOT_KEPT, ...incompleteFields(found.incomplete) };
      return await respond(c, new Rendering(JSON.stringify(toBody(found)), { ...HEADERS, ...own }));
    } catch (error) {
      if (!(error instanceof MenuError) || error.code !== 'invalid_date') throw error;
      return problem(c, { title: 'Invalid request', status: 400, detail: error.message });
    }
  });

  app.get('/search', async (c) => {
    const query = c.req.query('q')?.trim() ?? '';
    if (query.length > MAX_QUERY_LENGTH) return pages.sendError(c, 'badQuery');
    const wait = countdown(pageWaitMs);
    const found = await search(query, c.req.query('date'), PAGE_LIMIT, wait);
    const mine = await favouriteRestaurants(service, getCookie(c, FAVOURITES_COOKIE), wait);
    const model = { query, found, mine: mine.filter(isRead) };
    return pages.send(c, {
      path: query === '' ? '/search' : dishesPath(query, found.date),
      unread: found.unreadDays > 0 || found.incomplete.length > 0,
      html: (page) => renderDishesPage(page, model),
      markdown: (page) => renderDishesMarkdown(page, model),
      headers: {
        Vary: 'Accept, Accept-Language, Cookie',
        ...(mine.length > 0 ? { 'Cache-Control': 'private, no-cache' } : {}),
      },
    });
  });
}
