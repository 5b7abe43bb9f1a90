import type { Hono } from 'hono';
import { mealsFromNow, parseCompactDate, seoulToday } from 'menu-client';
import { z } from 'zod';
import { DAY_ANSWERS, pageAnswer } from '../../answers/openapi/answers.ts';
import { describedRoute } from '../../answers/openapi/described-route.ts';
import { DayPath, Lang } from '../../answers/openapi/parameters.ts';
import { prefersMarkdown } from '../../answers/prefers-markdown.ts';
import type { Readings } from '../../answers/readings.ts';
import {
  DAY_VIEWS,
  dayVersion,
  hasUnread,
  hasUnreadItems,
  isDayView,
  isLoading,
} from '../../domain/day/day-view.ts';
import { otherDay } from '../../domain/day/other-day.ts';
import { dayPath } from '../../domain/restaurant-path.ts';
import type { PhotoProxy } from '../../photos/photo-proxy.ts';
import { renderDayPage } from '../../render/html/day-page.tsx';
import { dayJsonLd } from '../../render/json-ld/day-json-ld.ts';
import { renderDayMarkdown } from '../../render/markdown/day-markdown.ts';
import { countdown, PHOTO_WAIT_MS } from '../../running/waits.ts';
import { findRestaurant, type RestaurantParts } from './find-restaurant.ts';
import { asksTakeout, takeoutAsked } from './takeout.ts';

interface Parts extends RestaurantParts {
  readonly readings: Readings;
  readonly nowMs: () => number;
  readonly photos: Pick<PhotoProxy, 'lookFor'>;
  /** How long the page may wait for what has to be read first, in ms. */
  readonly pageWaitMs: number;
}

/** `/restaurants/{vendor}/{id}/{slug}/{YYYYMMDD}`: a day's menus. */
export const dayRoute = describedRoute('/restaurants/:vendor/:id/:slug/:date', {
  operationId: 'getDailyMenu',
  summary: 'Menu of a day',
  description: 'Every meal period with its menus: HTML for people, Markdown for `Accept: text/markdown`.',
  tags: ['menus'],
  requestParams: {
    path: DayPath,
    query: Lang.extend({
      view: z.enum(DAY_VIEWS).optional().meta({ description: 'Which menus; every one when left out.' }),
    }),
  },
  responses: { '200': pageAnswer('The menu.'), ...DAY_ANSWERS },
});

/** `/restaurants/{vendor}/{id}/{slug}/{YYYYMMDD}`: the day's menus. */
export function mountDay(app: Hono, parts: Parts): void {
  const { service, pages, readings, nowMs, photos, pageWaitMs } = parts;
  app.get(dayRoute.path, async (c) => {
    const view = c.req.query('view') ?? 'gallery';
    const compact = c.req.param('date');
    const wait = countdown(pageWaitMs);
    const found = await findRestaurant(c, parts, `/${encodeURIComponent(compact)}`, wait);
    if ('answer' in found) return found.answer;
    const date = parseCompactDate(compact);
    if (date === undefined) return pages.sendError(c, 'badDate');
    if (!isDayView(view)) return pages.sendError(c, 'badView');

    const { vendor, id } = found.restaurant;
    const unchanged = readings.ofRestaurant(vendor, id);
    const day = await service.dailyMenu(vendor, id, date, wait);
    const other = await otherDay(service, day, seoulToday(nowMs()), wait);
    const takeout = takeoutAsked(c);
    const askedAtMs = nowMs();
    const { coming, over } = mealsFromNow(day, askedAtMs);
    const [first] = [...coming, ...over].flatMap(({ menus }) =>
      menus.flatMap(({ photo }) => photo?.url ?? []),
    );
    // Others show it with the link, and look only once.
    if (first !== undefined && !prefersMarkdown(c.req.header('accept')))
      await photos.lookFor(vendor, [first], Math.min(PHOTO_WAIT_MS.page, wait.waitMs ?? 0));
    const shown = other === undefined ? [day] : [day, other.day];
    return pages.send(c, {
      path: dayPath(day.restaurant, date) + (view === 'gallery' ? '' : `?view=${view}`),
      // What is asked of the takeout view is the visitor's own, in any combination, so such a page is not kept.
      ...(view !== 'takeout' || !asksTakeout(c)
        ? { version: dayVersion(day) + (other ? `${other.day.date}${dayVersion(other.day)}` : ''), unchanged }
        : {}),
      unread: hasUnread(shown) || shown.some(hasUnreadItems) || isLoading(shown),
      html: (page) =>
        renderDayPage(page, { day, other, view, nowMs: askedAtMs, takeout, jsonLd: dayJsonLd(page, day) }),
      markdown: (page) => renderDayMarkdown(page, day, view, askedAtMs, other),
    });
  });
}
