import type { Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import type { MenuService } from 'menu-client';
import { seoulToday } from 'menu-client';
import { z } from 'zod';
import { FAVOURITES_COOKIE, favouriteRestaurants } from '../../answers/http/favourites.ts';
import { RETRY_LATER } from '../../answers/http/headers.ts';
import type { Pages } from '../../answers/http/pages.ts';
import { DishesQuery } from '../../answers/json/schemas.ts';
import { NOT_MODIFIED, pageAnswer } from '../../answers/openapi/answers.ts';
import { describedRoute } from '../../answers/openapi/described-route.ts';
import { Lang } from '../../answers/openapi/parameters.ts';
import type { Readings } from '../../answers/readings.ts';
import { countdown } from '../../running/waits.ts';
import { firstVisit } from './first-visit.ts';
import { foundFor, MAX_QUERY_LENGTH } from './found.ts';
import { myDay, rememberedChoice } from './my-day.ts';

interface Parts {
  readonly service: MenuService;
  readonly pages: Pages;
  readonly readings: Readings;
  readonly nowMs: () => number;
  /** How long the page may wait for what has to be read first, in ms. */
  readonly pageWaitMs: number;
}

const VARY = { Vary: 'Accept, Accept-Language, Cookie' };

/** `/`: what is found for a query, or home. */
export const homeRoute = describedRoute('/', {
  operationId: 'showHome',
  summary: 'Restaurants and dishes that match a query, or home, as a page',
  tags: ['search'],
  requestParams: {
    query: Lang.extend({
      q: z
        .string()
        .max(100)
        .optional()
        .meta({
          description: 'A place, a dish or both, and a day if any.',
          examples: ['강남 돈까스 today'],
        }),
      place: z
        .string()
        .optional()
        .meta({
          description: 'Only dishes at this company, area or building, as the page names them.',
          examples: ['서울 강남권'],
        }),
      date: DishesQuery.shape.date,
    }),
  },
  responses: {
    '200': pageAnswer('What was found; home without a query.'),
    '304': NOT_MODIFIED,
    '400': pageAnswer('The query is too long, or the day is not one of the seven.'),
    '429': pageAnswer('Too many requests; Retry-After says when to try again.'),
    '500': pageAnswer('A fault of this service.'),
  },
});

/** `/`: search for places and dishes; my restaurants, or for a first visit where to begin. */
export function mountHome(app: Hono, { service, pages, readings, pageWaitMs, ...clock }: Parts): void {
  app.get(homeRoute.path, async (c) => {
    const query = c.req.query('q')?.trim() ?? '';
    if (query.length > MAX_QUERY_LENGTH) return pages.sendError(c, 'badQuery');
    const wait = countdown(pageWaitMs);
    const nowMs = clock.nowMs();
    const today = seoulToday(nowMs);
    const cookie = getCookie(c, FAVOURITES_COOKIE);
    if (query !== '') {
      const { page, status } = await foundFor(c, { service, query, cookie, nowMs, today, wait });
      return pages.send(c, { ...page, headers: { ...VARY, ...page.headers } }, status);
    }
    const unchanged = readings.ofAll();
    const [{ restaurants, incomplete }, mine] = await Promise.all([
      service.restaurants(wait),
      favouriteRestaurants(service, cookie, wait),
    ]);
    const shared = { service, incomplete, today, nowMs, wait };
    const page =
      mine.length === 0
        ? await firstVisit({ ...shared, restaurants, unchanged })
        : await myDay(c, { ...shared, mine });
    const nothing = restaurants.length === 0 && incomplete.length > 0;
    const headers = { ...VARY, ...page.headers, ...(nothing ? RETRY_LATER : {}) };
    const response = await pages.send(c, { ...page, headers }, nothing ? 503 : 200);
    if (mine.length > 0)
      for (const each of rememberedChoice(c, today, nowMs)) response.headers.append('Set-Cookie', each);
    return response;
  });
}
