import { addDays, formatCompactDate, seoulToday, systemClock } from 'menu-client';
import { startSandbox } from 'menu-sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOne, LUNCH_MS, startTestCafeteria } from './support/running.ts';

const TODAY = seoulToday(LUNCH_MS);
const READINGS_PER_MINUTE = 4;

const stack = new AsyncDisposableStack();
let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let url = '';
let path = '';
let id = '';
beforeAll(async () => {
  sandbox = stack.use(await startSandbox({ clock: () => LUNCH_MS, latencyMs: 0 }));
  const limits = { searchPerMinute: 0, mcpPerMinute: 0, photosPerMinute: 0 };
  const site = await startTestCafeteria(
    {
      upstream: { kind: 'live', environment: { PLANEAT_BASE_URL: sandbox.planeatUrl } },
      limits: { ...limits, readingsPerMinute: READINGS_PER_MINUTE },
      trustedProxies: ['127.0.0.1', '::1'],
    },
    { ...systemClock, nowMs: () => LUNCH_MS },
  );
  url = stack.use(site).url;
  ({ path, id } = await findOne(url, 'CAF'));
});
afterAll(() => stack.disposeAsync());

const compact = (daysAhead: number): string => formatCompactDate(addDays(TODAY, daysAhead));
const get = (address: string, from = '192.0.2.1', headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url + address, { headers: { 'x-forwarded-for': from, ...headers } });

/** A tool call as an MCP client sends it. */
const askMenu = (date: string, from: string): Promise<Response> =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      'x-forwarded-for': from,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: {
        name: 'get_restaurant_menu',
        arguments: { vendor: 'shinsegae', restaurantId: id, date },
      },
    }),
  });

/** Every medium of a day: its path, its type, and how it is asked for. */
const media = (date: string): readonly (readonly [string, string, Record<string, string>?])[] => [
  [`${path}/${date}`, 'text/html; charset=utf-8'],
  [`${path}/${date}`, 'text/markdown; charset=utf-8', { accept: 'text/markdown' }],
  [`${path}/${date}/week`, 'text/html; charset=utf-8'],
  [`${path}/${date}/menus/2.x`, 'text/html; charset=utf-8'],
  [`${path}/${date}/rss.xml`, 'application/rss+xml; charset=utf-8'],
  [`${path}/${date}.ics`, 'text/calendar; charset=utf-8'],
];

test('an address causes so many readings a minute; then it is told so in every medium, but for what is there', async () => {
  const kept = Array.from({ length: READINGS_PER_MINUTE }, (_, day) => compact(10 + day));
  for (const date of kept) expect((await get(`${path}/${date}`)).status).toBe(200);
  for (let more = 0; more < 3; more += 1) {
    for (const [address, type, headers] of media(compact(20 + more))) {
      const refused = await get(address, undefined, headers);
      expect([address, refused.status, refused.headers.get('content-type')]).toEqual([address, 429, type]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused.headers.get('cache-control')).toBe('no-store');
    }
  }
  const tool = await askMenu(compact(20), '192.0.2.1');
  expect([tool.status, Number(tool.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect(await tool.json()).toMatchObject({
    id: 7,
    result: { isError: true, content: [{ text: expect.stringMatching(/^Too many menus .* in \d+ s\.$/) }] },
  });
  // What was read is there for everybody, in each medium, and costs nothing.
  for (let again = 0; again < 5; again += 1) {
    for (const date of kept) {
      for (const [address] of media(date).filter(([each]) => !/week|menus/.test(each)))
        expect((await get(address)).status).toBe(200);
      expect((await askMenu(date, '192.0.2.1')).status).toBe(200);
    }
  }
  expect(Object.keys(sandbox.stats().shinsegae.byDay[id] ?? {})).toHaveLength(READINGS_PER_MINUTE);
  // Another address has readings of its own.
  expect((await get(`${path}/${compact(20)}`, '192.0.2.2')).status).toBe(200);
  expect((await get(`${path}/${compact(20)}`)).status).toBe(200);
});

test('a date that no operator can have is 404 in every medium, says which there are, and asks nobody', async () => {
  const before = sandbox.stats().shinsegae.requests;
  for (const date of [compact(-61), compact(31), '19990101']) {
    for (const [address, type, headers] of media(date)) {
      const refused = await get(address, '192.0.2.3', headers);
      expect([address, refused.status, refused.headers.get('content-type')]).toEqual([address, 404, type]);
      const text = (await refused.text()).replaceAll(/\r\n /g, '');
      expect(text).toContain('2026년 9월 21일');
      expect(text).toContain('2026년 12월 20일');
    }
    const english = await (await get(`${path}/${date}?lang=en`, '192.0.2.3')).text();
    expect(english).toMatch(/The operators have menus from .*Sep 21, 2026 to .*Dec 20, 2026/);
    const tool = await askMenu(date, '192.0.2.3');
    expect([tool.status, JSON.stringify(await tool.json())]).toEqual([
      200,
      expect.stringContaining('Operators have menus from 2026-09-21 to 2026-12-20: send a date in between.'),
    ]);
  }
  expect(sandbox.stats().shinsegae.requests).toBe(before);
  for (const date of [compact(-60), compact(30)])
    expect((await get(`${path}/${date}`, '192.0.2.4')).status).toBe(200);
});
