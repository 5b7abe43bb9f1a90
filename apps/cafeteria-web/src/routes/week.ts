import type { Hono } from 'hono';
import { dayVersion } from '../domain/day-view.ts';
import { weekPath } from '../domain/restaurant-path.ts';
import { parseCompactDate } from '../domain/seoul-time.ts';
import { sendErrorPage, sendPage, sendRecent } from '../http/page.ts';
import type { Site } from '../http/site.ts';
import { renderWeekPage } from '../render/html/week-page.tsx';
import { renderWeekMarkdown } from '../render/markdown/week-markdown.ts';
import { findRestaurant } from './find-restaurant.ts';

/** `.../{YYYYMMDD}/week`: seven days in one table. */
export function mountWeek(app: Hono, site: Site): void {
  app.get('/restaurants/:vendor/:id/:slug/:date/week', async (c) => {
    const recent = sendRecent(c, site, new URL(c.req.url).pathname);
    if (recent !== undefined) return recent;
    const compact = c.req.param('date');
    const found = await findRestaurant(c, site, `/${encodeURIComponent(compact)}/week`);
    if ('answer' in found) return found.answer;
    const date = parseCompactDate(compact);
    if (date === undefined) return sendErrorPage(c, site, 'badDate');
    const { vendor, id } = found.restaurant;
    const mark = site.readings.ofRestaurant(vendor, id);
    const days = await site.service.week(vendor, id, date, 7);
    const path = weekPath(found.restaurant, date);
    return sendPage(c, site, {
      key: path,
      version: days.map(dayVersion).join('\n'),
      mark,
      path,
      html: (page) => renderWeekPage(page, days, date),
      markdown: (page) => renderWeekMarkdown(page, days),
    });
  });
}
