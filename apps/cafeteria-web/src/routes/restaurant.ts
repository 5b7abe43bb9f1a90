import type { Context, Hono } from 'hono';
import { seoulToday } from 'menu-client';
import { dayPath, weekPath } from '../domain/restaurant-path.ts';
import { parseCompactDate } from '../domain/seoul-time.ts';
import { markFinished } from '../http/finished.ts';
import { BASE_HEADERS } from '../http/headers.ts';
import { sendErrorPage } from '../http/page.ts';
import type { Site } from '../http/site.ts';
import { findRestaurant } from './find-restaurant.ts';

/** A redirect that holds for this moment only: today moves. */
function temporary(c: Context, path: string): Response {
  markFinished(c);
  return new Response(null, {
    status: 302,
    headers: { ...BASE_HEADERS, Location: path, 'Cache-Control': 'no-store', Vary: 'Accept' },
  });
}

/** The undated paths: to today's page, or to the date that the date picker sends. */
export function mountRestaurant(app: Hono, site: Site): void {
  app.get('/restaurants/:vendor/:id', async (c) => {
    const found = await findRestaurant(c, site);
    return 'answer' in found
      ? found.answer
      : temporary(c, dayPath(found.restaurant, seoulToday(site.nowMs())));
  });

  app.get('/restaurants/:vendor/:id/:slug', async (c) => {
    const found = await findRestaurant(c, site);
    if ('answer' in found) return found.answer;
    const query = new URL(c.req.url).searchParams;
    const asked = query.get('date');
    const date = asked === null ? seoulToday(site.nowMs()) : parseCompactDate(asked.replaceAll('-', ''));
    if (date === undefined) return sendErrorPage(c, site, 'badDate');
    query.delete('date');
    const rest = query.toString();
    return temporary(c, dayPath(found.restaurant, date) + (rest === '' ? '' : `?${rest}`));
  });

  app.get('/restaurants/:vendor/:id/:slug/week', async (c) => {
    const found = await findRestaurant(c, site, '/week');
    if ('answer' in found) return found.answer;
    return temporary(c, weekPath(found.restaurant, seoulToday(site.nowMs())) + new URL(c.req.url).search);
  });
}
