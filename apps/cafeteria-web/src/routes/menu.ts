import type { Hono } from 'hono';
import { type Menu, MenuError, type Vendor } from 'menu-client';
import { menuPath } from '../domain/restaurant-path.ts';
import { parseCompactDate } from '../domain/seoul-time.ts';
import { type Page, sendErrorPage, sendPage } from '../http/page.ts';
import type { Site } from '../http/site.ts';
import { renderMenuPage } from '../render/html/menu-page.tsx';
import { renderMenuMarkdown } from '../render/markdown/menu-markdown.ts';
import { findRestaurant } from './find-restaurant.ts';

/** The menu with what its operator tells of it alone; undefined when that cannot be read now. */
async function detailOf(
  site: Site,
  vendor: Vendor,
  id: string,
  date: string,
  menuId: string,
): Promise<Menu | undefined> {
  try {
    return await site.service.menuDetail(vendor, id, date, menuId);
  } catch (error) {
    if (error instanceof MenuError && error.retryable) return undefined;
    throw error;
  }
}

/** `.../{YYYYMMDD}/menus/{menu}`: one menu with its nutrition dish by dish. */
export function mountMenu(app: Hono, site: Site): void {
  app.get('/restaurants/:vendor/:id/:slug/:date/menus/:menu', async (c) => {
    const compact = c.req.param('date');
    const menuId = c.req.param('menu');
    const rest = `/${encodeURIComponent(compact)}/menus/${encodeURIComponent(menuId)}`;
    const found = await findRestaurant(c, site, rest);
    if ('answer' in found) return found.answer;
    const date = parseCompactDate(compact);
    if (date === undefined) return sendErrorPage(c, site, 'badDate');
    const { vendor, id } = found.restaurant;
    const { restaurant, periods } = await site.service.dailyMenu(vendor, id, date);
    const period = periods.find(({ menus }) => menus.some((menu) => menu.id === menuId));
    const listed = period?.menus.find((menu) => menu.id === menuId);
    if (period === undefined || listed === undefined) {
      // A meal that could not be read may well hold it.
      const unread = periods.some(({ status, menus }) => status === 'failed' && menus.length === 0);
      const retry: Record<string, string> = unread ? { 'Retry-After': '30' } : {};
      return sendErrorPage(c, site, unread ? 'operatorDown' : 'menuNotFound', retry);
    }
    const detail = await detailOf(site, vendor, id, date, menuId);
    const menu = detail ?? listed;
    const model = { restaurant, date, period, menu, detailFailed: detail === undefined };
    const page: Page = {
      path: menuPath(restaurant, date, menuId),
      html: (context) => renderMenuPage(context, model),
      markdown: (context) => renderMenuMarkdown(context, model),
    };
    if (detail !== undefined) return sendPage(c, site, page);
    const headers = { 'Cache-Control': 'no-store', 'Retry-After': '30' };
    return sendPage(c, site, { ...page, headers }, 503);
  });
}
