import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { spawnMain, startProgram, until } from './support/process.ts';
import { find, findOne, startTestCafeteria } from './support/running.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'running-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the program prints its address and a command that works, and stops with code 0 when asked', async () => {
  const program = await startProgram({ DATA_DIR: join(folder, 'a'), CAFETERIA_PREFETCH_SECONDS: '0' });
  const printed = () => /curl '([^']+)'/.exec(program.output())?.[1];
  await until('the command is printed', async () => printed() !== undefined);
  const command = printed() ?? '';
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

test('a start that leaves something out says so, a sentence each, and visitors behind a proxy on the machine are told apart; one whose store cannot be opened ends with one sentence', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  const under = join(file, 'data');
  const program = await startProgram({
    DATA_DIR: under,
    STORE_URL: 'memory:',
    CAFETERIA_PREFETCH_SECONDS: '0',
    LOG_LEVEL: 'silent',
    MENU_UPSTRAEM: 'live',
    WELSTORY_PASSWROD: 'hunter2hunter2',
    CAFETERIA_COLOUR: 'blue',
    PUBLIC_URL: 'https://menu.example.org',
    CAFETERIA_SEARCH_PER_MINUTE: '1',
  });
  for (const sentence of [
    'These are sample menus: set MENU_UPSTREAM=live for those of the operators.',
    'MENU_UPSTRAEM is not a setting: did you mean MENU_UPSTREAM?',
    'WELSTORY_PASSWROD is not a setting: did you mean WELSTORY_PASSWORD?',
    'CAFETERIA_COLOUR is not a setting: nothing reads it.',
    `DATA_DIR ${under} cannot be written (ENOTDIR): photos are kept in memory alone.`,
  ])
    expect(program.output()).toContain(`${sentence}\n`);
  expect(program.output()).not.toContain('hunter2');
  // Behind a proxy on the same machine, each visitor has a limit of their own without a setting.
  const search = async (visitor: string): Promise<number> => {
    const headers = { 'X-Forwarded-For': visitor };
    return (await fetch(`${program.url}/proxy/search?q=R5`, { headers })).status;
  };
  const statuses = [
    await search('203.0.113.1'),
    await search('203.0.113.2:5123'),
    await search('203.0.113.1'),
  ];
  expect(statuses).toEqual([200, 200, 429]);
  const { path } = await findOne(program.url, 'R5');
  // Which photos are there is known a moment after the first look.
  const photo = await vi.waitFor(async () => {
    const page = await (await fetch(`${program.url}${path}`)).text();
    const [, address = ''] = /src="(\/img\/[^"]+)"/.exec(page) ?? [];
    expect(address).not.toBe('');
    return address;
  });
  expect((await fetch(`${program.url}${photo}`)).status).toBe(200);
  expect(await program.stop()).toBe(0);

  const { child, output } = spawnMain({ DATA_DIR: under, CAFETERIA_PREFETCH_SECONDS: '0' });
  const [code] = (await once(child, 'close')) as [number];
  expect(code).toBe(1);
  expect(output()).toMatch(/^[^\n]+Is DATA_DIR right, and can its folder be written\?\n$/);
});

test('too many requests from one address are refused in the protocol of each path', async () => {
  await using site = await startTestCafeteria({
    limits: { searchPerMinute: 2, mcpPerMinute: 1, photosPerMinute: 1, readingsPerMinute: 0 },
  });
  const statuses: number[] = [];
  for (let index = 0; index < 3; index += 1)
    statuses.push((await fetch(`${site.url}/proxy/search?q=a`)).status);
  expect(statuses).toEqual([200, 200, 429]);
  const refused = await fetch(`${site.url}/proxy/search?q=a`);
  expect(refused.headers.get('content-type')).toBe('application/problem+json');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  // A menu by itself costs its operator requests, so it counts like a search page.
  const menu = `${site.url}/restaurants/welstory/none/x/20261120/menus/1`;
  expect([(await fetch(menu)).status, (await fetch(`${site.url}/?q=a`)).status]).toEqual([404, 200]);
  const page = await fetch(menu);
  expect([page.status, page.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
  await fetch(`${site.url}/mcp`, { method: 'POST' });
  const mcp = await fetch(`${site.url}/mcp`, { method: 'POST' });
  expect([mcp.status, await mcp.json()]).toMatchObject([429, { jsonrpc: '2.0', error: { code: -32_000 } }]);
  await fetch(`${site.url}/img/welstory/480/x`);
  expect((await fetch(`${site.url}/img/welstory/480/x`)).status).toBe(429);
  expect((await fetch(`${site.url}/api/health`)).status).toBe(200);
});

test('metrics are on a port of their own and count requests by route', async () => {
  await using site = await startTestCafeteria({ metricsPort: 0 });
  // Those that are ready are counted like those that are made.
  const [found] = await find(site.url, 'R5', 1);
  for (let count = 0; count < 4; count += 1) {
    await (await fetch(`${site.url}/proxy/search?q=a`)).text();
    await (await fetch(`${site.url}${found?.path}/20261120`)).text();
  }
  expect((await fetch(`${site.url}/metrics`)).status).toBe(404);
  const text = await (await fetch(site.metricsUrl ?? '')).text();
  expect(text).toMatch(/cafeteria_http_requests_total\{route="\/proxy\/search",status="200"\} 5/);
  expect(text).toContain(
    'cafeteria_http_requests_total{route="/restaurants/:vendor/:id/:slug/:date",status="200"} 4',
  );
  expect(text).toContain('cafeteria_operator_status{vendor="welstory"} 1');
  expect(text).toContain('cafeteria_operator_needs_person{vendor="welstory"} 0');
});
