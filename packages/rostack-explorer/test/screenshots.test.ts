import { readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BROWSER_START_MS, launchBrowser } from 'test-support/launch-browser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KEPT_OBSERVATIONS } from '../../../apps/rostack-gateway/examples/observatory/feed.ts';
import { type ExplorerPage, openExplorer } from './support/explorer-page.ts';
import { type RunningSite, startSite } from './support/start-site.ts';

const FOLDER = resolve(import.meta.dirname, '../docs/screenshots');
const LIVE_SECONDS = 20;

test('the README shows each screenshot that is there', () => {
  const readme = readFileSync(resolve(FOLDER, '../../README.md'), 'utf8');
  const shown = [...readme.matchAll(/docs\/screenshots\/([\w-]+\.png)/g)].map(([, name]) => name);
  expect(new Set(shown)).toEqual(new Set(readdirSync(FOLDER)));
});

/** For the README of the repository and the front page of the site. */
const IMAGES = resolve(import.meta.dirname, '../../../docs/images');

// They show what cannot be asserted: they are taken on request, and looked at.
if (process.env['ROSTACK_SCREENSHOTS'] === '1')
  describe('screenshots', () => {
    let explorer: RunningSite;
    let browser: Awaited<ReturnType<typeof launchBrowser>>;

    beforeAll(async () => {
      await mkdir(IMAGES, { recursive: true });
      browser = await launchBrowser();
      explorer = await startSite({ observations: KEPT_OBSERVATIONS });
    }, BROWSER_START_MS);

    afterAll(async () => {
      await browser[Symbol.asyncDispose]();
      await explorer[Symbol.asyncDispose]();
    });

    const shoot = async ({ page }: ExplorerPage, name: string) => {
      await page.mouse.move(0, 0);
      await page.screenshot({ path: resolve(FOLDER, `${name}.png`), animations: 'disabled' });
    };

    const browse = async (tab: ExplorerPage) => {
      const { page } = tab;
      await tab.connect(explorer.token);
      await tab.choose('observations');
      await page.getByRole('button', { name: 'Add condition' }).click();
      await page.locator('.condition:last-child select').first().selectOption('/quality');
      await page.getByRole('button', { name: 'Add condition' }).click();
      await page.locator('.condition:last-child select').first().selectOption('/temperature_c');
      await page.locator('.condition:last-child select').nth(1).selectOption('gte');
      await page.getByRole('spinbutton').fill('15');
      await page.getByRole('button', { name: 'Apply filter' }).click();
      await page.getByRole('button', { name: 'observed_at' }).click();
      await page.getByRole('button', { name: 'observed_at' }).click();
      await page.locator('th[aria-sort=descending]').waitFor();
      await page.locator('.request').getByText('sort=-/observed_at').waitFor();
      await page.locator('[aria-busy=false]').waitFor();
    };

    /** Some seconds of events, three of them a second now and then. */
    const watch = async (tab: ExplorerPage) => {
      await tab.watch();
      for (let second = 0; second < LIVE_SECONDS; second += 1) {
        await explorer.tick(1 + (second % 4 === 0 ? 2 : 0));
        await tab.page.waitForTimeout(1_000);
      }
    };

    test('desk, light', { timeout: 180_000 }, async () => {
      await using tab = await openExplorer(browser, explorer, {
        viewport: { width: 1280, height: 800 },
        colorScheme: 'light',
      });
      await tab.choose('observations');
      await tab.page.evaluate('document.getElementById("reference").scrollIntoView()');
      await shoot(tab, 'reference-light');
      await tab.page.evaluate('scrollTo(0, 0)');
      await browse(tab);
      await shoot(tab, 'records-light');
      expect(tab.complaints).toEqual([]);
    });

    test('desk, dark', { timeout: 180_000 }, async () => {
      await using tab = await openExplorer(browser, explorer, {
        viewport: { width: 1280, height: 800 },
        colorScheme: 'dark',
      });
      await tab.connect(explorer.token);
      await tab.choose('observations');
      await watch(tab);
      await shoot(tab, 'live-dark');
      expect(tab.complaints).toEqual([]);
    });

    test.for([
      ['desktop', { width: 1180, height: 640 }, 'dark'],
      ['tablet', { width: 820, height: 800 }, 'light'],
      ['phone', { width: 390, height: 700 }, 'light'],
    ] as const)('live events on a %s', { timeout: 180_000 }, async ([name, viewport, colorScheme]) => {
      await using tab = await openExplorer(browser, explorer, { viewport, colorScheme });
      await tab.connect(explorer.token);
      await tab.choose('observations');
      await watch(tab);
      await tab.page.mouse.move(0, 0);
      const path = resolve(IMAGES, `explorer-${name}.png`);
      await tab.page.screenshot({ path, animations: 'disabled' });
      expect(tab.complaints).toEqual([]);
    });

    test('phone', { timeout: 180_000 }, async () => {
      await using tab = await openExplorer(browser, explorer, {
        viewport: { width: 390, height: 844 },
        colorScheme: 'light',
      });
      await browse(tab);
      await tab.page.evaluate('document.querySelector("table.records").parentElement.scrollLeft = 0');
      await shoot(tab, 'records-phone');
      expect(tab.complaints).toEqual([]);
    });
  });
