import { systemClock } from 'menu-client';
import type { Page } from 'playwright-core';
import { launchBrowser } from 'test-support/launch-browser';
import { expect, test } from 'vitest';
import { browsedCafeteria, phone } from './support/browsed-cafeteria.ts';
import { find, LUNCH_MS, startTestCafeteria } from './support/running.ts';

// What people come for, on a phone, each in at most three taps from home or from the day page of their restaurant.
const site = browsedCafeteria();

test('a dish opens with its large photo and its nutrition in one tap, and closes', async () => {
  const page = await site.browser.newPage(phone);
  await page.goto(site.cafeteria.url + site.day);
  const card = page.locator('.card:has(.photo)').first();
  const name = await card.getByRole('heading').textContent();
  // Anywhere on the card.
  await card.click({ position: { x: 20, y: 20 } });
  const dialog = page.getByRole('dialog', { name: name ?? '' });
  expect(await dialog.getByRole('heading').textContent()).toBe(name);
  expect(await dialog.locator('img').getAttribute('src')).toContain('/1200/');
  expect(await dialog.getByRole('row', { name: /^열량/ }).first().textContent()).toMatch(/kcal/);
  await dialog.getByRole('button', { name: '닫기' }).click();
  expect(await dialog.isVisible()).toBe(false);
  await page.close();
});

test('takeout within 4 coins: one tap to the takeout, one for each thing; drinks can be hidden', async () => {
  const page = await site.browser.newPage(phone);
  await page.goto(site.cafeteria.url + site.day);
  await page.getByRole('link', { name: /^포장 \d/ }).click();
  await page.getByRole('checkbox', { name: '두유' }).first().check();
  const line = page.locator('.pick-bar strong');
  expect(await line.textContent()).toBe('3/4 코인 · 117 kcal');
  await page.getByRole('button', { name: '하나 더' }).click();
  expect(await line.textContent()).toBe('6/4 코인 · 234 kcal');
  expect(await page.locator('.over-budget').count()).toBe(1);
  await page.reload();
  expect(await line.textContent()).toBe('6/4 코인 · 234 kcal');
  await page.getByRole('button', { name: '하나 빼기' }).click();
  await page.getByRole('button', { name: '하나 빼기' }).click();
  expect(await line.textContent()).toBe('메뉴를 골라 주세요');
  await page.getByLabel('음료 빼고 보기').check();
  expect(await page.getByText('두유', { exact: true }).first().isVisible()).toBe(false);
  expect(await page.getByText('야채김밥', { exact: true }).first().isVisible()).toBe(true);
  await page.close();
});

test('the takeout of all my restaurants is picked from one page, with one budget', async () => {
  const context = await site.browser.newContext({ ...phone, javaScriptEnabled: false });
  const mine = (await find(site.cafeteria.url, '수원디지털캠퍼스', 3)).map(
    ({ vendor, id }) => `${vendor}.${id}`,
  );
  await context.addCookies([{ name: 'my', value: mine.join('~'), url: site.cafeteria.url }]);
  const page = await context.newPage();
  await page.goto(`${site.cafeteria.url}/takeout`);
  const places = page.locator('.period');
  expect(await places.count()).toBeGreaterThan(1);
  for (const at of [0, 1]) await places.nth(at).locator('input[name=pick]').first().check();
  await page.getByRole('button', { name: '적용' }).click();
  expect(await page.locator('.pick-bar strong').textContent()).toMatch(/kcal$/);
  const picked = new URL(page.url()).searchParams.getAll('pick').map((pick) => pick.split('~')[0] ?? '');
  expect(new Set(picked).size).toBe(2);
  expect(mine).toEqual(expect.arrayContaining(picked));
  await context.close();
});

test('an alarm is set from a dish in two taps: what rings next, and a calendar that opens by itself', async () => {
  const page = await site.browser.newPage(phone);
  await page.goto(site.cafeteria.url + site.day);
  const card = page.locator('.card').first();
  const name = (await card.getByRole('heading').textContent()) ?? '';
  await card.click({ position: { x: 20, y: 20 } });
  await page.getByRole('dialog').getByRole('link', { name: '나오는 날 알림' }).click();
  await page.waitForURL(/\/alarm\?/);
  expect(await page.getByRole('searchbox', { name: '메뉴 이름' }).inputValue()).toBe(name);
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(1);
  expect(await page.locator('.next li').first().textContent()).toContain(name);
  const [calendar, google] = await page
    .getByRole('navigation', { name: '캘린더로 받기' })
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  expect(calendar).toMatch(/^webcal:\/\/.+\/alarm\.ics\?dish=.+&r=welstory\.REST000007$/);
  expect(new URL(google ?? '').searchParams.get('cid')).toBe(calendar);
  await page.close();
});

test('the menu of a day is shared in one tap at its dated address, or copied where nothing shares', async () => {
  const context = await site.browser.newContext({
    ...phone,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  await page.goto(`${site.cafeteria.url}${site.day}?lang=ko`);
  await page.evaluate('navigator.share = undefined');
  const share = page.getByRole('button', { name: '이 메뉴 공유하기' });
  await share.click();
  await page.getByText('링크를 복사했어요').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain(site.day);
  await page.evaluate('navigator.share = async (shared) => { globalThis.shared = shared; }');
  await share.click();
  expect(await page.evaluate('shared')).toEqual({
    title: 'R5 1식당 (한빛전자 · 수원디지털캠퍼스) 11월 20일 (금) 메뉴',
    url: `${site.cafeteria.url}${site.day}?lang=ko`,
  });
  await context.close();
});

test('the colours that were chosen hold on every page, before anything is drawn, until the system is chosen again', async () => {
  const context = await site.browser.newContext({ ...phone, colorScheme: 'light' });
  const page = await context.newPage();
  // The first paint is of the ground that holds when the body begins.
  await page.addInitScript(`new MutationObserver((_, observer) => {
    if (document.body === null) return;
    globalThis.first = getComputedStyle(document.documentElement).colorScheme;
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true })`);
  const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  await page.goto(`${site.cafeteria.url}/privacy`);
  const light = await ground();
  await page.getByRole('radio', { name: '어둡게' }).check();
  const dark = await ground();
  expect(dark).not.toBe(light);
  await page.goto(site.cafeteria.url + site.day);
  expect([await page.evaluate('first'), await ground()]).toEqual(['dark', dark]);
  expect(await page.locator('meta[name=theme-color]').first().getAttribute('content')).toBe('#171412');
  await page.emulateMedia({ media: 'print' });
  expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('light');
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('radio', { name: '시스템 설정' }).check();
  expect(await ground()).toBe(light);
  await context.close();
});

const keysOf = async (query: string, count: number): Promise<string> =>
  (await find(site.cafeteria.url, query, count)).map(({ vendor, id }) => `${vendor}.${id}`).join('~');

/** Expects the first dish in the upper part of the screen, and two restaurants on it. */
async function twoInView(page: Page): Promise<void> {
  const dish = await page.locator('.my-meal .card').first().boundingBox();
  expect(dish?.y).toBeLessThan(300);
  const second = await page.locator('.my-meal').nth(1).boundingBox();
  expect((second?.y ?? 844) + (second?.height ?? 0)).toBeLessThan(844);
}

/** Home of a visitor who has restaurants. */
async function homeOf(count: number, options: Parameters<typeof site.browser.newContext>[0] = {}) {
  const context = await site.browser.newContext({ ...phone, ...options });
  const mine = await keysOf('강남', count);
  await context.addCookies([{ name: 'my', value: mine, url: site.cafeteria.url }]);
  const page = await context.newPage();
  await page.goto(site.cafeteria.url);
  return { context, page };
}

test.each([
  { language: 'Korean', locale: 'ko-KR', title: '오늘 점심' },
  { language: 'English', locale: 'en-US', title: 'Lunch today' },
])(
  'lunch of 3 and of 12 restaurants is there at once in $language: the first dish above the middle, two restaurants in view',
  async ({ locale, title }) => {
    for (const count of [3, 12]) {
      const { context, page } = await homeOf(count, { locale });
      expect(await page.locator('.fold h2').textContent()).toBe(title);
      expect(await page.locator('.my-meal').count()).toBe(count);
      await twoInView(page);
      expect(await page.locator('.my-meal .photo img[loading=eager]').count()).toBeLessThanOrEqual(2);
      await context.close();
    }
  },
);

test('a closed Sunday leaves the screen to the next day, in both languages', async () => {
  const sunday = { ...systemClock, nowMs: () => LUNCH_MS + 2 * 86_400_000 + performance.now() };
  await using closed = await startTestCafeteria({}, sunday);
  const mine = (await find(closed.url, '수원디지털캠퍼스', 3)).map(({ vendor, id }) => `${vendor}.${id}`);
  for (const locale of ['ko-KR', 'en-US']) {
    const context = await site.browser.newContext({ ...phone, locale });
    await context.addCookies([{ name: 'my', value: mine.join('~'), url: closed.url }]);
    const page = await context.newPage();
    await page.goto(closed.url);
    await page.locator('.next-day .card').first().waitFor();
    expect(await page.locator('.next-day > h2 time').first().getAttribute('datetime')).toBe('2026-11-23');
    await twoInView(page);
    await context.close();
  }
});

test('on an English page a dish has the name of the signs, and the English one under it', async () => {
  const { context, page } = await homeOf(3, { locale: 'en-US' });
  const card = page.locator('.my-meal .card:has(.other-name)').first();
  const [sign, english] = [card.getByRole('heading'), card.locator('.other-name')];
  expect(await sign.getAttribute('lang')).toBe('ko');
  expect(await english.textContent()).toMatch(/^[A-Za-z]/);
  const [upper, lower] = [await sign.boundingBox(), await english.boundingBox()];
  expect((upper?.y ?? 0) + (upper?.height ?? 0)).toBeLessThanOrEqual(lower?.y ?? 0);
  await card.click({ position: { x: 20, y: 20 } });
  const dialog = page.getByRole('dialog', { name: (await english.textContent()) ?? '' });
  expect(await dialog.getByRole('heading', { level: 2 }).first().getAttribute('lang')).toBe('ko');
  expect(await dialog.locator('h2 + .other-name').isVisible()).toBe(true);
  await context.close();
});

test('a first visit finds its canteen in three taps: a company, its star, the menus', async () => {
  const context = await site.browser.newContext(phone);
  const page = await context.newPage();
  await page.goto(site.cafeteria.url);
  await page.getByRole('navigation', { name: '회사와 지역' }).getByRole('link').first().click();
  const name = await page.locator('.results strong').first().textContent();
  await page.locator('.results .star').first().click();
  await page.getByRole('status').getByRole('link', { name: '메뉴 보기' }).click();
  await page.locator('.my-meal .card').first().waitFor();
  expect(await page.locator('.my-meal > h2 a').textContent()).toBe(name);
  await context.close();
});

test('a suggestion has a star too, by touch and by keyboard; what matches nothing says so', async () => {
  const context = await site.browser.newContext(phone);
  const page = await context.newPage();
  await page.goto(site.cafeteria.url);
  const box = page.getByRole('combobox');
  await box.fill('강남');
  await page
    .getByRole('gridcell', { name: /^내 식당에 추가/ })
    .first()
    .click();
  await page.getByRole('gridcell', { name: /^내 식당에서 빼기/ }).waitFor();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'Enter']) await box.press(key);
  await page.getByText('내 식당에 추가했어요 (2/12)').waitFor();
  const kept = (await context.cookies()).find(({ name }) => name === 'my')?.value.split('~');
  expect(kept).toEqual((await keysOf('강남', 2)).split('~'));
  await box.fill('없는말이다');
  await page.getByRole('row', { name: '찾는 식당이나 메뉴가 없어요.' }).waitFor();
  await context.close();
});

test('dinner and tomorrow are one tap each, are remembered, and one tap leads back to now', async () => {
  const { context, page } = await homeOf(3);
  await page.getByRole('link', { name: '저녁', exact: true }).click();
  const when = page.locator('.fold h2');
  expect(await when.textContent()).toBe('오늘 저녁');
  await page.getByRole('link', { name: /^내일/ }).first().click();
  expect(await when.textContent()).toBe('내일 저녁');
  await page.goto(site.cafeteria.url);
  expect(await when.textContent()).toBe('내일 저녁');
  await page.getByRole('link', { name: '지금', exact: true }).click();
  expect(await when.textContent()).toBe('오늘 점심');
  const fold = page.locator('.fold > summary').first();
  await fold.click();
  // A tap beside it closes it again.
  await page.locator('.sample').click();
  expect(await page.locator('.fold[open]').count()).toBe(0);
  await fold.click();
  await page.getByRole('link', { name: '24일 (화)' }).click();
  expect(await when.textContent()).toBe('24일 (화) 점심');
  await context.close();
});

test('the whole meal with the lowest calories is two taps away', async () => {
  const { context, page } = await homeOf(3);
  await page.getByText('정렬').first().click();
  await page.getByRole('link', { name: '열량 낮은순' }).click();
  const lines = await page.locator('.my-meal > .strip > li:first-child > .energy').allTextContents();
  const calories = lines.map((line) => Number(line.replace(',', '').split(' ')[0]));
  expect(calories.length).toBeGreaterThan(1);
  expect(calories).toEqual(calories.toSorted((a, b) => a - b));
  await context.close();
});

test('where a dish is served this week near me: what is at my restaurants comes first, then a place in one tap', async () => {
  const { context, page } = await homeOf(3);
  await page.getByRole('combobox').fill('김치');
  await page.getByRole('combobox').press('Enter');
  await page.getByText(/^내 식당 메뉴 \d+개$/).waitFor();
  expect(await page.locator('.row.dish .corner').first().textContent()).toBe('오늘 점심');
  await context.close();
});

test('without JavaScript home leads to dinner, to tomorrow and to a dish', async () => {
  await using plain = await launchBrowser();
  const context = await plain.newContext({ ...phone, javaScriptEnabled: false });
  const mine = await keysOf('강남', 3);
  await context.addCookies([{ name: 'my', value: mine, url: site.cafeteria.url }]);
  const page = await context.newPage();
  await page.goto(site.cafeteria.url);
  await page.getByRole('link', { name: '저녁', exact: true }).click();
  await page.getByRole('link', { name: /^내일/ }).first().click();
  expect(await page.locator('.fold h2').textContent()).toBe('내일 저녁');
  const dish = page.locator('.my-meal .whole').first();
  const name = await dish.textContent();
  await dish.click();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(name);
  await context.close();
});

test('offline, what one tap leads to from home is there: dinner, tomorrow, and a dish with its calories', async () => {
  const { context, page } = await homeOf(3, { serviceWorkers: 'allow' });
  await page.evaluate('navigator.serviceWorker.ready');
  // Dinner, tomorrow and three restaurants are kept ahead; home itself when it is seen with the worker.
  await page.reload();
  const kept = () =>
    page.evaluate<string[]>(
      `caches.open('pages-2').then((c) => c.keys()).then((all) => all.map(({ url }) => {
        const { pathname, searchParams } = new URL(url);
        searchParams.delete('kept-for');
        return pathname.split('/').slice(0, 4).join('/') + '?' + searchParams;
      }))`,
    );
  const restaurants = (await keysOf('강남', 3))
    .split('~')
    .map((key) => `/restaurants/${key.replace('.', '/')}?`);
  await expect
    .poll(kept)
    .toEqual(expect.arrayContaining(['/?', '/?meal=3', '/?date=20261121', ...restaurants]));
  await context.setOffline(true);
  await page.getByRole('link', { name: '저녁', exact: true }).click();
  await page.getByText('마지막으로 본 화면이고').waitFor();
  expect(await page.locator('.fold h2').textContent()).toBe('오늘 저녁');
  const card = page.locator('.my-meal .card:has(.energy)').first();
  const line = await card.locator('.energy').textContent();
  await card.click({ position: { x: 20, y: 20 } });
  expect(await page.getByRole('dialog').locator('.energy').textContent()).toBe(line);
  await page.goto(site.cafeteria.url);
  await page.getByRole('link', { name: /^내일/ }).first().click();
  expect(await page.locator('.fold h2').textContent()).toBe('내일 점심');
  await context.close();
});

test('the week of a restaurant is one tap from its day and begins where the row of dates does; another meal is one more', async () => {
  const page = await site.browser.newPage(phone);
  await page.goto(site.cafeteria.url + site.day);
  await page.getByRole('link', { name: '일주일 메뉴표' }).click();
  await page.waitForURL(/\/20261116\/week$/);
  const today = page.locator('.week-days section').first();
  expect(await today.getByRole('heading').textContent()).toBe('11월 20일 (금)오늘');
  const lunch = await today.getByRole('listitem').allTextContents();
  await page.getByRole('link', { name: '석식', exact: true }).click();
  await page.waitForURL(/meal=3/);
  expect(await today.getByRole('listitem').allTextContents()).not.toEqual(lunch);
  await page.close();
});
