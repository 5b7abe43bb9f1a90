import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestCafeteria } from './support/running.ts';

let cafeteria: Awaited<ReturnType<typeof startTestCafeteria>>;
beforeAll(async () => {
  cafeteria = await startTestCafeteria();
});
afterAll(async () => {
  await cafeteria[Symbol.asyncDispose]();
});

test('the official client lists both tools, searches, and reads a menu whose page exists', async () => {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${cafeteria.url}/mcp`)));
  const { tools } = await client.listTools();
  expect(tools.map((tool) => tool.name).sort()).toEqual(['get_restaurant_menu', 'search_restaurants']);

  const search = await client.callTool({ name: 'search_restaurants', arguments: { query: '강남' } });
  const { restaurants } = search.structuredContent as {
    restaurants: { vendor: string; id: string; name: string; url: string }[];
  };
  const [restaurant] = restaurants;
  expect(restaurant).toBeDefined();

  const menu = await client.callTool({
    name: 'get_restaurant_menu',
    arguments: { vendor: restaurant?.vendor, restaurantId: restaurant?.id, date: 'today' },
  });
  expect(menu.isError).not.toBe(true);
  const page = await fetch(restaurant?.url ?? '');
  expect(page.status).toBe(200);
  expect(await page.text()).toContain(restaurant?.name);
  await client.close();
});

test('GET and DELETE are refused, a foreign origin too', async () => {
  for (const method of ['GET', 'DELETE']) {
    expect((await fetch(`${cafeteria.url}/mcp`, { method })).status).toBe(405);
  }
  const foreign = await fetch(`${cafeteria.url}/mcp`, {
    method: 'POST',
    headers: { Origin: 'https://evil.example' },
  });
  expect(foreign.status).toBe(403);
});
