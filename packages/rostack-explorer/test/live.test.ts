import { BROWSER_START_MS, launchBrowser } from 'test-support/launch-browser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openExplorer } from './support/explorer-page.ts';
import { type RunningSite, startSite } from './support/start-site.ts';

let explorer: RunningSite;
let browser: Awaited<ReturnType<typeof launchBrowser>>;

beforeAll(async () => {
  browser = await launchBrowser();
  explorer = await startSite({ explorerPath: '/weather/' });
}, BROWSER_START_MS);

afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await explorer[Symbol.asyncDispose]();
});

const station = (id: string, status: 'online' | 'maintenance') => ({
  id,
  name: '시험',
  name_en: 'Test',
  location: { latitude: 37, longitude: 127, elevation_m: 5 },
  status,
});

test('events arrive marked as create, update and delete, newest first, with frames, chart and counts', async () => {
  await using tab = await openExplorer(browser, explorer);
  const { page } = tab;
  const { store } = explorer;
  await tab.connect(explorer.token);
  await tab.watch();
  await store.apply([{ resource: 'stations', op: 'put', record: station('test-a', 'online') }]);
  await store.apply([{ resource: 'stations', op: 'put', record: station('test-a', 'maintenance') }]);
  await store.apply([{ resource: 'stations', op: 'delete', id: 'test-a' }]);

  const rows = page.getByRole('region', { name: /^Live events/ }).locator('tbody tr');
  await rows.nth(2).waitFor();
  const cells = async (row: number) =>
    (await rows.nth(row).locator('td, th').allTextContents()).map((text) => text.trim());
  const time = expect.stringMatching(/^\d\d:\d\d:\d\d\.\d{3}$/);
  const born = expect.stringContaining('name_en Test');
  expect(await cells(2)).toEqual(['+ create', time, 'test-a', born, 'station.added']);
  expect(await cells(1)).toEqual([
    '~ update',
    time,
    'test-a',
    'status online maintenance',
    'station.changed',
  ]);
  expect(await cells(0)).toEqual(['− delete', time, 'test-a', expect.any(String), 'station.removed']);
  expect(await page.locator('.state .count').textContent()).toBe('3 events');

  const chart = page.getByRole('img', {
    name: /events per second on average over the last 60 seconds, at most [1-3]$/,
  });
  await chart.waitFor();

  await page.getByText(/^Raw frames/).click();
  await page.locator('.frames li').first().waitFor();
  const frames = await page.locator('.frames li code').allTextContents();
  expect(frames.map((text) => (JSON.parse(text) as { type: string }).type)).toEqual([
    ...Array.from({ length: 3 }, () => 'event'),
    'subscribed',
    'subscribe',
    'authenticated',
    'authenticate',
  ]);
  expect(frames.join(' ')).not.toContain(explorer.token);

  await rows.nth(1).getByRole('button').click();
  await page.getByRole('dialog').getByText('"status": "maintenance"').waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('status').getByText('Stopped').waitFor();
  await page.getByRole('tab', { name: 'Records' }).click();
  await page.getByRole('tab', { name: 'Live events' }).click();
  expect(await rows.count()).toBe(3);
  expect(tab.complaints).toEqual([]);
});

test('only the chosen events of records that match arrive', async () => {
  await using tab = await openExplorer(browser, explorer);
  const { page } = tab;
  const { store } = explorer;
  await tab.connect(explorer.token);
  await tab.watch();
  await page.getByText('Choose events').click();
  await page.getByRole('checkbox', { name: /station.changed/ }).uncheck();
  await page.getByRole('button', { name: 'Add condition' }).click();
  await page.getByRole('combobox', { name: 'Field of condition 1' }).selectOption('/status');
  await page.getByRole('combobox', { name: 'Value of condition 1' }).selectOption('maintenance');
  await page.getByRole('button', { name: 'Watch these' }).click();
  await page.getByText(/^Raw frames/).click();
  await page.locator('.frames li.received', { hasText: '"subscribed"' }).waitFor();
  await store.apply([
    { resource: 'stations', op: 'put', record: station('test-b', 'online') },
    { resource: 'stations', op: 'put', record: station('test-b', 'maintenance') },
    { resource: 'stations', op: 'put', record: { ...station('test-b', 'maintenance'), name_en: 'Other' } },
    { resource: 'stations', op: 'put', record: station('test-b', 'online') },
  ]);
  const marks = page.getByRole('region', { name: /^Live events/ }).locator('tbody .transition');
  await marks.nth(1).waitFor();
  expect(await marks.allTextContents()).toEqual(['− delete', '+ create']);
  expect(tab.complaints).toEqual([]);
});

test('when the token is revoked, the page says so', async () => {
  await using tab = await openExplorer(browser, explorer);
  const { page } = tab;
  const { token, tokenId } = explorer.createToken(['stations:read', 'stations:follow']);
  await tab.connect(token);
  await tab.watch();
  explorer.revokeToken(tokenId);
  await page.getByRole('alert').getByText('The server does not accept this token.').waitFor();
  await expect.poll(() => page.getByRole('status').textContent()).toBe('Stopped');
});

test('after the connection was lost, the page connects again and goes on', async () => {
  await using tab = await openExplorer(browser, explorer);
  const { page } = tab;
  const { store } = explorer;
  const rows = page.getByRole('region', { name: /^Live events/ }).locator('tbody tr');
  await tab.connect(explorer.token);
  await tab.watch();
  await store.apply([{ resource: 'stations', op: 'put', record: station('test-c', 'online') }]);
  await rows.first().waitFor();
  await page.context().setOffline(true);
  await page.evaluate('lastSocket.close()');
  await page.getByRole('status').getByText('Connection lost; connecting again').waitFor();
  await store.apply([{ resource: 'stations', op: 'put', record: station('test-c', 'maintenance') }]);
  await page.context().setOffline(false);
  await rows.nth(1).waitFor();
  expect(await rows.first().locator('.summary').textContent()).toBe('status online maintenance');
});

test('a link signs in and watches, its token is gone from the address at once, and the next link begins anew', async () => {
  const link = (resource: string) => `${explorer.url}#token=${explorer.token}&view=live&resource=${resource}`;
  await using tab = await openExplorer(browser, { url: link('stations') });
  const { page } = tab;
  await page.locator('.state.live').waitFor();
  expect(page.url()).toBe(explorer.url);
  await explorer.store.apply([{ resource: 'stations', op: 'put', record: station('test-l', 'online') }]);
  await page
    .getByRole('region', { name: /^Live events/ })
    .getByText('test-l')
    .waitFor();

  await page.goto(link('observations'));
  await page.getByRole('heading', { level: 1, name: 'observations' }).waitFor();
  await page.locator('.state.live').waitFor();
  expect(page.url()).toBe(`${explorer.url}?resource=observations`);

  await page.goto(`${explorer.url}#token=wrong`);
  await page.getByRole('textbox', { name: 'Token' }).waitFor();
  await page.getByText(/token/i).first().waitFor();
  expect(page.url()).toBe(explorer.url);
});
