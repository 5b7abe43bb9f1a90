import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { systemClock } from 'menu-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestCafeteria } from './support/running.ts';

// A Friday at noon: every restaurant serves.
const NOON_MS = Date.parse('2026-11-20T03:00:00Z');
let cafeteria: Awaited<ReturnType<typeof startTestCafeteria>>;
beforeAll(async () => {
  cafeteria = await startTestCafeteria({}, { ...systemClock, nowMs: () => NOON_MS });
});
afterAll(async () => {
  await cafeteria[Symbol.asyncDispose]();
});

const INFO = { name: 'test', version: '1.0.0' };
const endpoint = (): URL => new URL(`${cafeteria.url}/mcp`);

async function legacyClient() {
  const client = new Client(INFO);
  const transport = new StreamableHTTPClientTransport(endpoint());
  await client.connect(transport);
  return { client, version: transport.protocolVersion };
}

async function modernClient() {
  const client = new ModernClient(INFO, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new ModernTransport(endpoint()));
  return { client, version: client.getNegotiatedProtocolVersion() };
}

test.each([
  ['2025-11-25', 'SDK 1.x', legacyClient],
  ['2026-07-28', 'SDK 2.x', modernClient],
] as const)(
  'over %s the client of %s searches, and reads a menu whose page exists',
  async (expected, _sdk, connect) => {
    const { client, version } = await connect();
    expect(version).toBe(expected);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name).sort()).toEqual([
      'compare_menus',
      'get_restaurant_menu',
      'search_dishes',
      'search_restaurants',
    ]);
    for (const { annotations, outputSchema } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, idempotentHint: true, openWorldHint: true });
      expect(outputSchema).toBeDefined();
    }

    const search = await client.callTool({ name: 'search_restaurants', arguments: { query: '강남' } });
    const { restaurants } = search.structuredContent as {
      restaurants: { vendor: string; id: string; name: string; url: string }[];
    };
    const [restaurant] = restaurants;
    const dishes = await client.callTool({ name: 'search_dishes', arguments: { query: '김치', limit: 3 } });
    expect(dishes.structuredContent).toMatchObject({
      total: expect.any(Number),
      unreadDays: expect.any(Number),
    });
    const outside = await client.callTool({
      name: 'search_dishes',
      arguments: { query: '김치', date: '20200101' },
    });
    expect(outside).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('6 days') }] });
    const menu = await client.callTool({
      name: 'get_restaurant_menu',
      arguments: { vendor: restaurant?.vendor, restaurantId: restaurant?.id, date: 'today' },
    });
    expect(menu.isError).not.toBe(true);
    // Today is that of the service's own clock.
    expect(menu.structuredContent).toMatchObject({ date: '2026-11-20' });
    const compared = await client.callTool({
      name: 'compare_menus',
      arguments: {
        restaurants: restaurants.slice(0, 2).map(({ vendor, id }) => ({ vendor, restaurantId: id })),
        dates: ['오늘', '다음주 월요일'],
        meal: '점심',
      },
    });
    expect(compared.structuredContent).toMatchObject({
      meal: 'lunch',
      restaurants: [0, 1].map((at) => ({
        id: restaurants[at]?.id,
        days: [{ date: '2026-11-20' }, { date: '2026-11-23' }],
      })),
    });
    // Hosts choose how to show the card before they read it.
    const { resources } = await client.listResources();
    expect(resources).toMatchObject([
      { uri: 'ui://menu/day', _meta: { ui: { csp: { resourceDomains: [cafeteria.url] } } } },
    ]);
    const page = await fetch(restaurant?.url ?? '');
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(restaurant?.name);
    const { periods } = menu.structuredContent as { periods: { menus: { photoUrl?: string }[] }[] };
    const photos = periods.flatMap(({ menus }) => menus.flatMap(({ photoUrl = [] }) => photoUrl));
    expect(photos.length).toBeGreaterThan(0);
    for (const photoUrl of photos) expect(photoUrl).toMatch(new RegExp(`^${cafeteria.url}/img/`));
    const photo = await fetch(photos[0] ?? '');
    expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    // Chats show it in a frame of their own origin.
    expect(photo.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect((await fetch(`${photos[0]}x`)).status).toBe(404);

    const wrong = await client.callTool({ name: 'search_restaurants', arguments: { query: '' } });
    expect(wrong.isError).toBe(true);
    await client.close();
  },
);

const post = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(endpoint(), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  });
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

test('the address may end with a slash, and below it every answer is JSON', async () => {
  const at = (path: string, init: RequestInit = {}) =>
    fetch(`${endpoint().href}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify(LIST),
      ...init,
    });
  expect(await (await at('/')).json()).toEqual(await (await at('')).json());
  expect((await at('/', { method: 'GET', body: null })).status).toBe(405);
  for (const [path, method] of [
    ['/sse', 'GET'],
    ['/messages', 'POST'],
    ['//', 'POST'],
    ['/x/y', 'DELETE'],
  ] as const) {
    const answer = await at(path, { method, headers: { Accept: 'text/html' }, body: null });
    expect([path, answer.headers.get('content-type')]).toEqual([path, 'application/problem+json']);
    expect([404, 405]).toContain(answer.status);
    expect(await answer.json()).toMatchObject({ status: answer.status });
  }
  expect((await at('/messages')).status).toBe(404);
});

test('the transport refuses what it must, behind the routes of this site too', async () => {
  for (const method of ['GET', 'DELETE']) expect((await fetch(endpoint(), { method })).status).toBe(405);
  for (const Origin of ['https://evil.example', 'null'])
    expect((await post(LIST, { Origin })).status).toBe(403);
  expect((await post([LIST])).status).toBe(400);
  expect((await post(LIST, { 'MCP-Protocol-Version': '1999-01-01' })).status).toBe(400);
  expect((await post({ ...LIST, params: { x: 'x'.repeat(70_000) } })).status).toBe(413);
  expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
  const answer = await post(LIST);
  expect(answer.headers.get('content-type')).toContain('application/json');
  expect(answer.headers.get('mcp-session-id')).toBeNull();
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

test('with a public address any origin may ask, without credentials, and links name that address', async () => {
  await using site = await startTestCafeteria({ publicUrl: 'https://menu.example.org' });
  const origin = { Origin: 'https://assistant.example' };
  const preflight = await fetch(`${site.url}/mcp`, {
    method: 'OPTIONS',
    headers: { ...origin, 'Access-Control-Request-Method': 'POST' },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
  const found = await fetch(`${site.url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...origin },
    body: JSON.stringify({
      ...LIST,
      method: 'tools/call',
      params: { name: 'search_restaurants', arguments: { query: 'R5', limit: 1 } },
    }),
  });
  for (const Origin of ['null', 'http://localhost:6274', 'vscode-webview://abc', 'app://desktop']) {
    const answer = await fetch(`${site.url}/mcp/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json', Origin },
      body: JSON.stringify(LIST),
    });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, Origin]);
  }
  expect(found.status).toBe(200);
  expect(found.headers.get('access-control-allow-origin')).toMatch(/^(\*|https:\/\/assistant\.example)$/);
  expect(await found.text()).toContain('https://menu.example.org/restaurants/');

  // A browser that was led here under another name says so in Host.
  const underName = async (host: string): Promise<number | undefined> => {
    const asked = request(`${site.url}/mcp`, {
      method: 'POST',
      headers: { Host: host, 'Content-Type': 'application/json', Accept: 'application/json' },
    });
    asked.end(JSON.stringify(LIST));
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };
  expect(await Promise.all(['menu.example.org', 'evil.example'].map(underName))).toEqual([200, 403]);
});
