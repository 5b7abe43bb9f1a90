import type { Hono } from 'hono';
import { parseCompactDate, seoulToday } from 'menu-client';
import { dayFeedPath, dayPath, weekPath } from '../domain/restaurant-path.ts';
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

/** The undated paths: to today's page, or to the date that the date picker sends. */
export function mountRestaurant(app: Hono, parts: Parts): void {
  const { pages, nowMs } = parts;
  app.get('/restaurants/:vendor/:id', async (c) => {
    const found = await findRestaurant(c, parts);
    return 'answer' in found ? found.answer : temporary(dayPath(found.restaurant, seoulToday(nowMs())));
  });

  app.get('/restaurants/:vendor/:id/:slug', async (c) => {
    const found = await findRestaurant(c, parts);
    if ('answer' in found) return found.answer;
    const query = new URL(c.req.url).searchParams;
    const asked = query.get('date');
    const date = asked === null ? seoulToday(nowMs()) : parseCompactDate(asked.replaceAll('-', ''));
    if (date === undefined) return pages.sendError(c, 'badDate');
    query.delete('date');
    const rest = query.toString();
    return temporary(dayPath(found.restaurant, date) + (rest === '' ? '' : `?${rest}`));
  });

  app.get('/restaurants/:vendor/:id/:slug/rss.xml', async (c) => {
    const found = await findRestaurant(c, parts, '/rss.xml');
    if ('answer' in found) return found.answer;
    return temporary(dayFeedPath(found.restaurant, seoulToday(nowMs())) + new URL(c.req.url).search);
  });

  app.get('/restaurants/:vendor/:id/:slug/week', async (c) => {
    const found = await findRestaurant(c, parts, '/week');
    if ('answer' in found) return found.answer;
    return temporary(weekPath(found.restaurant, seoulToday(nowMs())) + new URL(c.req.url).search);
  });
}
