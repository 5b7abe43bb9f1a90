import type { Page } from 'playwright-core';
import { BROWSER_START_MS, launchBrowser } from 'test-support/launch-browser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { station } from './support/observatory.ts';
import type { TabsApi } from './support/tabs-page.ts';
import { buildTabs, setUpTabs, told, until } from './support/tabs-world.ts';

declare const tabs: TabsApi;

let browser: Awaited<ReturnType<typeof launchBrowser>>;
let script = '';

beforeAll(async () => {
  script = await buildTabs();
  browser = await launchBrowser(['--ignore-certificate-errors']);
}, BROWSER_START_MS);

afterAll(() => browser[Symbol.asyncDispose]());

const idsOf = (tab: Page): Promise<string[]> => tab.evaluate(() => tabs.records().map(({ id }) => id));

/** Every record, here and in a page that looks for the first time. */
async function expectAll(world: Awaited<ReturnType<typeof setUpTabs>>, tab: Page, ids: readonly string[]) {
  await until(async () => {
    expect(await tab.evaluate(() => tabs.failure())).toBeUndefined();
    expect(await idsOf(tab)).toEqual(ids);
  }, 60_000);
  const later = await world.open();
  await until(async () => expect(await idsOf(later)).toEqual(ids), 60_000);
  await later.close();
}

const CLEARED = {
  'the whole origin': async (tab: Page) => {
    const session = await tab.context().newCDPSession(tab);
    await session.send('Storage.clearDataForOrigin', { origin: 'https://app.example', storageTypes: 'all' });
  },
  'the database, by another tab': async (tab: Page) => {
    const other = await tab.context().newPage();
    await other.goto('https://app.example/');
    await other.evaluate(
      () =>
        new Promise<void>((resolve, reject) => {
          const request = indexedDB.deleteDatabase('stations');
          request.addEventListener('success', () => resolve());
          request.addEventListener('error', () => reject(new Error('the database was not deleted')));
        }),
    );
    await other.close();
  },
  'all records': (tab: Page) => tab.evaluate(() => tabs.forgetRecords()),
  'all states': (tab: Page) => tab.evaluate(() => tabs.forget('')),
  'the sort order': (tab: Page) => tab.evaluate(() => tabs.forget('~order')),
};

test.for(Object.entries(CLEARED))(
  'after the browser cleared %s, every tab has all the records again',
  { timeout: 120_000 },
  async ([, clear]) => {
    await using world = await setUpTabs(browser, script, {}, { resource: 'stations', sort: ['/altitude'] });
    const put = (number: number) => world.gateway.put('stations', station(number, { altitude: -number }));
    for (const number of [1, 2, 3]) await put(number);
    const tab = await world.open();
    await told(tab, 'live');
    await clear(tab);
    // Nothing is written meanwhile: a page that looks for the first time makes the leading one notice.
    await expectAll(
      world,
      tab,
      [3, 2, 1].map((number) => station(number).id),
    );
    await clear(tab);
    await put(4);
    await expectAll(
      world,
      tab,
      [4, 3, 2, 1].map((number) => station(number).id),
    );
    await put(5);
    await expectAll(
      world,
      tab,
      [5, 4, 3, 2, 1].map((number) => station(number).id),
    );
  },
);

test('a page that finds a part of its records gone takes a new snapshot', { timeout: 120_000 }, async () => {
  await using world = await setUpTabs(browser, script);
  await world.gateway.put('stations', station(1), station(2));
  const tab = await world.open();
  await told(tab, 'live');
  await tab.evaluate(() => tabs.forgetRecords());
  await tab.reload();
  await world.start(tab);
  await expectAll(world, tab, [station(1).id, station(2).id]);
});
