import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { BROWSER_START_MS, launchBrowser } from 'test-support/launch-browser';
import { afterAll, beforeAll, expect } from 'vitest';
import { openExplorer } from './explorer-page.ts';
import { type RunningSite, startSite } from './start-site.ts';

export const PHONE = { width: 390, height: 844 };
export const DESK = { width: 1280, height: 900 };

/** A site and a browser for the tests of a file; read its members inside tests only. */
export interface ShownExplorer {
  readonly site: RunningSite;
  readonly browser: Browser;
}

export function shownExplorer(): ShownExplorer {
  const stack = new AsyncDisposableStack();
  let shown: ShownExplorer | undefined;
  beforeAll(async () => {
    const browser = stack.use(await launchBrowser());
    shown = { browser, site: stack.use(await startSite()) };
  }, BROWSER_START_MS);
  afterAll(() => stack.disposeAsync());
  const get = (): ShownExplorer => {
    if (shown === undefined) throw new Error('not started yet');
    return shown;
  };
  return {
    get site() {
      return get().site;
    },
    get browser() {
      return get().browser;
    },
  };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe looks for; in the dark the colours are all that differs. */
export const AXE_RULES = {
  light: "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']",
  dark: "['color-contrast']",
} as const;

/** What axe finds now. */
export async function violations(page: Page, runOnly: string = AXE_RULES.light): Promise<string[]> {
  if (await page.evaluate('window.axe === undefined')) await page.evaluate(axe);
  return page.evaluate(`axe.run(document, { runOnly: ${runOnly} })
    .then(({ violations }) => violations.flatMap((v) => v.nodes.map((n) => v.id + ' ' + n.target + ' ' + n.failureSummary)))`);
}

/** How far the page can be scrolled sideways, and what sticks out. */
export const sideways = (page: Page) =>
  page.evaluate<string[]>(`document.documentElement.scrollWidth <= innerWidth ? [] :
    [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.scroller, pre'))
      .map((e) => e.tagName + '.' + e.className).slice(0, 5)`);

/** The states that are looked at on the way through the page. */
export const STATES = [
  'at rest',
  'with a failure',
  'with the drawer open',
  'with a table',
  'with a filter and its faults',
  'with a record open',
  'with live events',
] as const;

/** Axe finds nothing, and nothing sticks out, in these states; all are gone through. @param states @default all */
export async function expectAccessible(
  { browser, site }: ShownExplorer,
  colorScheme: keyof typeof AXE_RULES,
  viewport: typeof PHONE,
  states: readonly (typeof STATES)[number][] = STATES,
): Promise<void> {
  await using tab = await openExplorer(browser, site, {
    colorScheme,
    viewport,
    bypassCSP: true,
    reducedMotion: 'reduce',
  });
  const { page } = tab;
  const check = async (state: (typeof STATES)[number]) => {
    if (!states.includes(state)) return;
    expect(await violations(page, AXE_RULES[colorScheme]), state).toEqual([]);
    expect(await sideways(page), state).toEqual([]);
  };
  await check('at rest');
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('alert').waitFor();
  await check('with a failure');
  await page.getByRole('button', { name: 'About this API' }).click();
  await check('with the drawer open');
  await page.keyboard.press('Escape');
  await tab.connect(site.token);
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
  await site.tick(2);
  await page.locator('table.events tbody tr').nth(3).waitFor();
  await page.getByText(/^Raw frames/).click();
  await page.getByText('Choose events').click();
  await check('with live events');
}
