import type { Hono } from 'hono';
import { type Menu, MenuError, type MenuService, parseCompactDate, type Vendor } from 'menu-client';
import { menuPath } from '../domain/restaurant-path.ts';
import { NOT_KEPT, RETRY_LATER } from '../http/headers.ts';
import type { Page } from '../http/pages.ts';
import { renderMenuPage } from '../render/html/menu-page.tsx';
import { renderMenuMarkdown } from '../render/markdown/menu-markdown.ts';
import { findRestaurant, type RestaurantParts } from './find-restaurant.ts';

/** The menu with its details; undefined when they cannot be read now. */
async function detailOf(
  service: MenuService,
  vendor: Vendor,
  id: string,
  date: string,
  menuId: string,
): Promise<Menu | undefined> {
  try {
    return await service.menuDetail(vendor, id, date, menuId);
  } catch (error) {
    if (error instanceof MenuError && error.retryable && error.code !== 'too_many_readings') return undefined;
    throw error;
  }
}

/** `.../{YYYYMMDD}/menus/{menu}`: one menu with its nutrition dish by dish. */
export function mountMenu(app: Hono, parts: RestaurantParts): void {
  const { service, pages } = parts;
  app.get('/restaurants/:vendor/:id/:slug/:date/menus/:menu', async (c) => {
    const compact = c.req.param('date');
    const menuId = c.req.param('menu');
    const rest = `/${encodeURIComponent(compact)}/menus/${encodeURIComponent(menuId)}`;
    const found = await findRestaurant(c, parts, rest);
    if ('answer' in found) return found.answer;
    const date = parseCompactDate(compact);
    if (date === undefined) return pages.sendError(c, 'badDate');
    const { vendor, id } = found.restaurant;
    const { restaurant, periods } = await service.dailyMenu(vendor, id, date);
    const period = periods.find(({ menus }) => menus.some((menu) => menu.id === menuId));
    const listed = period?.menus.find((menu) => menu.id === menuId);
    if (period === undefined || listed === undefined) {
      // A meal that could not be read may contain it.
      const unread = periods.some(({ status, menus }) => status === 'failed' && menus.length === 0);
      return pages.sendError(c, unread ? 'operatorDown' : 'menuNotFound', unread ? RETRY_LATER : {});
    }
    const isUnread = listed.bundle?.status === 'failed';
    const detail = isUnread ? undefined : await detailOf(service, vendor, id, date, menuId);
    const menu = detail ?? listed;
    const model = { restaurant, date, period, menu, detailFailed: detail === undefined };
    const page: Page = {
      path: menuPath(restaurant, date, menuId),
      html: (context) => renderMenuPage(context, model),
      markdown: (context) => renderMenuMarkdown(context, model),
    };
    if (detail !== undefined) return pages.send(c, page);
    const headers = { ...NOT_KEPT, ...RETRY_LATER };
    return pages.send(c, { ...page, headers }, 503);
  });
}
