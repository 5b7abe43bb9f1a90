import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { BROWSER_START_MS, launchBrowser } from 'test-support/launch-browser';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openExplorer } from './support/explorer-page.ts';
import { type RunningSite, startSite } from './support/start-site.ts';

// Axe looks at every element of a long page in each state.
vi.setConfig({ testTimeout: 180_000 });

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 900 };

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

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const ALL = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']";

async function violations(page: Page, runOnly = ALL): Promise<string[]> {
  if (await page.evaluate('window.axe === undefined')) await page.evaluate(axe);
  return page.evaluate(`axe.run(document, { runOnly: ${runOnly} })
    .then(({ violations }) => violations.flatMap((v) => v.nodes.map((n) => v.id + ' ' + n.target + ' ' + n.failureSummary)))`);
}

/** How far the page can be scrolled sideways, and what sticks out. */
const sideways = (page: Page) =>
  page.evaluate<string[]>(`document.documentElement.scrollWidth <= innerWidth ? [] :
    [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.scroller, pre'))
      .map((e) => e.tagName + '.' + e.className).slice(0, 5)`);

describe.each([
  ['light', ALL],
  // The colours are all that differs.
  ['dark', "['color-contrast']"],
] as const)('%s', (colorScheme, rules) => {
  test.each([
    ['desk', DESK],
    ['phone', PHONE],
  ])('axe finds nothing and nothing sticks out, in every state (%s)', async (_, viewport) => {
    await using tab = await openExplorer(browser, explorer, {
      colorScheme,
      viewport,
      bypassCSP: true,
      reducedMotion: 'reduce',
    });
    const { page } = tab;
    const check = async (state: string) => {
      expect(await violations(page, rules), state).toEqual([]);
      expect(await sideways(page), state).toEqual([]);
    };
    await check('at rest');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByRole('alert').waitFor();
    await check('with a failure');
    await tab.connect(explorer.token);
    await tab.choose('observations');
    await page.locator('table.records tbody tr').first().waitFor();
    await check('with a table');
    for (const [pointer, operator] of [
      ['/quality', 'in'],
      ['/temperature_c', 'gte'],
      ['/observed_at', 'gte'],
      ['/station_id', 'exists'],
    ]) {
      await page.getByRole('button', { name: 'Add condition' }).click();
      await page
        .locator('.condition:last-child select')
        .first()
        .selectOption(pointer ?? '');
      await page
        .locator('.condition:last-child select')
        .nth(1)
        .selectOption(operator ?? '');
    }
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await page.getByText('Enter a number.').waitFor();
    await check('with a filter and its faults');
    await page.locator('table.records tbody button').first().click();
    await page.getByRole('dialog').locator('dl').waitFor();
    await check('with a record open');
    await page.keyboard.press('Escape');
    await tab.watch();
    await explorer.tick(2);
    await page.locator('table.events tbody tr').nth(3).waitFor();
    await page.getByText(/^Raw frames/).click();
    await check('with live events');
  });
});

test('at twice the text size nothing sticks out on a phone', async () => {
  await using tab = await openExplorer(browser, explorer, { viewport: PHONE, bypassCSP: true });
  const { page } = tab;
  await page.addStyleTag({ content: 'html { font-size: 200% }' });
  expect(await sideways(page)).toEqual([]);
  await tab.connect(explorer.token);
  await page.locator('table.records tbody tr').first().waitFor();
  await page.getByRole('button', { name: 'Add condition' }).click();
  expect(await sideways(page)).toEqual([]);
});

test('everything can be reached and used by keyboard alone', async () => {
  await using tab = await openExplorer(browser, explorer);
  const { page } = tab;
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
  await page.getByRole('textbox', { name: 'Token' }).focus();
  await page.keyboard.insertText(explorer.token);
  await page.keyboard.press('Enter');
  await page.locator('.resource-picker select:focus').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  expect(await page.getByRole('tab', { name: 'Live events' }).getAttribute('aria-selected')).toBe('true');
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('button', { name: 'Add condition' }).press('Enter');
  await expect
    .poll(() => page.evaluate<string>('document.activeElement.getAttribute("aria-label")'))
    .toBe('Field of condition 1');
});

test('where there are two kinds of tokens, one chooses', async () => {
  await using both = await startSite({
    oauthMetadataUrl: 'https://login.example/.well-known/oauth-authorization-server',
    observations: 0,
  });
  await using tab = await openExplorer(browser, both, { viewport: PHONE, bypassCSP: true });
  const { page } = tab;
  const kind = page.getByRole('combobox', { name: 'Kind' });
  expect(await kind.locator('option').allTextContents()).toEqual(['OAuth 2.0 access token', 'Shared token']);
  expect(await kind.inputValue()).toBe('shared_token');
  expect(await page.getByRole('link', { name: 'its metadata' }).getAttribute('href')).toContain(
    'login.example',
  );
  expect(await violations(page)).toEqual([]);
  expect(await sideways(page)).toEqual([]);
  await tab.connect(both.token);
});
