import type { Context, Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import { type MenuService, resolveDate } from 'menu-client';
import { FAVOURITES_COOKIE, favouriteRestaurants } from '../../answers/http/favourites.ts';
import type { Pages } from '../../answers/http/pages.ts';
import { hasUnread, isLoading } from '../../domain/day/day-view.ts';
import { daysOf } from '../../domain/day/home-days.ts';
import { isRead } from '../../domain/favourite.ts';
import { parseBudget } from '../../domain/takeout/budget.ts';
import { parsePicks } from '../../domain/takeout/picks.ts';
import type { TakeoutAsked } from '../../render/html/takeout/takeout-form.tsx';
import { renderTakeoutPage } from '../../render/html/takeout-page.tsx';
import { renderTakeoutMarkdown } from '../../render/markdown/takeout-markdown.ts';
import { isFirstReading } from '../../render/notes/unread-notes.ts';
import { countdown } from '../../running/waits.ts';

/** True when the address asks anything of the takeout view. */
export function asksTakeout(c: Context): boolean {
  return ['pick', 'coins', 'drinks'].some((name) => c.req.query(name) !== undefined);
}

/** What the address asks of the takeout view; anything else in it is ignored. */
export function takeoutAsked(c: Context): TakeoutAsked {
  return {
    picked: parsePicks(c.req.queries('pick') ?? []),
    budget: parseBudget(c.req.query('coins')),
    withoutDrinks: c.req.query('drinks') === 'off',
  };
}

interface Parts {
  readonly service: MenuService;
  readonly pages: Pages;
  readonly nowMs: () => number;
  /** How long the page may wait for what has to be read first, in ms. */
  readonly pageWaitMs: number;
}

/** `/takeout`: what may be taken out at the visitor's restaurants, to pick from all of them. */
export function mountTakeout(app: Hono, { service, pages, nowMs, pageWaitMs }: Parts): void {
  app.get('/takeout', async (c) => {
    const wait = countdown(pageWaitMs);
    const date = resolveDate(c.req.query('date') ?? 'today', nowMs());
    const [{ incomplete }, mine] = await Promise.all([
      service.restaurants(wait),
      favouriteRestaurants(service, getCookie(c, FAVOURITES_COOKIE), wait),
    ]);
    const unlisted = mine.filter((each) => !isRead(each));
    const { days, failed } = await daysOf(service, mine.filter(isRead), date, wait);
    const onItsWay = incomplete.filter(isFirstReading).map(({ vendor }) => vendor);
    const model = {
      date,
      days,
      failed: [...unlisted, ...failed],
      loading: isLoading(days) || unlisted.some(({ vendor }) => onItsWay.includes(vendor)),
      takeout: takeoutAsked(c),
      nowMs: nowMs(),
    };
    return pages.send(c, {
      path: '/takeout',
      unread: hasUnread(days) || model.loading || model.failed.length > 0,
      html: (page) => renderTakeoutPage(page, model),
      markdown: (page) => renderTakeoutMarkdown(page, model),
      headers: { Vary: 'Accept, Accept-Language, Cookie', 'Cache-Control': 'private, no-cache' },
    });
  });
}
