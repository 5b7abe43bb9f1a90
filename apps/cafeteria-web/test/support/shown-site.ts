import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { systemClock } from 'menu-client';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from 'test-support/launch-browser';
import { afterAll, beforeAll, expect } from 'vitest';
import { type PageType, pageTypes } from './page-types.ts';
import { LUNCH_MS, startTestCafeteria } from './running.ts';

export const PHONE = { viewport: { width: 390, height: 844 } } as const;

/** A site at lunch and a browser for the tests of a file; read its members inside tests only. */
export interface ShownSite {
  readonly url: string;
  readonly browser: Browser;
  readonly types: Readonly<Record<string, PageType>>;
}

export function shownSite(): ShownSite {
  const stack = new AsyncDisposableStack();
  let shown: ShownSite | undefined;
  beforeAll(async () => {
    const browser = stack.use(await launchBrowser());
    const clock = { ...systemClock, nowMs: () => LUNCH_MS };
    const { url } = stack.use(await startTestCafeteria({}, clock));
    shown = { url, browser, types: await pageTypes(url) };
  });
  afterAll(() => stack.disposeAsync());
  const get = (): ShownSite => {
    if (shown === undefined) throw new Error('not started yet');
    return shown;
  };
  return {
    get url() {
      return get().url;
    },
    get browser() {
      return get().browser;
    },
    get types() {
      return get().types;
    },
  };
}

/** Opens kinds of pages, one after the other, in one window. @param names of the kinds. @default all */
export async function eachPage(
  { url, browser, types }: ShownSite,
  options: BrowserContextOptions,
  look: (page: Page, name: string) => Promise<void>,
  names: readonly string[] = Object.keys(types),
): Promise<void> {
  const context = await browser.newContext({
    locale: 'ko-KR',
    serviceWorkers: 'block',
    bypassCSP: true,
    ...options,
  });
  const page = await context.newPage();
  for (const name of names) {
    const type = types[name];
    if (type === undefined) throw new Error(`there is no kind of page ${name}`);
    const { path, cookie } = type;
    await context.clearCookies();
    const [key = '', value = ''] = cookie?.split('=') ?? [];
    if (cookie !== undefined) await context.addCookies([{ name: key, value, url }]);
    await page.goto(url + path);
    await look(page, name);
  }
  await context.close();
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe looks for; in the dark the colours are all that differs. */
export const AXE_RULES = {
  light: "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']",
  dark: "['color-contrast']",
} as const;

async function violations(page: Page, runOnly: string): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(`axe.run(document, { runOnly: ${runOnly} })
    .then(({ violations }) => violations.flatMap((v) => v.nodes.map((n) => v.id + ' ' + n.target + ' ' + n.failureSummary)))`);
}

/** Axe finds nothing on these kinds of pages, unfolded, nor on home with suggestions. @param names @default all */
export async function expectAccessible(
  site: ShownSite,
  colorScheme: keyof typeof AXE_RULES,
  names?: readonly string[],
): Promise<void> {
  const rules = AXE_RULES[colorScheme];
  const look = async (page: Page, name: string): Promise<void> => {
    const unfold = page.locator(
      'details.nutrition summary, .pick-date summary, .mine > summary, .takeouts > summary',
    );
    for (const summary of (await unfold.all()).slice(0, 2)) await summary.click();
    expect(await violations(page, rules), name).toEqual([]);
    for (const fold of await page.locator('.fold > summary').all()) {
      await fold.click();
      expect(await violations(page, rules), `${name}, unfolded`).toEqual([]);
      await page.keyboard.press('Escape');
    }
    const dish = page.locator('.whole').first();
    if (await dish.isVisible()) {
      await dish.click();
      expect(await violations(page, rules), `${name} with a dish opened`).toEqual([]);
    }
    if (name !== 'home') return;
    await page.getByRole('combobox').fill('강남');
    await page.getByRole('grid').getByRole('row').first().waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await violations(page, rules), 'with suggestions').toEqual([]);
  };
  await eachPage(site, { ...PHONE, colorScheme }, look, names);
}

/** What reaches beyond the window, except for what scrolls by itself. */
export async function overflow(page: Page): Promise<string[]> {
  return page.evaluate(`document.documentElement.scrollWidth <= innerWidth ? [] :
    [...document.querySelectorAll('body *')]
      .filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.scroll, .week-table, .quiet'))
      .map((e) => e.tagName + '.' + e.className).slice(0, 5).concat('wide ' + document.documentElement.scrollWidth)`);
}

/** Windows and sizes of text in which nothing may have to be scrolled sideways. */
export const NARROW = {
  '200 % zoom of 1280 pixels': {
    options: { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 },
    textSize: '100%',
  },
  '400 % zoom of 1280 pixels': {
    options: { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 },
    textSize: '100%',
  },
  'twice the text size on a phone': { options: PHONE, textSize: '200%' },
} as const;

/** Nothing on these kinds of pages has to be scrolled sideways. @param names @default all */
export async function expectNoOverflow(
  site: ShownSite,
  narrow: keyof typeof NARROW,
  names?: readonly string[],
): Promise<void> {
  const { options, textSize } = NARROW[narrow];
  const look = async (page: Page, name: string): Promise<void> => {
    await page.addStyleTag({ content: `html { font-size: ${textSize} }` });
    expect(await overflow(page), name).toEqual([]);
  };
  await eachPage(site, options, look, names);
}

/** Of each list of dishes, the rows whose last dish leaves a hole at the end. */
const RAGGED = `[...document.querySelectorAll('ul.cards, ul.rows')].flatMap((list) => {
  const rows = Map.groupBy(list.children, (dish) => Math.round(dish.getBoundingClientRect().top));
  const end = list.getBoundingClientRect().right;
  return [...rows.values()].map((row) => row.at(-1)).filter((dish) => end - dish.getBoundingClientRect().right > 2)
    .map((dish) => dish.textContent);
})`;

/** The meals that reach out of the window. */
const CUT_MEALS = `[...document.querySelectorAll('.meals a')]
  .filter((meal) => meal.getBoundingClientRect().right > innerWidth).map((meal) => meal.textContent)`;

/** On a phone the dishes of these days begin at once, three are in view; no row is ragged, on a desktop neither. */
export async function expectDishesInView(
  { url, browser }: ShownSite,
  addresses: readonly string[],
): Promise<void> {
  const phone = await browser.newPage({ ...PHONE, locale: 'ko-KR', serviceWorkers: 'block' });
  const desktop = await browser.newPage({ viewport: { width: 1180, height: 820 }, serviceWorkers: 'block' });
  for (const address of addresses) {
    await phone.goto(url + address);
    const boxes = await phone.evaluate<{ top: number; bottom: number; height: number }[]>(
      `[...document.querySelectorAll('.card'), ...['.days', '.views', '.jumps'].map((row) => document.querySelector(row))]
        .map((e) => e.getBoundingClientRect().toJSON())`,
    );
    const rows = boxes.splice(-3);
    // A long place takes a second line.
    expect(boxes[0]?.top, address).toBeLessThan(345);
    expect(boxes[2]?.bottom, address).toBeLessThanOrEqual(844);
    // Each is one row of what is to be touched.
    for (const row of rows) expect(row.height, address).toBeLessThan(56);
    // No meal is cut off.
    expect(await phone.evaluate(CUT_MEALS), address).toEqual([]);
    // Two columns of photos.
    expect(boxes[1]?.top, address).toBe(boxes[0]?.top);
    expect(await phone.locator('.photo.none').count()).toBe(0);
    expect(await phone.evaluate(RAGGED), address).toEqual([]);
    await desktop.goto(url + address);
    expect(await desktop.evaluate(RAGGED), address).toEqual([]);
  }
  await phone.close();
  await desktop.close();
}

const MOVING = `[...document.querySelectorAll('*')].filter((e) => {
  const { animationName, transitionDuration, scrollBehavior } = getComputedStyle(e);
  return animationName !== 'none' || /[1-9]/.test(transitionDuration) || scrollBehavior === 'smooth';
}).length + document.getAnimations().length`;

/** How much of the page moves now. */
export const countMoving = (page: Page): Promise<number> => page.evaluate<number>(MOVING);
