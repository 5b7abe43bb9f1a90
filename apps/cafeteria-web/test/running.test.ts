import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from 'menu-sandbox';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawnMain, startProgram, until } from './support/process.ts';
import { find, findOne, startTestCafeteria } from './support/running.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'running-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Health {
  readonly status: string;
  readonly operators: readonly { readonly vendor: string; readonly status: string }[];
  readonly prefetch?: { readonly done: number; readonly total: number };
}
const health = async (url: string): Promise<Health> =>
  (await (await fetch(`${url}/api/health`)).json()) as Health;
const FRIDAY = '20261120';

test('the program prints its address and a command that works, and stops with code 0 when asked', async () => {
  const program = await startProgram({ DATA_DIR: join(folder, 'a'), CAFETERIA_PREFETCH_SECONDS: '0' });
  const command = /curl '([^']+)'/.exec(program.output())?.[1] ?? '';
  expect(await (await fetch(command)).text()).toContain('강남');
  expect(await program.stop()).toBe(0);
});

test('a port in use and a wrong setting are one clear sentence and exit code 1', async () => {
  await using running = await startTestCafeteria();
  const port = new URL(running.url).port;
  for (const [environment, sentence] of [
    [
      { CAFETERIA_PORT: port },
      `Port ${port} is in use: stop what listens there or set CAFETERIA_PORT to another port.\n`,
    ],
    [{ MENU_UPSTREAM: 'none' }, 'MENU_UPSTREAM must be sandbox or live.\n'],
  ] as const) {
    const { child, output } = spawnMain({
      DATA_DIR: join(folder, 'b'),
      CAFETERIA_PREFETCH_SECONDS: '0',
      ...environment,
    });
    const [code] = (await once(child, 'close')) as [number];
    expect([code, output()]).toEqual([1, sentence]);
  }
});

test('live mode reads both operators at the addresses that it is given', async () => {
  await using sandbox = await startSandbox({ credentials: { username: 'me', password: 'secret' } });
  await using program = await startProgram({
    DATA_DIR: join(folder, 'c'),
    CAFETERIA_PREFETCH_SECONDS: '0',
    MENU_UPSTREAM: 'live',
    WELSTORY_USERNAME: 'me',
    WELSTORY_PASSWORD: 'secret',
    WELSTORY_BASE_URL: sandbox.welstoryUrl,
    PLANEAT_BASE_URL: sandbox.planeatUrl,
    PHOTO_ORIGINS: new URL(sandbox.url).origin,
  });
  const found = await find(program.url, '강남', 50);
  for (const vendor of ['welstory', 'shinsegae'] as const) {
    const item = found.find((each) => each.vendor === vendor);
    const html = await (await fetch(`${program.url}${item?.path}/${FRIDAY}`)).text();
    const planned = sandbox.plan(vendor, item?.id ?? '', '2026-11-20');
    expect(planned.length).toBeGreaterThan(0);
    expect(html).not.toContain('표본 데이터');
    const photo = /\/img\/\w+\/480\/[\w-]+/.exec(html)?.[0];
    expect((await fetch(`${program.url}${photo}`)).headers.get('content-type')).toBe('image/webp');
  }
  expect(program.output()).not.toContain('secret');
});

test('operators down: pages go on from the cache marked as old, nothing unread looks empty, recovery by itself', async () => {
  let nowMs = Date.parse('2026-11-20T01:00:00Z');
  await using sandbox = await startSandbox({ clock: () => nowMs });
  const { createMenuService, planeatOperator, systemClock, welstoryOperator } = await import('menu-client');
  const { DEFAULT_CREDENTIALS } = await import('menu-sandbox');
  const clock = { ...systemClock, nowMs: () => nowMs };
  const retry = { maxAttempts: 1, baseDelayMs: 1, maxDelayMs: 1 };
  await using service = createMenuService({
    clock,
    operators: [
      welstoryOperator({ ...DEFAULT_CREDENTIALS, baseUrl: sandbox.welstoryUrl, clock, retry }),
      planeatOperator({ baseUrl: sandbox.planeatUrl, clock, retry }),
    ],
  });
  const { renderDayMarkdown } = await import('../src/render/markdown/day-markdown.ts');
  const { feedPage } = await import('../src/render/feed-page.ts');
  const page = feedPage({ origin: 'http://localhost', nowMs, sampleData: false, assetUrl: (name) => name });
  const [restaurant] = await service.search('강남');
  if (restaurant === undefined) throw new Error('nothing found');
  const read = async (date: string): Promise<string> =>
    renderDayMarkdown(page, await service.dailyMenu(restaurant.vendor, restaurant.id, date), 'gallery');
  const before = await read('2026-11-20');
  expect(before).not.toContain('읽어 오지 못');

  sandbox.setFaults([{ fault: 'server-error' }]);
  // An hour later, and long enough that the kept day may no longer pass for current.
  nowMs += 26 * 3_600_000;
  const during = await read('2026-11-20');
  expect(during).toContain('지금은 업체에서 읽어 오지 못해');
  expect(during.match(/^- .*\*\*/gm)).toEqual(before.match(/^- .*\*\*/gm));
  const unread = await read('2026-11-19');
  expect(unread).toContain('메뉴를 읽어 오지 못했습니다');
  expect(unread).not.toContain('등록된 메뉴가 없습니다');

  sandbox.setFaults([]);
  nowMs += 10 * 60_000;
  await until('recovery', async () => {
    nowMs += 60_000;
    return !(await read('2026-11-19')).includes('읽어 오지 못');
  });
});

test('two instances over one PostgreSQL: one prefetches, the other takes over when it dies, nothing is read twice', async (context) => {
  const admin = process.env['TEST_POSTGRES_URL'] ?? 'postgres://root@127.0.0.1:5432/test';
  const client = new pg.Client({ connectionString: admin });
  try {
    await client.connect();
  } catch (error) {
    if (process.env['CI'] !== undefined) throw error;
    context.skip('no PostgreSQL answers');
  }
  const database = `cafeteria_${randomUUID().replaceAll('-', '')}`;
  await client.query(`CREATE DATABASE ${database}`);
  const url = new URL(admin);
  url.pathname = `/${database}`;
  try {
    await using sandbox = await startSandbox({ latencyMs: 0 });
    const environment = (name: string): Record<string, string> => ({
      DATA_DIR: join(folder, name),
      STORE_URL: url.href,
      MENU_UPSTREAM: 'live',
      PLANEAT_BASE_URL: sandbox.planeatUrl,
      LOG_LEVEL: 'warn',
      CAFETERIA_PREFETCH_SECONDS: '1',
    });
    await using first = await startProgram(environment('d'));
    await until(
      'the first instance prefetches',
      async () => ((await health(first.url)).prefetch?.done ?? 0) > 10,
    );
    await using second = await startProgram(environment('e'));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await health(second.url)).prefetch?.done).toBe(0);
    // What the first has read, the second answers from the shared store.
    const item = await findOne(second.url, '강남');
    expect((await fetch(`${second.url}${item.path}/${FRIDAY}`)).status).toBe(200);
    await first.kill();
    await until(
      'the second instance takes over',
      async () => ((await health(second.url)).prefetch?.done ?? 0) > 10,
      100_000,
    );
    expect(await second.stop()).toBe(0);
  } finally {
    await client.query(`DROP DATABASE ${database} WITH (FORCE)`);
    await client.end();
  }
}, 90_000);

test('too many requests from one address are refused in the protocol of each path', async () => {
  await using site = await startTestCafeteria({
    limits: { searchPerMinute: 2, mcpPerMinute: 1, photosPerMinute: 1 },
  });
  const statuses: number[] = [];
  for (let index = 0; index < 3; index += 1)
    statuses.push((await fetch(`${site.url}/proxy/search?q=a`)).status);
  expect(statuses).toEqual([200, 200, 429]);
  const refused = await fetch(`${site.url}/proxy/search?q=a`);
  expect(refused.headers.get('content-type')).toBe('application/problem+json');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  await fetch(`${site.url}/mcp`, { method: 'POST' });
  const mcp = await fetch(`${site.url}/mcp`, { method: 'POST' });
  expect([mcp.status, await mcp.json()]).toMatchObject([429, { jsonrpc: '2.0', error: { code: -32_000 } }]);
  await fetch(`${site.url}/img/welstory/480/x`);
  expect((await fetch(`${site.url}/img/welstory/480/x`)).status).toBe(429);
  expect((await fetch(`${site.url}/api/health`)).status).toBe(200);
});

test('metrics are on a port of their own and count requests by route', async () => {
  await using site = await startTestCafeteria({ metricsPort: 0 });
  await fetch(`${site.url}/proxy/search?q=a`);
  expect((await fetch(`${site.url}/metrics`)).status).toBe(404);
  const text = await (await fetch(site.metricsUrl ?? '')).text();
  expect(text).toMatch(/cafeteria_http_requests_total\{route="\/proxy\/search",status="200"\} 1/);
  expect(text).toContain('cafeteria_operator_status{vendor="welstory"} 1');
});
