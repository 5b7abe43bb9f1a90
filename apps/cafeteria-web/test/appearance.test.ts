import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { systemClock } from 'menu-client';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../../test/launch-browser.ts';
import { STYLE_PARTS } from '../src/assets/asset-library.ts';
import { type PageType, pageTypes } from './support/page-types.ts';
import { find, LUNCH_MS, startTestCafeteria } from './support/running.ts';

let cafeteria: Awaited<ReturnType<typeof startTestCafeteria>>;
let browser: Awaited<ReturnType<typeof launchBrowser>>;
let types: Readonly<Record<string, PageType>>;
beforeAll(async () => {
  browser = await launchBrowser();
  cafeteria = await startTestCafeteria({}, { ...systemClock, nowMs: () => LUNCH_MS });
  types = await pageTypes(cafeteria.url);
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await cafeteria[Symbol.asyncDispose]();
});

const PHONE = { viewport: { width: 390, height: 844 } } as const;

/** Opens every kind of page, one after the other, in one window. */
async function eachPage(
  from: Browser,
  options: BrowserContextOptions,
  look: (page: Page, name: string) => Promise<void>,
  names: readonly string[] = Object.keys(types),
): Promise<void> {
  const context = await from.newContext({
    locale: 'ko-KR',
    serviceWorkers: 'block',
    bypassCSP: true,
    ...options,
  });
  const page = await context.newPage();
  for (const name of names) {
    const { path, cookie } = types[name] ?? { path: '/none' };
    await context.clearCookies();
    const [key = '', value = ''] = cookie?.split('=') ?? [];
    if (cookie !== undefined) await context.addCookies([{ name: key, value, url: cafeteria.url }]);
    await page.goto(cafeteria.url + path);
    await look(page, name);
  }
  await context.close();
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const ALL = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']";

async function violations(page: Page, runOnly: string): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(`axe.run(document, { runOnly: ${runOnly} })
    .then(({ violations }) => violations.flatMap((v) => v.nodes.map((n) => v.id + ' ' + n.target + ' ' + n.failureSummary)))`);
}

test.each([
  ['light', ALL],
  // The colours are all that differs.
  ['dark', "['color-contrast']"],
] as const)(
  'axe finds nothing on any kind of page (%s)',
  async (colorScheme, rules) => {
    await eachPage(browser, { ...PHONE, colorScheme }, async (page, name) => {
      const unfold = page.locator(
        'details.nutrition summary, .pick-date summary, .mine > summary, [data-edit-mine]',
      );
      for (const summary of (await unfold.all()).slice(0, 2)) await summary.click();
      expect(await violations(page, rules), name).toEqual([]);
      if (name !== 'home') return;
      await page.getByRole('combobox').fill('강남');
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('ArrowDown');
      expect(await violations(page, rules), 'with suggestions').toEqual([]);
    });
  },
  180_000,
);

/** What reaches beyond the window, except for what scrolls by itself. */
async function overflow(page: Page): Promise<string[]> {
  return page.evaluate(`document.documentElement.scrollWidth <= innerWidth ? [] :
    [...document.querySelectorAll('body *')]
      .filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.scroll, .week-table, .quiet'))
      .map((e) => e.tagName + '.' + e.className).slice(0, 5).concat('wide ' + document.documentElement.scrollWidth)`);
}

test.each([
  ['200 % zoom of 1280 pixels', { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 }, '100%'],
  ['400 % zoom of 1280 pixels', { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 }, '100%'],
  ['twice the text size on a phone', PHONE, '200%'],
] as const)('nothing has to be scrolled sideways at %s', async (_name, options, textSize) => {
  await eachPage(browser, options, async (page, name) => {
    await page.addStyleTag({ content: `html { font-size: ${textSize} }` });
    expect(await overflow(page), name).toEqual([]);
  });
});

/** Of each list of dishes, the rows whose last dish leaves a hole at the end. */
const RAGGED = `[...document.querySelectorAll('ul.cards, ul.rows')].flatMap((list) => {
  const rows = Map.groupBy(list.children, (dish) => Math.round(dish.getBoundingClientRect().top));
  const end = list.getBoundingClientRect().right;
  return [...rows.values()].map((row) => row.at(-1)).filter((dish) => end - dish.getBoundingClientRect().right > 2)
    .map((dish) => dish.textContent);
})`;

test('on a phone the dishes of a day begin at once; three are in view, and no row is ragged', async () => {
  const phone = await browser.newPage({ ...PHONE, locale: 'ko-KR', serviceWorkers: 'block' });
  const desktop = await browser.newPage({ viewport: { width: 1180, height: 820 }, serviceWorkers: 'block' });
  const { path = '' } = types['day'] ?? {};
  const other = (await find(cafeteria.url, '강남', 50)).find(({ vendor }) => vendor === 'shinsegae')?.path;
  for (const address of [path, `${path}?lang=en`, `${other}/20261120`, `${other}/20261120?lang=en`]) {
    await phone.goto(cafeteria.url + address);
    const boxes = await phone.evaluate<{ top: number; bottom: number; height: number }[]>(
      `[...document.querySelectorAll('.card'), document.querySelector('.days'), document.querySelector('.controls')]
        .map((e) => e.getBoundingClientRect().toJSON())`,
    );
    const [days, controls] = boxes.splice(-2);
    expect(boxes[0]?.top, address).toBeLessThan(320);
    expect(boxes[2]?.bottom, address).toBeLessThanOrEqual(844);
    // Each is one row of what is to be touched.
    for (const row of [days, controls]) expect(row?.height, address).toBeLessThan(56);
    expect(await phone.locator('.photo.none').count()).toBe(0);
    expect(await phone.evaluate(RAGGED), address).toEqual([]);
    await desktop.goto(cafeteria.url + address);
    expect(await desktop.evaluate(RAGGED), address).toEqual([]);
  }
  await phone.close();
  await desktop.close();
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

const MOVING = `[...document.querySelectorAll('*')].filter((e) => {
  const { animationName, transitionDuration, scrollBehavior } = getComputedStyle(e);
  return animationName !== 'none' || /[1-9]/.test(transitionDuration) || scrollBehavior === 'smooth';
}).length + document.getAnimations().length`;

test('nothing moves for those who asked for less motion', async () => {
  const look = async (page: Page, name: string): Promise<void> => {
    expect(await page.evaluate(MOVING), name).toBe(0);
  };
  await eachPage(browser, { ...PHONE, reducedMotion: 'reduce' }, look, ['home', 'day', 'takeout', 'week']);
  // The check can tell: others see the page scroll to a meal.
  const page = await browser.newPage({ ...PHONE, reducedMotion: 'no-preference' });
  await page.goto(cafeteria.url);
  expect(await page.evaluate(MOVING)).toBeGreaterThan(0);
  await page.close();
});

test('the week prints on one landscape page, dark on white, without what only a screen needs', async () => {
  const context = await browser.newContext({ viewport: { width: 1040, height: 720 }, colorScheme: 'dark' });
  const page = await context.newPage();
  await page.goto(cafeteria.url + (types['week']?.path ?? ''));
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  const [, width = 0, height = 0] = (/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? []).map(Number);
  expect([Math.round(width), Math.round(height)]).toEqual([842, 595]);
  expect(pdf.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1);
  // Of all in the sandbox this one has the most.
  const full = (await find(cafeteria.url, '병원', 6)).find(({ name }) => name === '별관 2식당')?.path;
  // The page does not wait for menus that take long, as on a busy machine.
  const countDishes = async () => {
    await page.goto(`${cafeteria.url}${full}/20261120/week`);
    return page.locator('.week-table li').count();
  };
  await expect.poll(countDishes).toBeGreaterThan(120);
  const fullPdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(fullPdf.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1);
  await page.goto(cafeteria.url + (types['week']?.path ?? ''));
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  for (const hidden of ['header.site', 'footer.site', '.formats', '.star', '.step'])
    for (const element of await page.locator(hidden).all())
      expect(await element.isVisible(), hidden).toBe(false);
  expect(await overflow(page)).toEqual([]);
  const colours = await page.evaluate(
    `[document.body, document.querySelector('.week-table td')].map((e) => getComputedStyle(e)).map((s) => s.color)`,
  );
  expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(0, 0, 0)']);
  await page.goto(cafeteria.url + (types['day']?.path ?? ''));
  for (const hidden of ['.photo', '.controls', '.week-strip'])
    expect(await page.locator(hidden).first().isVisible(), hidden).toBe(false);
  expect(await page.locator('.period h3').first().isVisible()).toBe(true);
  const tag = await page.evaluate(`getComputedStyle(document.querySelector('.tag.now')).color`);
  expect(tag).toBe('rgb(0, 0, 0)');
  await context.close();
});
