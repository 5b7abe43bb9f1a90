import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import { mealOf } from '../catalogue/restaurant.ts';
import type { ShinsegaeRestaurant } from '../catalogue/shinsegae-restaurants.ts';
import { planMeal } from '../kitchen/day-plan.ts';
import { listedMeals } from '../kitchen/listed-meals.ts';
import { parseDate } from '../seeded/calendar.ts';
import { hashKeys } from '../seeded/random.ts';
import type { SandboxContext, SandboxEnv } from '../traffic/context.ts';
import { faultMiddleware } from '../traffic/fault-middleware.ts';
import { countRequests } from '../traffic/stats.ts';
import { type MenuItem, noticeItem, toMenuItem } from './menu-items.ts';
import { buildTree, indexTree, type TreeNode } from './tree.ts';

/** The operator's tree, which may change while it is being served. */
export interface MovingTree {
  nodes(): readonly TreeNode[];
  orgTreeId(restaurant: ShinsegaeRestaurant): string | undefined;
  /** Puts the last business first, which changes every `orgTreeId`. */
  move(): void;
}

export function createMovingTree(restaurants: readonly ShinsegaeRestaurant[]): MovingTree {
  let generation = 0;
  let nodes = buildTree(restaurants, generation);
  let index = indexTree(nodes);
  return {
    nodes: () => nodes,
    orgTreeId: ({ busiCd, compCd, storCd }) => index.get(`${busiCd}/${compCd}/${storCd}`),
    move() {
      generation += 1;
      nodes = buildTree(restaurants, generation);
      index = indexTree(nodes);
    },
  };
}

/** The operator "PlanEAT Choice" as a Hono app; mount it below one path segment. */
export function createShinsegaeApp(context: SandboxContext, tree: MovingTree): Hono<SandboxEnv> {
  const { seed, clock, shinsegae, injector, closing } = context;
  const stats = context.stats.shinsegae;
  const app = new Hono<SandboxEnv>();
  app.use(
    countRequests(stats, clock),
    faultMiddleware({
      operator: 'shinsegae',
      seed,
      injector,
      stats,
      stateFaults: { 'tree-moved': () => tree.move() },
    }),
  );
  app.use(async (_c, next) => {
    await sleep(context.latencyMs, undefined, { signal: closing }).catch(() => {});
    return next();
  });

  const find = (query: Record<string, string>): ShinsegaeRestaurant | undefined => {
    const restaurant = shinsegae.get(query.storCd ?? '');
    const matches = restaurant?.busiCd === query.busiCd && restaurant?.compCd === query.compCd;
    return matches ? restaurant : undefined;
  };

  app.get('/storTree', (c) => c.json(tree.nodes()));
  app.get('/storTime', (c) => {
    const restaurant = find(c.req.query());
    const meals = restaurant === undefined ? [] : listedMeals(context, restaurant);
    return c.json({ mealData: meals.map(({ code, label }) => ({ mealCd: code, mealCdNm: label })) });
  });
  app.get('/portal/dailyMenu', (c) => {
    const query = c.req.query();
    const restaurant = find(query);
    const date = parseDate(query.saleDt ?? '');
    if (date === undefined) return c.json({ message: 'saleDt must be YYYY-MM-DD' }, 400);
    if (restaurant === undefined) return c.json({ ds: [] });
    if (query.orgTreeId !== tree.orgTreeId(restaurant))
      return c.json({ message: 'orgTreeId does not belong to this store' }, 400);
    const itemsOf = (mealCd: string | undefined): MenuItem[] => {
      const meal = mealOf(restaurant, mealCd);
      if (meal === undefined) return [];
      const photoBaseUrl = `${context.origin()}/upload/`;
      const item = { restaurantId: restaurant.id, meal, date, photoBaseUrl };
      const { courses } = planMeal(seed, restaurant, date, meal);
      const items = courses.map((course) => toMenuItem(course, item));
      const hasNotice = items.length > 0 && hashKeys(seed, 'notice', restaurant.id, date) % 8 === 0;
      return hasNotice ? [noticeItem(item), ...items] : items;
    };
    const withBreakfast = query.mealCd === '2' && hashKeys(seed, 'brunch', restaurant.id, date) % 15 === 0;
    return c.json({ ds: [...itemsOf(query.mealCd), ...(withBreakfast ? itemsOf('1') : [])] });
  });
  return app;
}
