import type { Hono } from 'hono';
import { resolveDate, seoulToday } from 'menu-client';
import { pageAnswer, RESTAURANT_ANSWERS } from '../../answers/openapi/answers.ts';
import { describedRoute } from '../../answers/openapi/described-route.ts';
import { RestaurantPath } from '../../answers/openapi/parameters.ts';
import { mondayOf } from '../../domain/day/monday-of.ts';
import { dayPath, weekPath } from '../../domain/restaurant-path.ts';
import { findRestaurant, type RestaurantParts } from './find-restaurant.ts';

/** A redirect that nobody may keep: which day is today changes. */
function temporary(path: string): Response {
  return new Response(null, {
    status: 302,
    headers: { Location: path, 'Cache-Control': 'no-store', Vary: 'Accept' },
  });
}

interface Parts extends RestaurantParts {
  readonly nowMs: () => number;
}

/** `/restaurants/{vendor}/{id}/{slug}`: to today's menus. */
export const restaurantRoute = describedRoute('/restaurants/:vendor/:id/:slug', {
  operationId: 'openTodaysMenu',
  summary: "Go to today's menu",
  tags: ['menus'],
  requestParams: { path: RestaurantPath },
  responses: {
    '200': pageAnswer("Today's menu, for clients that follow the redirect."),
    '302': { description: "The path of today's menu." },
    ...RESTAURANT_ANSWERS,
  },
});

/** The undated paths: to today's page, or to the day that `date` names, as people and the date picker write it. */
export function mountRestaurant(app: Hono, parts: Parts): void {
  const { nowMs } = parts;
  app.get('/restaurants/:vendor/:id', async (c) => {
    const found = await findRestaurant(c, parts);
    return 'answer' in found ? found.answer : temporary(dayPath(found.restaurant, seoulToday(nowMs())));
  });

  app.get(restaurantRoute.path, async (c) => {
    const found = await findRestaurant(c, parts);
    if ('answer' in found) return found.answer;
    const query = new URL(c.req.url).searchParams;
    const asked = query.get('date');
    const date = resolveDate(asked ?? 'today', nowMs());
    query.delete('date');
    const rest = query.toString();
    return temporary(dayPath(found.restaurant, date) + (rest === '' ? '' : `?${rest}`));
  });

  app.get('/restaurants/:vendor/:id/:slug/week', async (c) => {
    const found = await findRestaurant(c, parts, '/week');
    if ('answer' in found) return found.answer;
    return temporary(weekPath(found.restaurant, mondayOf(seoulToday(nowMs()))) + new URL(c.req.url).search);
  });
}
