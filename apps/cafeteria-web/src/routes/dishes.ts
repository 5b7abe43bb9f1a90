import type { Hono } from 'hono';
import { type DishList, type DishMatch, MenuError, type MenuService, resolveDay } from 'menu-client';
import type { z } from 'zod';
import { BASE_HEADERS, NOT_KEPT } from '../answers/http/headers.ts';
import { incompleteFields, incompleteMembers } from '../answers/http/incomplete.ts';
import { problem } from '../answers/http/problem.ts';
import { type Dishes, DishesQuery, type DishItem } from '../answers/json/schemas.ts';
import { Rendering } from '../answers/rendering.ts';
import { respond } from '../answers/respond.ts';
import { dishesOf } from '../domain/dishes-of.ts';
import { dayPath } from '../domain/restaurant-path.ts';
import { toItem } from './search.ts';

interface Parts {
  readonly service: MenuService;
  readonly nowMs: () => number;
}

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

/** `/proxy/dishes`: where and when a dish is served, as JSON. */
export function mountDishes(app: Hono, { service, nowMs }: Parts): void {
  const search = (query: string, date: string | undefined, limit: number): Promise<DishList> =>
    service.searchDishes(query, { limit, ...(date ? resolveDay(date, nowMs()) : {}) });

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

  // Dishes had a page of their own.
  app.get('/search', (c) => {
    const parameters = new URL(c.req.url).searchParams.toString();
    return c.redirect(parameters === '' ? '/' : `/?${parameters}`, 308);
  });
}
