import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { STYLE_PARTS } from '../src/assets/asset-library.ts';
import {
  countMoving,
  eachPage,
  expectAccessible,
  expectDishesInView,
  expectNoOverflow,
  PHONE,
  shownSite,
} from './support/shown-site.ts';

const SMALLEST_POINTS = `Math.min(...[...document.querySelectorAll('body *')]
  .filter((e) => e.checkVisibility() && !e.closest('.quiet') && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
  .map((e) => parseFloat(getComputedStyle(e).fontSize) * 0.75))`;

// All kinds of pages, in all windows and colours, are looked at in the night.
const site = shownSite();

test('axe finds nothing on home, first and daily, on what is found and on a day, and nothing about their colours in the dark', async () => {
  await expectAccessible(site, 'light', ['home', 'home with restaurants', 'dishes', 'day']);
  await expectAccessible(site, 'dark', ['home with restaurants', 'dishes', 'day']);
});

test('nothing has to be scrolled sideways where there is least room', async () => {
  await expectNoOverflow(site, '400 % zoom of 1280 pixels', [
    'home',
    'home with restaurants',
    'dishes',
    'week',
  ]);
  await expectNoOverflow(site, 'twice the text size on a phone', ['day']);
});

test('on a phone the dishes of a day begin at once; three are in view, and no row is ragged', async () => {
  await expectDishesInView(site, [site.types['day']?.path ?? '']);
});

test('text has one scale of at most seven sizes', () => {
  const styles = STYLE_PARTS.filter((part) => part !== 'print')
    .map((part) => readFileSync(new URL(`../assets/styles/${part}.css`, import.meta.url), 'utf8'))
    .join('\n');
  const sizes = new Set([...styles.matchAll(/font-size:\s*([^;]+);/g)].map(([, size = '']) => size));
  for (const size of sizes) expect(size).toMatch(/^var\(--text-[a-z]+\)$/);
  expect(sizes.size).toBeGreaterThan(3);
  expect(styles.match(/--text-[a-z]+:/g)?.length).toBeLessThanOrEqual(7);
});

test('nothing moves for those who asked for less motion, and something does for others', async () => {
  const look = async (page: Parameters<typeof countMoving>[0]) => expect(await countMoving(page)).toBe(0);
  await eachPage(site, { ...PHONE, reducedMotion: 'reduce' }, look, ['home']);
  // The check can tell: others see the page scroll to a meal.
  const page = await site.browser.newPage({ ...PHONE, reducedMotion: 'no-preference' });
  await page.goto(site.url);
  expect(await countMoving(page)).toBeGreaterThan(0);
  await page.close();
});

test('the week prints on one landscape page and fills it, in at least 9 points, without an empty weekend', async () => {
  // The inside of the page: A4 less its margins.
  const page = await site.browser.newPage({ viewport: { width: 1047, height: 718 }, colorScheme: 'dark' });
  await page.goto(`${site.url}${(site.types['week']?.path ?? '').replace('20261120', '20261116')}`);
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  const [, width = 0, height = 0] = (/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? []).map(Number);
  expect([Math.round(width), Math.round(height)]).toEqual([842, 595]);
  expect(pdf.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1);
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.week-table thead th').count()).toBe(6);
  const table = await page.locator('.week-table').boundingBox();
  expect([table?.width, (table?.y ?? 0) + (table?.height ?? 0)]).toEqual([1047, expect.closeTo(700, -1.5)]);
  expect(await page.evaluate<number>(SMALLEST_POINTS)).toBeGreaterThanOrEqual(9);
  await page.close();
});

test('on a phone the days of a week are one below the other, one meal at a time, the days that are over last', async () => {
  const look = async (page: Page) => {
    expect(await page.locator('.week-table').isVisible()).toBe(false);
    const days = page.locator('.week-days section');
    expect(await days.locator('h2').allTextContents()).toEqual([
      '11월 20일 (금)오늘',
      ...[16, 17, 18, 19].map((day, at) => `11월 ${day}일 (${'월화수목'[at]})`),
    ]);
    const lunch = await days.first().getByRole('listitem').allTextContents();
    await page.getByRole('link', { name: '석식', exact: true }).click();
    await page.waitForURL(/meal=3/);
    expect(await days.first().getByRole('listitem').allTextContents()).not.toEqual(lunch);
    expect(await page.locator('.week-days [aria-current]').textContent()).toBe('석식');
  };
  const week = { path: (site.types['week']?.path ?? '').replace('20261120', '20261116'), status: 200 };
  const of = { url: site.url, browser: site.browser, types: { week } };
  await eachPage(of, { ...PHONE, javaScriptEnabled: false }, look);
});
