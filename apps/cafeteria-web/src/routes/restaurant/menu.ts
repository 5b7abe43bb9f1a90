import type { Hono } from 'hono';
import {
  type Menu,
  MenuError,
  type MenuService,
  parseCompactDate,
  type Vendor,
  type WaitOptions,
} from 'menu-client';
import { z } from 'zod';
import { NOT_KEPT, RETRY_LATER, RETRY_SOON } from '../../answers/http/headers.ts';
import type { Page } from '../../answers/http/pages.ts';
import { DAY_ANSWERS, pageAnswer } from '../../answers/openapi/answers.ts';
import { describedRoute } from '../../answers/openapi/described-route.ts';
import { DayPath, Lang } from '../../answers/openapi/parameters.ts';
import { isUnread } from '../../domain/day/day-view.ts';
import { menuPath } from '../../domain/restaurant-path.ts';
import { renderMenuPage } from '../../render/html/menu-page.tsx';
import { renderMenuMarkdown } from '../../render/markdown/menu-markdown.ts';
import { countdown } from '../../running/waits.ts';
import { findRestaurant, type RestaurantParts } from './find-restaurant.ts';

/** The menu with its details; undefined when they cannot be read now. */
async function detailOf(
  service: MenuService,
  vendor: Vendor,
  id: string,
  date: string,
  menuId: string,
  wait: WaitOptions,
): Promise<Menu | undefined> {
  try {
    return await service.menuDetail(vendor, id, date, menuId, wait);
  } catch (error) {
    if (error instanceof MenuError && error.retryable && error.code !== 'too_many_readings') return undefined;
    throw error;
  }
}

interface Parts extends RestaurantParts {
  /** How long the page may wait for what has to be read first, in ms. */
  readonly pageWaitMs: number;
}

/** `.../{YYYYMMDD}/menus/{menu}`: one menu. */
export const menuRoute = describedRoute('/restaurants/:vendor/:id/:slug/:date/menus/:menu', {
  operationId: 'getMenuNutrition',
  summary: 'Nutrition of one menu, dish by dish',
  description: 'Details that the operator gives for one menu at a time; 503 with the rest when it cannot.',
  tags: ['menus'],
  requestParams: {
    path: DayPath.extend({
      menu: z.string().meta({
        description: "Menu identifier: the last part of a link on the day's page.",
        examples: ['2.E59E.AA'],
      }),
    }),
    query: Lang,
  },
  responses: {
    '200': pageAnswer('The menu.'),
    ...DAY_ANSWERS,
    '429': pageAnswer('Too many requests; Retry-After says when to try again.'),
  },
});

/** `.../{YYYYMMDD}/menus/{menu}`: one menu with its nutrition dish by dish. */
export function mountMenu(app: Hono, parts: Parts): void {
  const { service, pages, pageWaitMs } = parts;
  app.get(menuRoute.path, async (c) => {
    const compact = c.req.param('date');
    const menuId = c.req.param('menu');
    const rest = `/${encodeURIComponent(compact)}/menus/${encodeURIComponent(menuId)}`;
    const wait = countdown(pageWaitMs);
    const found = await findRestaurant(c, parts, rest, wait);
    if ('answer' in found) return found.answer;
    const date = parseCompactDate(compact);
    if (date === undefined) return pages.sendError(c, 'badDate');
    const { vendor, id } = found.restaurant;
    const { restaurant, periods } = await service.dailyMenu(vendor, id, date, wait);
    const period = periods.find(({ menus }) => menus.some((menu) => menu.id === menuId));
    const listed = period?.menus.find((menu) => menu.id === menuId);
    if (period === undefined || listed === undefined) {
      // A meal that is not read may contain it.
      if (!periods.some(isUnread)) return pages.sendError(c, 'menuNotFound');
      const loading = periods.some(({ status }) => status === 'loading');
      if (loading) return pages.sendError(c, 'menuLoading', RETRY_SOON);
      const reason = periods.find(isUnread)?.error?.code;
      return pages.sendError(c, 'operatorDown', RETRY_LATER, reason === undefined ? {} : { reason });
    }
    const itemsUnread = listed.bundle !== undefined && isUnread(listed.bundle);
    const detail = itemsUnread ? undefined : await detailOf(service, vendor, id, date, menuId, wait);
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
