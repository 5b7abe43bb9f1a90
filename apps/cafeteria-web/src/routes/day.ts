import type { Hono } from 'hono';
import { seoulToday } from 'menu-client';
import { dayVersion, isDayView } from '../domain/day-view.ts';
import { currentMeal } from '../domain/meal-clock.ts';
import { dayPath } from '../domain/restaurant-path.ts';
import { parseCompactDate, seoulMinutes } from '../domain/seoul-time.ts';
import { sendErrorPage, sendPage, sendRecent } from '../http/page.ts';
import type { Site } from '../http/site.ts';
import { renderDayPage } from '../render/html/day-page.tsx';
import { dayJsonLd } from '../render/json-ld/day-json-ld.ts';
import { renderDayMarkdown } from '../render/markdown/day-markdown.ts';
import { findRestaurant } from './find-restaurant.ts';

const MAX_PICKS = 200;

/** `/restaurants/{vendor}/{id}/{slug}/{YYYYMMDD}`: the day's menus. */
export function mountDay(app: Hono, site: Site): void {
  app.get('/restaurants/:vendor/:id/:slug/:date', async (c) => {
    const view = c.req.query('view') ?? 'gallery';
    const picks = view === 'takeout' ? (c.req.queries('pick') ?? []) : [];
    const query = view === 'gallery' ? '' : `?view=${view}`;
    // Picks are the visitor's own and as many as there are subsets: such a page is not kept.
    const recent = picks.length === 0 ? sendRecent(c, site, new URL(c.req.url).pathname + query) : undefined;
    if (recent !== undefined) return recent;

    const compact = c.req.param('date');
    const found = await findRestaurant(c, site, `/${encodeURIComponent(compact)}`);
    if ('answer' in found) return found.answer;
    const date = parseCompactDate(compact);
    if (date === undefined) return sendErrorPage(c, site, 'badDate');
    if (!isDayView(view)) return sendErrorPage(c, site, 'badView');

    const { vendor, id } = found.restaurant;
    const mark = site.readings.ofRestaurant(vendor, id);
    const day = await site.service.dailyMenu(vendor, id, date);
    const picked = new Set(picks.slice(0, MAX_PICKS));
    const nowMs = site.nowMs();
    const meal = date === seoulToday(nowMs) ? currentMeal(day.periods, seoulMinutes(nowMs)) : undefined;
    const path = dayPath(day.restaurant, date);
    return sendPage(c, site, {
      ...(picked.size === 0 ? { key: path + query, version: dayVersion(day), mark } : {}),
      path: path + query,
      html: (page) =>
        renderDayPage(page, { day, view, currentMeal: meal, picked, jsonLd: dayJsonLd(page, day) }),
      markdown: (page) => renderDayMarkdown(page, day, view),
    });
  });
}
