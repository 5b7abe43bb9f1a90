import type { Hono } from 'hono';
import { parseCompactDate } from 'menu-client';
import { DAY_ANSWERS, pageAnswer } from '../../answers/openapi/answers.ts';
import { describedRoute } from '../../answers/openapi/described-route.ts';
import { DayPath, Lang } from '../../answers/openapi/parameters.ts';
import type { Readings } from '../../answers/readings.ts';
import { dayVersion, hasUnread, isLoading } from '../../domain/day/day-view.ts';
import { weekPath } from '../../domain/restaurant-path.ts';
import { renderWeekPage } from '../../render/html/week/week-page.tsx';
import { renderWeekMarkdown } from '../../render/markdown/week-markdown.ts';
import { countdown } from '../../running/waits.ts';
import { findRestaurant, type RestaurantParts } from './find-restaurant.ts';

interface Parts extends RestaurantParts {
  readonly readings: Readings;
  readonly nowMs: () => number;
  /** How long the page may wait for what has to be read first, in ms. */
  readonly pageWaitMs: number;
}

/** What codes of meals look like, those of operators' own too; which there are, the days say. */
const MEAL_CODE = /^[\w-]{1,20}$/;

/** `.../{YYYYMMDD}/week`: the menus of seven days. */
export const weekRoute = describedRoute('/restaurants/:vendor/:id/:slug/:date/week', {
  operationId: 'getWeeklyMenu',
  summary: 'Menus of seven days from a day',
  tags: ['menus'],
  requestParams: { path: DayPath, query: Lang },
  responses: { '200': pageAnswer('The week.'), ...DAY_ANSWERS },
});

/** `.../{YYYYMMDD}/week`: seven days in one table. */
export function mountWeek(app: Hono, parts: Parts): void {
  const { service, pages, readings, nowMs, pageWaitMs } = parts;
  app.get(weekRoute.path, async (c) => {
    const compact = c.req.param('date');
    const wait = countdown(pageWaitMs);
    const found = await findRestaurant(c, parts, `/${encodeURIComponent(compact)}/week`, wait);
    if ('answer' in found) return found.answer;
    const date = parseCompactDate(compact);
    if (date === undefined) return pages.sendError(c, 'badDate');
    const { vendor, id } = found.restaurant;
    const meal = MEAL_CODE.exec(c.req.query('meal') ?? '')?.[0];
    const unchanged = readings.ofRestaurant(vendor, id);
    const days = await service.week(vendor, id, date, 7, wait);
    return pages.send(c, {
      path: weekPath(found.restaurant, date) + (meal === undefined ? '' : `?meal=${meal}`),
      version: days.map(dayVersion).join('\n'),
      unchanged,
      unread: hasUnread(days) || isLoading(days),
      html: (page) => renderWeekPage(page, { days, from: date, meal, nowMs: nowMs() }),
      markdown: (page) => renderWeekMarkdown(page, days, nowMs()),
    });
  });
}
