import { expect, test } from 'vitest';
import { find } from './support/running.ts';
import {
  countMoving,
  eachPage,
  expectAccessible,
  expectDishesInView,
  expectNoOverflow,
  NARROW,
  overflow,
  PHONE,
  shownSite,
} from './support/shown-site.ts';

const site = shownSite();

test.each(['light', 'dark'] as const)('axe finds nothing on any kind of page (%s)', async (colorScheme) => {
  await expectAccessible(site, colorScheme);
});

test.each(Object.keys(NARROW) as (keyof typeof NARROW)[])(
  'nothing has to be scrolled sideways at %s',
  async (narrow) => {
    await expectNoOverflow(site, narrow);
  },
);

test('on a phone the dishes of a day begin at once in both languages, at both operators', async () => {
  const path = site.types['day']?.path ?? '';
  const other = (await find(site.url, '강남', 50)).find(({ vendor }) => vendor === 'shinsegae')?.path;
  const addresses = [path, `${path}?lang=en`, `${other}/20261120`, `${other}/20261120?lang=en`];
  await expectDishesInView(site, addresses);
});

test('nothing moves on any page with photos for those who asked for less motion', async () => {
  await eachPage(
    site,
    { ...PHONE, reducedMotion: 'reduce' },
    async (page, name) => expect(await countMoving(page), name).toBe(0),
    ['home', 'day', 'takeout', 'week'],
  );
});

test('the week prints on one landscape page, dark on white, without what only a screen needs', async () => {
  const context = await site.browser.newContext({
    viewport: { width: 1040, height: 720 },
    colorScheme: 'dark',
  });
  const page = await context.newPage();
  await page.goto(site.url + (site.types['week']?.path ?? ''));
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  const [, width = 0, height = 0] = (/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? []).map(Number);
  expect([Math.round(width), Math.round(height)]).toEqual([842, 595]);
  expect(pdf.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1);
  // Of all in the sandbox this one has the most.
  const full = (await find(site.url, '병원', 6)).find(({ name }) => name === '별관 2식당')?.path;
  // The page does not wait for menus that take long, as on a busy machine.
  const countDishes = async () => {
    await page.goto(`${site.url}${full}/20261120/week`);
    return page.locator('.week-table li').count();
  };
  await expect.poll(countDishes).toBeGreaterThan(120);
  const fullPdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(fullPdf.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1);
  await page.goto(site.url + (site.types['week']?.path ?? ''));
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  for (const hidden of ['header.site', 'footer.site', '.formats', '.star', '.step'])
    for (const element of await page.locator(hidden).all())
      expect(await element.isVisible(), hidden).toBe(false);
  expect(await overflow(page)).toEqual([]);
  const colours = await page.evaluate(
    `[document.body, document.querySelector('.week-table td')].map((e) => getComputedStyle(e)).map((s) => s.color)`,
  );
  expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(0, 0, 0)']);
  await page.goto(site.url + (site.types['day']?.path ?? ''));
  for (const hidden of ['.photo', '.controls', '.week-strip'])
    expect(await page.locator(hidden).first().isVisible(), hidden).toBe(false);
  expect(await page.locator('.period h3').first().isVisible()).toBe(true);
  const tag = await page.evaluate(`getComputedStyle(document.querySelector('.tag.now')).color`);
  expect(tag).toBe('rgb(0, 0, 0)');
  await context.close();
});
