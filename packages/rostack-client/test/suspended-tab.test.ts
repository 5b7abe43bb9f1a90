import type { Page } from 'playwright-core';
import { FaultProxy } from 'test-support/fault-proxy';
import { BROWSER_START_MS, launchBrowser } from 'test-support/launch-browser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { station } from './support/observatory.ts';
import type { TabsApi } from './support/tabs-page.ts';
import { buildTabs, changesOf, setUpTabs, told, until } from './support/tabs-world.ts';

declare const tabs: TabsApi;

let browser: Awaited<ReturnType<typeof launchBrowser>>;
let script = '';

beforeAll(async () => {
  script = await buildTabs();
  browser = await launchBrowser(['--ignore-certificate-errors']);
}, BROWSER_START_MS);

afterAll(() => browser[Symbol.asyncDispose]());

const leads = (tab: Page): Promise<boolean> => tab.evaluate(() => tabs.isLeader());

test('a visible tab takes over from a suspended one, which writes nothing and follows when it wakes', {
  timeout: 120_000,
}, async () => {
  await using world = await setUpTabs(browser, script);
  const { gateway } = world;
  await gateway.put('stations', station(1));
  const first = await world.open();
  await told(first, 'live');
  const second = await world.open();
  await told(second, 'live');
  const lists = world.lists();

  // A page that is paused in its debugger runs nothing, answers nothing and keeps its locks.
  const session = await world.context.newCDPSession(first);
  await session.send('Debugger.enable');
  const paused = new Promise((resolve) => session.once('Debugger.paused', resolve));
  await session.send('Debugger.pause');
  await gateway.put('stations', station(2));
  await paused;
  await told(second, 'stale', 60_000);
  await told(second, `created ${station(2).id}`, 60_000);
  await until(async () => expect((await changesOf(second)).at(-1)).toBe('live'), 60_000);
  expect(await leads(second)).toBe(true);

  for (const number of [3, 4]) await gateway.put('stations', station(number));
  await gateway.remove('stations', station(3).id);
  await told(second, `removed ${station(3).id}`);
  await session.send('Debugger.disable');
  await until(async () => expect(await leads(first)).toBe(false), 60_000);
  await gateway.put('stations', station(5));
  const ids = [1, 2, 4, 5].map((number) => station(number).id);
  for (const tab of [first, second]) {
    await until(async () => {
      expect(await tab.evaluate(() => tabs.failure())).toBeUndefined();
      expect(await tab.evaluate(() => tabs.records().map(({ id }) => id))).toEqual(ids);
    }, 60_000);
    // Each came once, or with the state that was read again.
    const told = await changesOf(tab);
    expect(new Set(told.filter((change) => change.startsWith('created'))).size, told.join()).toBe(
      told.filter((change) => change.startsWith('created')).length,
    );
  }
  expect(await leads(second)).toBe(true);
  // It went on from the stored cursor.
  expect(world.lists()).toBe(lists);

  await second.close();
  await until(async () => expect(await leads(first)).toBe(true), 60_000);
  await gateway.put('stations', station(6));
  await told(first, `created ${station(6).id}`, 60_000);
  expect(world.lists()).toBe(lists);
});

test('tabs say that the connection is lost, and that they are live again', { timeout: 60_000 }, async () => {
  await using world = await setUpTabs(browser, script);
  await world.gateway.put('stations', station(1));
  const [first, second] = [await world.open(), await world.open()];
  for (const tab of [first, second]) await told(tab, 'live');
  await world.gateway.down();
  for (const tab of [first, second]) await told(tab, 'reconnecting');
  await world.gateway.up();
  for (const tab of [first, second]) {
    await until(async () => expect((await changesOf(tab)).at(-1)).toBe('live'));
  }
});

test('tabs do not call a dead server live, also when the leading one is in the background', {
  timeout: 60_000,
}, async () => {
  await using proxy = await FaultProxy.start({ host: 'localhost', port: 1 });
  const heartbeat = { heartbeatIntervalMs: 300_000, heartbeatTimeoutMs: 1_000 };
  await using world = await setUpTabs(browser, script, { ...heartbeat, advertisedPort: proxy.port });
  proxy.leadTo({ host: 'localhost', port: world.gateway.port });
  await world.gateway.put('stations', station(1));
  const first = await world.open();
  await told(first, 'live');
  const second = await world.open();
  await told(second, 'live');
  await first.evaluate(() => Object.defineProperty(document, 'visibilityState', { value: 'hidden' }));
  proxy.stall();
  await told(second, 'reconnecting', 30_000);
  proxy.resume();
  await until(async () => expect((await changesOf(second)).at(-1)).toBe('live'), 30_000);
  expect(await leads(first)).toBe(true);
});
