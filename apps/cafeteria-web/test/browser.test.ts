import { MENU_TOOLS } from 'menu-mcp';
import { ASKED_DATES } from 'test-support/asked-dates';
import { launchBrowser } from 'test-support/launch-browser';
import { expect, test } from 'vitest';
import { browsedCafeteria, phone } from './support/browsed-cafeteria.ts';

const site = browsedCafeteria();

test('a suggestion that was chosen stays chosen while more is typed, if it is still suggested', async () => {
  const page = await site.browser.newPage({ locale: 'ko-KR' });
  await page.goto(site.cafeteria.url);
  const box = page.getByRole('combobox');
  const names = page.getByRole('grid').getByRole('row').locator('strong');
  await box.focus();
  await page.keyboard.insertText('강');
  await names.first().waitFor();
  const found = await names.allTextContents();
  const later = await fetch(`${site.cafeteria.url}/proxy/search?q=${encodeURIComponent('강남')}&limit=8`);
  const still = ((await later.json()) as { name: string }[]).map(({ name }) => name);
  expect(still).not.toEqual(found);
  const at = found.findIndex((name) => still.includes(name));
  expect(at).toBeGreaterThanOrEqual(0);
  for (let pressed = 0; pressed <= at; pressed += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.insertText('남');
  await expect.poll(() => names.allTextContents()).toEqual(still);
  const chosen = page.locator(`#${await box.getAttribute('aria-activedescendant')}`);
  expect(await chosen.locator('strong').textContent()).toBe(found[at]);
  expect(await chosen.getAttribute('aria-selected')).toBe('true');
  await page.close();
});

test('typing a Korean keyword, choosing a suggestion by keyboard and reading the menus of today', async () => {
  const page = await site.browser.newPage({ locale: 'ko-KR' });
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== site.cafeteria.url) elsewhere.push(request.url());
  });
  // Violations of the policy and errors of scripts appear on the console.
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(site.cafeteria.url);
  await page.getByRole('combobox').focus();
  // At once: on a slow machine the list of the first syllable would come between.
  await page.keyboard.insertText('강남');
  const options = page.getByRole('grid').getByRole('row');
  await options.first().waitFor();
  await page.keyboard.press('ArrowDown');
  const chosen = await options.first().locator('strong').textContent();
  expect(await page.getByRole('combobox').getAttribute('aria-activedescendant')).toBe('suggestion-0-0');
  await Promise.all([page.waitForURL(/\/restaurants\/.+\/\d{8}$/), page.keyboard.press('Enter')]);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(chosen);
  expect(await page.locator('.date').textContent()).toContain('오늘');
  expect(await page.locator('.period, main > .note').count()).toBeGreaterThan(0);
  await page.waitForLoadState('networkidle');
  expect([elsewhere, complaints]).toEqual([[], []]);
  await page.close();
});

test('views and dates change by their links and by arrow keys, and the back button undoes it', async () => {
  const page = await site.browser.newPage(phone);
  await page.goto(site.cafeteria.url + site.day);
  await page.getByRole('link', { name: /^포장 \d/ }).click();
  await page.waitForURL(/view=takeout/);
  const boxes = page.locator('input[name=pick]');
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  expect(await page.locator('output strong').textContent()).toBe('6/4 코인 · 660 kcal');
  const sum = await page.locator('[data-sum=caloriesKcal] b').textContent();
  await page.reload();
  expect(await page.locator('[data-sum=caloriesKcal] b').textContent()).toBe(sum);
  await page.keyboard.press('ArrowLeft');
  await page.waitForURL(/20261119\?view=takeout/);
  await page.goBack();
  expect(page.url()).toContain('20261120?view=takeout');
  await page.goBack();
  expect(page.url()).toBe(site.cafeteria.url + site.day);
  await page.locator('.pick-date summary').click();
  await page.locator('input[type=date]').fill('2026-11-18');
  await page.waitForURL(/20261118$/);
  await page.close();
});

test('photos that do not load become placeholders, at once and when scrolled to; those that load stay', async () => {
  const well = await site.browser.newPage(phone);
  await well.goto(`${site.cafeteria.url}${site.day}?view=take-in`);
  const photos = await well.locator('[data-large]').count();
  const without = await well.locator('.photo.none').count();
  expect(photos).toBeGreaterThan(5);
  await well.locator('footer').scrollIntoViewIfNeeded();
  expect(await well.locator('[data-large]').count()).toBe(photos);
  await well.close();

  const page = await site.browser.newPage(phone);
  // Some are refused, others never answered.
  let asked = 0;
  await page.route('**/img/**', (route) => {
    asked += 1;
    return asked % 2 === 0 ? route.abort() : route.fulfill({ status: 404 });
  });
  await page.goto(`${site.cafeteria.url}${site.day}?view=take-in`);
  const left = page.locator('[data-large]');
  for (let count = await left.count(); count > 0; count = await left.count()) {
    await left
      .first()
      .scrollIntoViewIfNeeded({ timeout: 1_000 })
      .catch(() => {});
    await left.nth(count - 1).waitFor({ state: 'detached' });
  }
  expect(await page.locator('.photo.none').count()).toBe(without + photos);
  expect(await page.locator('.photo.none .quiet').allTextContents()).toContain('사진을 불러오지 못했어요');
  await page.close();
});

test('stars keep restaurants, from a page and from what is found; home lists them, reorders by button and by dragging, and removes', async () => {
  const context = await site.browser.newContext(phone);
  const page = await context.newPage();
  await page.goto(site.cafeteria.url + site.day);
  await page.getByRole('button', { name: '내 식당에 추가' }).click();
  const names = [(await page.getByRole('heading', { level: 1 }).textContent()) ?? ''];
  await page.goto(`${site.cafeteria.url}/?q=강남`);
  for (const at of [0, 1]) {
    await page.locator('.results .star').nth(at).click();
    names.push((await page.locator('.results strong').nth(at).textContent()) ?? '');
  }
  await page.getByRole('status').getByRole('link', { name: '메뉴 보기' }).click();
  const listed = page.locator('.mine strong');
  expect(await listed.allTextContents()).toEqual(names);
  const unfold = page.locator('.mine > summary');
  await unfold.click();
  await page
    .getByRole('button', { name: /^아래로/ })
    .first()
    .click();
  const [a, b, c] = names;
  await page.reload();
  expect(await listed.allTextContents()).toEqual([b, a, c]);
  await unfold.click();
  await page.locator('[data-grip]').last().hover();
  await page.mouse.down();
  await page
    .locator('[data-favourite-item]')
    .first()
    .hover({ position: { x: 20, y: 2 } });
  await page.mouse.up();
  await page.reload();
  expect(await listed.allTextContents()).toEqual([c, b, a]);
  await unfold.click();
  await page
    .getByRole('button', { name: /^내 식당에서 빼기/ })
    .first()
    .click();
  // The menus above follow once the list is closed.
  await Promise.all([page.waitForEvent('load'), unfold.click()]);
  expect(await page.locator('.my-meal > h2 a').allTextContents()).toEqual([b, a]);

  const many = Array.from({ length: 12 }, (_, at) => `welstory.R${at}`).join('~');
  await context.addCookies([{ name: 'my', value: many, url: site.cafeteria.url }]);
  await page.goto(site.cafeteria.url + site.day);
  await page.getByRole('button', { name: '내 식당에 추가' }).click();
  await page.getByText('내 식당은 12곳까지예요').waitFor();
  expect((await context.cookies()).find(({ name }) => name === 'my')?.value).toBe(many);
  await context.close();
});

test('without JavaScript one still searches, switches views and adds up nutrition', async () => {
  // A browser of its own: with the experimental features of the other one, a page without JavaScript crashed on some machines.
  await using plain = await launchBrowser();
  const context = await plain.newContext({ ...phone, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(site.cafeteria.url);
  await page.getByRole('searchbox').fill('R5');
  await page.getByRole('button', { name: '검색' }).click();
  await page.locator('.results a').first().click();
  expect(page.url()).toMatch(/\/\d{8}$/);
  await page.goto(`${site.cafeteria.url}${site.day}?view=takeout`);
  await page.locator('input[name=pick]').first().check();
  await page.getByRole('button', { name: '적용' }).click();
  const line = page.locator('output strong');
  expect(await line.textContent()).toMatch(/^3\/4 코인 · \d+ kcal$/);
  await page.getByRole('button', { name: '하나 더' }).click();
  expect(await line.textContent()).toMatch(/^6\/4 코인/);
  // The sum of what is hidden stays.
  await page.getByRole('checkbox', { name: '음료 빼고 보기' }).check();
  await page.getByRole('button', { name: '적용' }).click();
  expect(await line.textContent()).toMatch(/^6\/4 코인/);
  expect(await page.locator('li[data-drink]:has-text("두유")').first().isVisible()).toBe(false);
  await context.close();
});

test('offline, a page that was seen is shown again, and any other says so and lists what is kept', async () => {
  const context = await site.browser.newContext({ locale: 'ko-KR' });
  const page = await context.newPage();
  await page.goto(site.cafeteria.url);
  await page.evaluate('navigator.serviceWorker.ready');
  await page.goto(site.cafeteria.url + site.day);
  const title = await page.title();
  await page.waitForFunction(`caches.open('pages-2').then((c) => c.keys()).then((k) => k.length > 1)`);
  await context.setOffline(true);
  await page.reload();
  expect(await page.title()).toBe(title);
  await page.getByText('마지막으로 본 화면이고').waitFor();
  await page.goto(`${site.cafeteria.url}/?q=never-seen`);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('인터넷에 연결되어 있지 않아요');
  await page.getByRole('link', { name: title }).waitFor();
  await context.close();
});

test('the worker keeps files, the last 120 photos and pages of this site that one may see next, and no cache of an earlier release', async () => {
  const context = await site.browser.newContext({ locale: 'ko-KR' });
  const page = await context.newPage();
  const { url } = site.cafeteria;
  // No page of the site yet, and so no worker: these are from an earlier visit.
  await page.goto(`${url}/api/health`);
  await page.evaluate(`(async () => {
    await caches.open('pages-1');
    const photos = await caches.open('photos-1');
    for (let at = 0; at < 130; at += 1) await photos.put('/img/' + at + '?v=1', new Response('kept ' + at));
    await photos.put('/img/changing', new Response('as last seen'));
  })()`);
  const photos = () =>
    page.evaluate<string[]>(`caches.open('photos-1').then((cache) => cache.keys())
      .then((keys) => keys.map(({ url }) => new URL(url).pathname + new URL(url).search))`);
  const fetched = (address: string, options = '{}') =>
    page.evaluate<string>(`fetch('${address}', ${options}).then(
      async (response) => response.status + ' ' + (await response.text()), () => 'none')`);
  await page.goto(url);
  // The first page that is seen is the worker's at once.
  await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
  await expect
    .poll(() => page.evaluate('caches.keys().then((names) => names.sort())'))
    .toEqual(['files-1', 'pages-2', 'photos-1']);
  expect(await fetched('/img/129?v=1')).toBe('200 kept 129');
  expect(await fetched('/img/changing')).toMatch(/^404 /);

  await page.goto(url + site.day);
  await expect.poll(photos).toHaveLength(120);
  const [first] = await photos();
  expect(first).not.toBe('/img/0?v=1');
  expect(await photos()).toContain('/img/changing');
  const sheet = await page.locator('link[rel=stylesheet]').first().getAttribute('href');

  const ahead = Array.from({ length: 7 }, (_, at) => `${url}/?q=R5&n=${at}`);
  const isKept = (address = '') =>
    page.evaluate<boolean>(`caches.match('${address}', { ignoreVary: true }).then(Boolean)`);
  const keepAhead = (...addresses: string[]) =>
    page.evaluate(`navigator.serviceWorker.controller.postMessage({ ahead: ${JSON.stringify(addresses)} })`);
  await keepAhead('http://127.0.0.1:1/', ...ahead);
  await expect.poll(() => isKept(ahead[4])).toBe(true);
  // What is asked for later is there, and what was one too many is not.
  await keepAhead(`${url}/?q=R5`);
  await expect.poll(() => isKept(`${url}/?q=R5`)).toBe(true);
  expect(await isKept(ahead[6])).toBe(false);

  await context.setOffline(true);
  expect(await fetched('/img/changing')).toBe('200 as last seen');
  expect(await fetched(sheet ?? '', `{ cache: 'no-store' }`)).toMatch(/^200 /);
  await context.close();
});

const STAND_IN = `
  if (!('modelContext' in document)) {
    const tools = new Map();
    Object.defineProperty(document, 'modelContext', { value: {
      registerTool(tool, { signal }) {
        tools.set(tool.name, tool);
        signal.addEventListener('abort', () => tools.delete(tool.name));
      },
      getTools: async () => [...tools.values()],
      executeTool: async (tool, input) => JSON.stringify(await tool.execute(JSON.parse(input))),
    } });
  }
`;

test.for([
  ['of this Chromium', ''],
  ['of a stand-in of the same shape', STAND_IN],
])(
  'the browser tools are registered in the interface %s and can be called',
  async ([, script = ''], { skip }) => {
    const page = await site.browser.newPage(phone);
    if (script !== '') await page.addInitScript(script);
    await page.goto(site.cafeteria.url + site.day);
    if (!(await page.evaluate<boolean>(`'modelContext' in document`))) {
      await page.close();
      return skip(
        `Chromium ${site.browser.version()} has no WebMCP in spite of --enable-features=WebMCP: NOT tested`,
      );
    }
    const list = () =>
      page.evaluate<{ name: string; annotations?: { readOnlyHint?: boolean } }[]>(
        `document.modelContext.getTools().then((all) => all.map(({ name, annotations }) => ({ name, annotations })))`,
      );
    const names = async () =>
      (await list())
        .map(({ name }) => name)
        .filter((name) => name !== 'find_cafeteria')
        .sort();
    // Those of the endpoint are registered once it has listed them.
    await expect
      .poll(names)
      .toEqual([...MENU_TOOLS.map(({ name }) => name), 'get_current_page', 'open_restaurant_menu'].sort());
    const opening = (await list()).find(({ name }) => name === 'open_restaurant_menu');
    expect(opening?.annotations?.readOnlyHint ?? false).toBe(false);
    const call = (name: string, input: object): Promise<string> =>
      page.evaluate<string>(`document.modelContext.getTools()
        .then((all) => document.modelContext.executeTool(
          all.find(({ name }) => name === '${name}'), ${JSON.stringify(JSON.stringify(input))}))
        .then((result) => typeof result === 'string' ? result : JSON.stringify(result))`);
    expect(await call('search_restaurants', { query: 'R5' })).toContain('R5 1식당');
    expect(await call('get_current_page', {})).toContain('# R5 1식당');
    const r5 = { vendor: 'welstory', restaurantId: 'REST000007' };
    const before = page.url();
    expect(await call('get_restaurant_menu', { ...r5, date: '내일점심' })).toContain('(lunch)');
    expect(await call('compare_menus', { restaurants: [r5], dates: ['금요일'] })).toContain('(Friday)');
    expect(await call('search_dishes', { query: '김치' })).toContain('Untrusted content');
    const asked: string[] = [];
    for (const [text] of ASKED_DATES)
      asked.push(
        JSON.parse(await call('get_restaurant_menu', { ...r5, date: text, meal: 'dawn' })).structuredContent
          .date,
      );
    expect(asked).toEqual(ASKED_DATES.map(([, date]) => date));
    expect(page.url()).toBe(before);
    // Chromium keeps the text of an error that is thrown from the assistant.
    expect(await call('search_restaurants', {})).toContain('Send query');
    expect(await call('open_restaurant_menu', { ...r5, date: 'someday' })).toContain('Send date');
    for (const path of ['https://example.com/', '/search', '//[', 7])
      expect(await call('open_restaurant_menu', { path })).toContain('Send vendor');
    expect(page.url()).toBe(before);
    const path = site.day.replace(/\/\d{8}$/, '');
    for (const [where, date, expected] of [
      [{ path }, '20261119', '2026-11-19'],
      [r5, '모레', '2026-11-22'],
      [r5, 'next friday', '2026-11-27'],
    ] as const) {
      await call('open_restaurant_menu', { ...where, date });
      await page.waitForURL(new RegExp(`${expected.replaceAll('-', '')}$`));
    }
    return page.close();
  },
);
