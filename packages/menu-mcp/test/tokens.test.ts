import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { createMenuMcpHandler } from 'menu-mcp/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AnyClient, CLIENTS } from './support/clients.ts';
import { listen } from './support/listen.ts';
import { type Menus, NOON_MS, openMenus, TODAY } from './support/menus.ts';

const ORIGIN = 'https://menu.example.org';
const resources = new AsyncDisposableStack();
let menus: Menus;
let client: AnyClient;

beforeAll(async () => {
  menus = resources.use(await openMenus());
  const handler = resources.use(
    createMenuMcpHandler(menus.service, {
      clock: () => NOON_MS,
      pageUrl: ({ vendor, id }, date) =>
        `${ORIGIN}/restaurants/${vendor}/${encodeURIComponent(id)}${date === undefined ? '' : `/-/${date.replaceAll('-', '')}`}`,
      photoUrl: ({ vendor, id }, date, menu) =>
        `${ORIGIN}/img/${vendor}/${encodeURIComponent(id)}/${date.replaceAll('-', '')}/${encodeURIComponent(menu.id)}`,
    }),
  );
  const endpoint = resources.use(await listen(handler.fetch));
  client = resources.use(await CLIENTS['SDK 1.x']({ url: endpoint.url }));
});
afterAll(() => resources.disposeAsync());

/** Everything that a client may show a model: the text and the value. */
const tokens = (result: Record<string, unknown>): number =>
  countTokens(JSON.stringify([result['content'], result['structuredContent']]));

interface Named {
  name: string;
  nutrition?: { caloriesKcal?: number };
}
interface Answer {
  restaurants: { vendor: string; id: string; name: string }[];
  periods: { code: string; menus: (Named & { items?: Named[] })[] }[];
}
async function call(name: string, args: object) {
  const result = await client.callTool({ name, arguments: { ...args } });
  expect(result['isError']).toBeUndefined();
  const [{ text }] = result['content'] as [{ text: string }];
  return { answer: result['structuredContent'] as Answer, text, tokens: tokens(result) };
}

test('a meal is at most 1,500 tokens and a day 4,000, in the restaurants that serve the most', async () => {
  const { restaurants } = await menus.service.restaurants();
  const sized = restaurants.map(({ vendor, id }) => {
    const counts = menus.sandbox.plan(vendor, id, TODAY).map(({ courses }) => courses.length);
    return { vendor, restaurantId: id, day: counts.reduce((a, b) => a + b, 0), meal: Math.max(0, ...counts) };
  });
  const largest = (by: 'day' | 'meal') => sized.toSorted((a, b) => b[by] - a[by]).slice(0, 6);
  for (const { vendor, restaurantId } of [...largest('day'), ...largest('meal')]) {
    for (const sort of [undefined, 'sodium'])
      expect((await call('get_restaurant_menu', { vendor, restaurantId, sort })).tokens).toBeLessThanOrEqual(
        4_000,
      );
    for (const meal of ['breakfast', 'lunch', 'dinner', 'late-night', 'dawn']) {
      const read = await call('get_restaurant_menu', { vendor, restaurantId, meal, sort: 'sodium' });
      expect(read.tokens, `${restaurantId} ${meal}`).toBeLessThanOrEqual(1_500);
    }
  }
});

test('lunch at R5 with the least calories is found in two calls and at most 2,500 tokens', async () => {
  const found = await call('search_restaurants', { query: 'R5' });
  const [first] = found.answer.restaurants;
  const lunch = await call('get_restaurant_menu', {
    vendor: first?.vendor,
    restaurantId: first?.id,
    meal: 'lunch',
    sort: 'calories',
  });
  expect(found.tokens + lunch.tokens).toBeLessThanOrEqual(2_500);
  const [period] = lunch.answer.periods;
  const calories =
    period?.menus.map(({ items, ...menu }) => (items?.[0] ?? menu).nutrition?.caloriesKcal ?? Infinity) ?? [];
  expect(calories.length).toBeGreaterThan(3);
  expect(calories).toEqual(calories.toSorted((a, b) => a - b));
  expect(lunch.text.split('\n').find((line) => line.startsWith('- '))).toContain(period?.menus[0]?.name);
});
