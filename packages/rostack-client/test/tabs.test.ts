import type { Page } from 'playwright-core';
import { BROWSER_START_MS, launchBrowser } from 'test-support/launch-browser';
import { testRuns } from 'test-support/test-runs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { station } from './support/observatory.ts';
import type { TabsApi, TabView } from './support/tabs-page.ts';
import { buildTabs, changesOf, setUpTabs, told, until } from './support/tabs-world.ts';
import type { TestGatewayOptions } from './support/test-gateway.ts';

declare const tabs: TabsApi;

/** Far longer than any test waits: what connects again was woken. */
const RECONNECT_MS = 90_000;

let browser: Awaited<ReturnType<typeof launchBrowser>>;
let script = '';

beforeAll(async () => {
  script = await buildTabs();
  browser = await launchBrowser(['--ignore-certificate-errors']);
}, BROWSER_START_MS);

afterAll(() => browser[Symbol.asyncDispose]());

const setUp = (options?: TestGatewayOptions, followed?: TabView) =>
  setUpTabs(browser, script, options, followed);

test('two tabs share one connection and one state; the second takes over when the first is closed', {
  timeout: 60_000,
}, async () => {
  await using world = await setUp();
  const { gateway } = world;
  await gateway.put('stations', station(1), station(2));
  const first = await world.open();
  await told(first, 'live');
  expect(await changesOf(first)).toEqual(['initial 2', 'live']);
  const lists = world.lists();
  const second = await world.open();
  await told(second, 'live');
  expect(await changesOf(second)).toEqual(['restored 2', 'live']);
  await gateway.put('stations', station(3));
  for (const tab of [first, second]) await told(tab, `created ${station(3).id}`);
  await gateway.put('stations', station(3, { name: 'renamed' }));
  await gateway.remove('stations', station(1).id);
  for (const tab of [first, second]) {
    await told(tab, `updated ${station(3).id}`);
    await told(tab, `removed ${station(1).id}`);
    expect(await tab.evaluate(() => tabs.size())).toBe(2);
  }
  expect(await first.evaluate(() => [tabs.isLeader(), tabs.connections()])).toEqual([true, 1]);
  expect(await second.evaluate(() => [tabs.isLeader(), tabs.connections()])).toEqual([false, 0]);
  await first.close();
  await until(async () => expect(await second.evaluate(() => tabs.isLeader())).toBe(true));
  await gateway.put('stations', station(4));
  await told(second, `created ${station(4).id}`);
  // It went on from the stored cursor: nothing was read again.
  expect(world.lists()).toBe(lists);
});

test('a tab that crashes leaves the lead to another one', { timeout: 60_000 }, async () => {
  await using world = await setUp();
  await world.gateway.put('stations', station(1));
  const first = await world.open();
  await told(first, 'live');
  const second = await world.open();
  await told(second, 'restored 1');
  void first.goto('chrome://crash').catch(() => {});
  await until(async () => expect(await second.evaluate(() => tabs.isLeader())).toBe(true));
  await world.gateway.put('stations', station(2));
  await told(second, `created ${station(2).id}`);
});

test('a tab whose follow fails says why, and leaves no client open', { timeout: 60_000 }, async () => {
  await using world = await setUp({}, { resource: 'nowhere' });
  const tab = await world.open();
  await until(async () => expect(await tab.evaluate(() => tabs.failure())).toContain('nowhere'));
  expect(await tab.evaluate(() => [tabs.isLeader(), tabs.clients()])).toEqual([false, 0]);
});

test('a reload resumes, also with what came while the page was away and offline', {
  timeout: 60_000,
}, async () => {
  await using world = await setUp({ reconnectMinDelayMs: RECONNECT_MS });
  const { gateway, context } = world;
  await gateway.put('stations', station(1));
  const tab = await world.open();
  await told(tab, 'live');
  const lists = world.lists();
  await tab.reload();
  await gateway.put('stations', station(2));
  await world.start(tab);
  await told(tab, `created ${station(2).id}`);
  expect(await changesOf(tab)).toEqual(['restored 1', `created ${station(2).id}`, 'live']);
  expect(world.lists()).toBe(lists);

  await context.setOffline(true);
  await gateway.down();
  await gateway.put('stations', station(3));
  await gateway.up();
  await context.setOffline(false);
  // The backoff alone would take minutes: `online` ends it.
  await told(tab, `created ${station(3).id}`);
  expect(world.lists()).toBe(lists);
});

test('tabs share the first records of an order, whichever of them leads', { timeout: 60_000 }, async () => {
  const followed = { resource: 'memos', sort: ['-/cost'], limit: 2, margin: 1, fields: ['/cost'] };
  await using world = await setUp({}, followed);
  const { gateway } = world;
  // As texts they would be in another order.
  const put = (cost: number) =>
    gateway.put('memos', { id: `memo-${cost}`, text: 'memo', cost: String(cost) });
  for (const cost of [9, 10, 100, 11, 8]) await put(cost);
  const first = await world.open();
  const second = await world.open();
  const shows = async (tab: Page, ...costs: readonly number[]): Promise<void> =>
    until(async () => {
      expect(await tab.evaluate(() => tabs.failure())).toBeUndefined();
      expect(await tab.evaluate(() => tabs.records())).toEqual(
        costs.map((cost) => ({ id: `memo-${cost}`, cost: String(cost) })),
      );
    });
  const lastOf = async (tab: Page): Promise<string | undefined> =>
    (await changesOf(tab)).findLast((change) => change !== 'live');
  for (const tab of [first, second]) await shows(tab, 100, 11);
  await put(99);
  for (const tab of [first, second]) await shows(tab, 100, 99);
  // One came and one went at once; behind the first two nothing is told.
  expect(await lastOf(second)).toBe('shifted 2');
  await put(7);
  await gateway.remove('memos', 'memo-100');
  for (const tab of [first, second]) await shows(tab, 99, 11);
  // More have left than are held: the list is read again.
  await gateway.remove('memos', 'memo-99', 'memo-11', 'memo-10');
  for (const tab of [first, second]) await shows(tab, 9, 8);
  await gateway.remove('memos', 'memo-8', 'memo-7');
  for (const tab of [first, second]) await shows(tab, 9);
  expect(await lastOf(second)).toBe('replaced 1');

  await first.close();
  await until(async () => expect(await second.evaluate(() => tabs.isLeader())).toBe(true));
  await put(12);
  await shows(second, 12, 9);
  expect(await lastOf(second)).toBe('created memo-12');
  const third = await world.open();
  await shows(third, 12, 9);
  expect((await changesOf(third))[0]).toBe('restored 2');
});

/** At night 40,000. */
const MANY = testRuns(4_000);

test(`${MANY} records are stored, mirrored and restored in bounded memory`, {
  timeout: 240_000,
}, async () => {
  await using world = await setUp({ maxPageSize: 500 });
  const { gateway } = world;
  const step = 2_000;
  for (let from = 0; from < MANY; from += step) {
    await gateway.put('stations', ...Array.from({ length: step }, (_, index) => station(from + index)));
  }
  const first = await world.open();
  await told(first, `initial ${MANY}`, 120_000);
  const lists = world.lists();
  const second = await world.open();
  await told(second, `restored ${MANY}`, 60_000);
  await first.close();
  await second.reload();
  await world.start(second);
  await told(second, `restored ${MANY}`, 60_000);
  await told(second, 'live');
  await gateway.remove('stations', station(7).id);
  await told(second, `removed ${station(7).id}`);
  expect(await second.evaluate(() => tabs.size())).toBe(MANY - 1);
  expect(world.lists()).toBe(lists);
  const session = await world.context.newCDPSession(second);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  expect(usedSize).toBeLessThan(400_000_000);
});
