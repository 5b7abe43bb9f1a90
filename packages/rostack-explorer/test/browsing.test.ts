import { BROWSER_START_MS, launchBrowser } from 'test-support/launch-browser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openExplorer } from './support/explorer-page.ts';
import { type RunningSite, startSite } from './support/start-site.ts';

let explorer: RunningSite;
let browser: Awaited<ReturnType<typeof launchBrowser>>;

beforeAll(async () => {
  browser = await launchBrowser();
  explorer = await startSite();
}, BROWSER_START_MS);

afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await explorer[Symbol.asyncDispose]();
});

test('without JavaScript the page says everything but shows no records', async () => {
  await using tab = await openExplorer(browser, explorer, { javaScriptEnabled: false });
  const { page } = tab;
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('stations');
  expect(await page.locator('noscript p').isVisible()).toBe(true);
  expect(await page.getByRole('textbox').count()).toBe(0);
  await page.getByRole('link', { name: 'observations' }).click();
  expect(await page.getByRole('region', { name: 'Fields of observations' }).isVisible()).toBe(true);
  await page.getByRole('button', { name: 'About this API' }).click();
  expect(await page.getByRole('region', { name: 'Filter operators' }).isVisible()).toBe(true);
});

test('token, table, filter, sort, next page, back, and one record; the token stays in memory', async () => {
  await using tab = await openExplorer(browser, explorer);
  const { page } = tab;
  const table = page.getByRole('region', { name: /^Records of/ });
  const column = (number: number) => table.locator(`tbody tr > :nth-child(${number})`).allTextContents();
  const settled = async () => {
    await page.locator('[aria-busy=false]').waitFor();
    return page.getByRole('status').textContent();
  };

  await tab.connect(explorer.token);
  await tab.choose('observations');
  expect(new URL(page.url()).search).toBe('?resource=observations');
  await table.getByRole('row').nth(10).waitFor();

  await page.getByRole('button', { name: 'Add condition' }).click();
  const field = page.getByRole('combobox', { name: 'Field of condition 1' });
  const offered = explorer.implementation.discovery.resources[1]?.filtering.filterable_fields ?? {};
  const values = await field
    .locator('option')
    .evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value));
  expect(new Set(values)).toEqual(new Set(Object.keys(offered)));
  await field.selectOption('/quality');
  await page.getByRole('combobox', { name: 'Value of condition 1' }).selectOption('provisional');
  await page.getByRole('button', { name: 'Apply filter' }).click();
  await page.locator('.request').getByText('filter={"/quality":{"eq":"provisional"}}').waitFor();
  expect(await table.getByRole('columnheader').count()).toBe(8);
  await page.getByText('Columns (8 of 9)').click();
  await page.getByRole('checkbox', { name: 'humidity_percent' }).uncheck();
  await table.getByRole('columnheader', { name: 'humidity_percent' }).waitFor({ state: 'detached' });
  await expect.poll(async () => new Set(await column(7))).toEqual(new Set(['provisional']));

  await table.getByRole('button', { name: 'temperature_c' }).click();
  await table.getByRole('button', { name: 'temperature_c' }).click();
  await page.locator('th[aria-sort=descending]').waitFor();
  await page.locator('.request').getByText('sort=-/temperature_c').waitFor();
  const ordered = async () => {
    const temperatures = (await column(4)).map(Number);
    return (
      temperatures.length === 10 &&
      temperatures.every((one, at) => at === 0 || one <= (temperatures[at - 1] ?? 0))
    );
  };
  await expect.poll(ordered).toBe(true);
  const firstPage = await column(1);

  await page.getByRole('button', { name: 'Next' }).click();
  await expect.poll(settled).toContain('Page 2');
  const secondPage = await column(1);
  expect(secondPage.filter((id) => firstPage.includes(id))).toEqual([]);
  await page.getByRole('button', { name: 'Previous' }).click();
  await expect.poll(() => column(1)).toEqual(firstPage);

  await table.getByRole('button', { name: firstPage[0] ?? '' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('"quality": "provisional"').waitFor();
  expect(await dialog.getByRole('heading', { level: 3 }).textContent()).toBe(firstPage[0]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  expect(page.url()).toBe(`${explorer.url}?resource=observations`);
  const kept = await page.evaluate<string>(
    `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, document.documentElement.outerHTML, history.state])`,
  );
  expect(kept).not.toContain(explorer.token);
  expect(await page.evaluate<number>('indexedDB.databases().then((all) => all.length)')).toBe(0);
  expect(tab.complaints).toEqual([]);
});

test('a condition whose value is missing says what to enter, and nothing is asked', async () => {
  await using tab = await openExplorer(browser, explorer);
  const { page } = tab;
  await tab.connect(explorer.token);
  await page.getByRole('button', { name: 'Add condition' }).click();
  await page.getByRole('combobox', { name: 'Field of condition 1' }).selectOption('/location/elevation_m');
  await page.getByRole('combobox', { name: 'Operator of condition 1' }).selectOption('gte');
  await page.getByRole('button', { name: 'Apply filter' }).click();
  await page.getByText('Enter a number.').waitFor();
  await page.getByRole('spinbutton', { name: 'Value of condition 1' }).fill('500');
  await page.getByRole('button', { name: 'Apply filter' }).click();
  await expect.poll(() => page.getByRole('status').textContent()).toBe('Page 1, 1 record');
  await page.getByRole('button', { name: 'daegwallyeong' }).waitFor();
  expect(tab.complaints).toEqual([]);
});

test('a record that has no id where it was said to be is opened by the one that is found', async () => {
  await using other = await startSite({ resources: { stations: { idPointer: '/code' } }, observations: 0 });
  await using tab = await openExplorer(browser, other);
  const { page } = tab;
  await tab.connect(other.token);
  await page.getByRole('button', { name: 'busan', exact: true }).click();
  await page.getByRole('dialog').getByText('version').waitFor();
  await page.getByRole('dialog').getByText('"id": "busan"').waitFor();
  expect(tab.complaints).toEqual([]);
});

test('a wrong token is refused in words; a narrow one opens what it may', async () => {
  await using tab = await openExplorer(browser, explorer);
  const { page } = tab;
  const token = page.getByRole('textbox', { name: 'Token' });
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('alert').getByText('There is no token.').waitFor();
  await token.fill(explorer.token.replace(/.$/, (last) => (last === '0' ? '1' : '0')));
  await page.getByRole('button', { name: 'Connect' }).click();
  const alert = page.getByRole('alert').getByText('The server does not accept this token.');
  await alert.waitFor();
  expect(await page.getByRole('alert').textContent()).not.toContain(explorer.token.slice(-20));

  await tab.connect(explorer.narrowToken);
  await page.getByRole('button', { name: 'busan', exact: true }).waitFor();
  await tab.choose('observations');
  await page.getByRole('alert').getByText('This token does not allow it.').waitFor();
  await tab.choose('stations');
  await page.getByRole('tab', { name: 'Records' }).press('ArrowRight');
  await page.getByRole('alert').getByText('This token does not allow it.').waitFor();

  await page.getByRole('button', { name: 'Forget token' }).click();
  expect(await token.inputValue()).toBe('');
});

test('examples are copied as they stand', async () => {
  await using tab = await openExplorer(browser, explorer, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { page } = tab;
  const example = page.locator('[data-example=curl-list]');
  await example.getByRole('button', { name: 'Copy' }).click();
  await example.getByText('Copied').waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(copied).toBe(await example.locator('code').textContent());
});
