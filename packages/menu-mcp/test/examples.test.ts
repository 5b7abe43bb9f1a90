import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../examples/hono-app.ts';
import { CLIENTS } from './support/clients.ts';
import { listen } from './support/listen.ts';
import { type Menus, openMenus } from './support/menus.ts';

const resources = new AsyncDisposableStack();
let menus: Menus;
beforeAll(async () => {
  menus = resources.use(await openMenus());
});
afterAll(() => resources.disposeAsync());

const NAMES = Object.keys(CLIENTS) as (keyof typeof CLIENTS)[];

test.each(NAMES)('the intranet answers %s under its own name, with links to its own pages', async (name) => {
  const app = createApp(menus.service);
  await using endpoint = await listen((request) => app.fetch(request));
  expect(await (await fetch(new URL('/', endpoint.url))).text()).toBe('Welcome to the intranet.');
  await using client = await CLIENTS[name]({ url: endpoint.url });
  const found = await client.callTool({ name: 'search_restaurants', arguments: { query: '강남', limit: 1 } });
  const { restaurants } = found.structuredContent as {
    restaurants: { vendor: string; id: string; url: string }[];
  };
  const [first] = restaurants;
  expect(first?.url).toBe(`https://intranet.example.com/lunch/${first?.vendor}/${first?.id}/today`);
});
