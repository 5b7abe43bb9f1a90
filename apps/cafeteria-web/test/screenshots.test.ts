import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { systemClock } from 'menu-client';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { launchBrowser } from 'test-support/launch-browser';
import { expect, test } from 'vitest';
import { homeIsComplete } from './support/page-types.ts';
import { find, findOne, LUNCH_MS, startTestCafeteria } from './support/running.ts';

const FOLDER = new URL('../docs/screenshots/', import.meta.url);
const README = new URL('../README.md', import.meta.url);
const MAX_BYTES = 120 * 1024;
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1.5 } as const;
const DESKTOP = { viewport: { width: 1180, height: 820 }, deviceScaleFactor: 1 } as const;

interface Shot {
  readonly window: typeof PHONE | typeof DESKTOP;
  readonly colorScheme: 'light' | 'dark';
  readonly path: (day: string) => string;
  /** True for a visitor who has chosen restaurants. @default false */
  readonly mine?: true;
  readonly act?: (page: Page) => Promise<void>;
}

const SHOTS: Readonly<Record<string, Shot>> = {
  'mine-phone': { window: PHONE, colorScheme: 'light', path: () => '/?sort=protein&words=', mine: true },
  'home-phone': { window: PHONE, colorScheme: 'light', path: () => '/' },
  'day-phone-dark': { window: PHONE, colorScheme: 'dark', path: (day) => day },
  'week-phone': {
    window: PHONE,
    colorScheme: 'light',
    path: (day) => `${day.replace('20261120', '20261116')}/week`,
  },
  'dish-phone': {
    window: PHONE,
    colorScheme: 'light',
    path: (day) => day,
    act: async (page) => {
      await page.locator('.whole').first().click();
      await page.getByRole('dialog').locator('table.dishes').waitFor();
      await page.waitForFunction(`document.querySelector('dialog img').complete`);
    },
  },
  'takeout-phone': {
    window: PHONE,
    colorScheme: 'light',
    path: (day) => `${day}?view=takeout`,
    act: async (page) => {
      for (const at of [0, 4]) await page.locator('input[name=pick]').nth(at).check();
    },
  },
  'day-desktop': { window: DESKTOP, colorScheme: 'light', path: (day) => day },
};

test('the README shows every screenshot; each is there, of its size and not heavy', async () => {
  const readme = readFileSync(README, 'utf8');
  const shown = [...readme.matchAll(/docs\/screenshots\/([\w-]+)\.png/g)].map(([, name = '']) => name);
  expect(new Set(shown)).toEqual(new Set(Object.keys(SHOTS)));
  for (const [name, { window }] of Object.entries(SHOTS)) {
    const bytes = readFileSync(new URL(`${name}.png`, FOLDER));
    expect(bytes.length, name).toBeLessThanOrEqual(MAX_BYTES);
    const { format, width, height } = await sharp(bytes).metadata();
    const scale = window.deviceScaleFactor;
    expect([format, width, height], name).toEqual([
      'png',
      window.viewport.width * scale,
      window.viewport.height * scale,
    ]);
  }
});

// To take them again: CAFETERIA_SCREENSHOTS=1, on a machine with a Korean font. The sample menus of a date never change.
if (process.env['CAFETERIA_SCREENSHOTS'] === '1')
  test('the screenshots are taken', async () => {
    await using browser = await launchBrowser();
    await using site = await startTestCafeteria({}, { ...systemClock, nowMs: () => LUNCH_MS });
    const day = `${(await findOne(site.url, 'R5')).path}/20261120`;
    await homeIsComplete(site.url);
    const mine = (await find(site.url, '강남', 3)).map(({ vendor, id }) => `${vendor}.${id}`).join('~');
    mkdirSync(FOLDER, { recursive: true });
    for (const [name, { window, colorScheme, path, act, mine: chosen }] of Object.entries(SHOTS)) {
      const context = await browser.newContext({
        ...window,
        colorScheme,
        locale: 'ko-KR',
        reducedMotion: 'reduce',
        serviceWorkers: 'block',
      });
      if (chosen) await context.addCookies([{ name: 'my', value: mine, url: site.url }]);
      const page = await context.newPage();
      await page.goto(site.url + path(day));
      await page.evaluate(`Promise.all([...document.images].map((image) => {
      image.loading = 'eager';
      return image.decode();
    }))`);
      await act?.(page);
      const png = await page.screenshot();
      const small = await sharp(png).png({ palette: true, colours: 64, effort: 10 }).toBuffer();
      expect(small.length, name).toBeLessThanOrEqual(MAX_BYTES);
      writeFileSync(new URL(`${name}.png`, FOLDER), small);
      await context.close();
    }
  });
