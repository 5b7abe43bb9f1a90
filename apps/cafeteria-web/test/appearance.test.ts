import { readFileSync } from 'node:fs';
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

// All kinds of pages, in all windows and colours, are looked at in the night.
const site = shownSite();

test('axe finds nothing on home with suggestions and on a day, and nothing about the colours of a day in the dark', async () => {
  await expectAccessible(site, 'light', ['home', 'day']);
  await expectAccessible(site, 'dark', ['day']);
});

test('nothing has to be scrolled sideways where there is least room', async () => {
  await expectNoOverflow(site, '400 % zoom of 1280 pixels', ['home', 'week']);
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

test('the week prints on one landscape page', async () => {
  const page = await site.browser.newPage({ viewport: { width: 1040, height: 720 }, colorScheme: 'dark' });
  await page.goto(site.url + (site.types['week']?.path ?? ''));
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  const [, width = 0, height = 0] = (/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? []).map(Number);
  expect([Math.round(width), Math.round(height)]).toEqual([842, 595]);
  expect(pdf.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1);
  await page.close();
});
