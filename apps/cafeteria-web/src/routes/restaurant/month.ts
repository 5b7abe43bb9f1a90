import type { Hono } from 'hono';
import { addDays, askableDates, parseCompactDate, seoulToday } from 'menu-client';
import type { Readings } from '../../answers/readings.ts';
import { dayVersion, hasUnread, isLoading } from '../../domain/day/day-view.ts';
import { monthOf } from '../../domain/day/month.ts';
import { monthPath } from '../../domain/restaurant-path.ts';
import { renderMonthMarkdown, renderMonthPage } from '../../render/html/month-page.tsx';
import { countdown } from '../../running/waits.ts';
import { findRestaurant, type RestaurantParts } from './find-restaurant.ts';

interface Parts extends RestaurantParts {
  readonly readings: Readings;
  readonly nowMs: () => number;
  /** How long the page may wait for what has to be read first, in ms. */
  readonly pageWaitMs: number;
}

/** Today and the days after it are read; the others of a month are shown as far as they are kept. */
const READ_DAYS = 7;

/** `.../{YYYYMMDD}/month`: the month of that date, as far as its menus are known. */
export function mountMonth(app: Hono, parts: Parts): void {
  const { service, pages, readings, nowMs, pageWaitMs } = parts;
  app.get('/restaurants/:vendor/:id/:slug/:date/month', async (c) => {
    const compact = c.req.param('date');
    const wait = countdown(pageWaitMs);
    const found = await findRestaurant(c, parts, `/${encodeURIComponent(compact)}/month`, wait);
    if ('answer' in found) return found.answer;
    const date = parseCompactDate(compact);
    if (date === undefined) return pages.sendError(c, 'badDate');
    const { from, to } = askableDates(nowMs());
    if (date < from || date > to) return pages.sendError(c, 'dateOutOfRange');
    const { restaurant } = found;
    const { vendor, id } = restaurant;
    const { first, days } = monthOf(date);
    const unchanged = readings.ofRestaurant(vendor, id);
    const today = seoulToday(nowMs());
    const last = addDays(first, days - 1);
    const [kept, week] = await Promise.all([
      service.keptDays(vendor, id, first, days, wait),
      service.week(vendor, id, today, READ_DAYS, wait),
    ]);
    const read = week.filter((day) => day.date >= first && day.date <= last);
    const known = [...kept.filter((day) => !read.some((each) => each.date === day.date)), ...read];
    const path = monthPath(restaurant, date);
    const model = { path, restaurant, first, days: known, from, to };
    return pages.send(c, {
      path,
      version: known.map(dayVersion).join('\n'),
      unchanged,
      unread: hasUnread(read) || isLoading(read),
      html: (page) => renderMonthPage(page, model),
      markdown: (page) => renderMonthMarkdown(page, model),
    });
  });
}
