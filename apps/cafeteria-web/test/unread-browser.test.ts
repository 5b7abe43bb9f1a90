import { launchBrowser } from 'test-support/launch-browser';
import { expect, test } from 'vitest';
import { ANSWER_WAIT_MS, WORKER_WAIT_MS } from '../src/running/waits.ts';
import { holdLine } from './support/held-line.ts';
import { openSite } from './support/operated-site.ts';
import { until } from './support/process.ts';
import { find, findOne, startTestCafeteria } from './support/running.ts';

test('scripts say what could not be searched, keep its place among my restaurants and tell assistants', async () => {
  await using browser = await launchBrowser();
  await using site = await openSite({ faults: [{ fault: 'server-error', operator: 'welstory' }] });
  const [first] = await find(site.url, '푸드홀', 1);
  const keys = ['welstory.REST000007', `${first?.vendor}.${encodeURIComponent(first?.id ?? '')}`];
  const context = await browser.newContext({ locale: 'ko-KR', serviceWorkers: 'block' });
  await context.addCookies([{ name: 'my', value: keys.join('~'), url: site.url }]);
  const page = await context.newPage();
  await page.addInitScript(`
    const tools = new Map();
    Object.defineProperty(document, 'modelContext', { value: {
      registerTool: (tool) => tools.set(tool.name, tool),
      listed: () => tools.has('search_restaurants'),
      search: (query) => tools.get('search_restaurants').execute({ query }),
    } });
  `);
  await page.goto(site.url);
  const box = page.getByRole('combobox', { name: '식당, 장소, 메뉴' });
  const status = page.getByRole('status');
  await box.focus();
  await page.keyboard.type('한빛전자');
  await status
    .filter({ hasText: '지금 찾아볼 수 있는 식당 중에는 맞는 곳이 없어요.' })
    .waitFor({ state: 'attached' });
  await box.fill('푸드홀');
  await status.filter({ hasText: /^식당 \d+곳/ }).waitFor({ state: 'attached' });

  await page.keyboard.press('Escape');
  await page.locator('.mine > summary').click();
  await page.getByRole('button', { name: '아래로: REST000007' }).click();
  const [cookie] = await context.cookies();
  expect(cookie?.value.split('~')).toEqual([...keys].reverse());

  const search = async (query: string) => {
    await page.waitForFunction('document.modelContext.listed()');
    const result = await page.evaluate<{ structuredContent: object }>(
      `document.modelContext.search('${query}')`,
    );
    return result.structuredContent;
  };
  expect(await search('한빛전자')).toMatchObject({ restaurants: [], incomplete: [{ operator: 'welstory' }] });
  expect(await search('푸드홀')).toMatchObject({
    restaurants: expect.arrayContaining([expect.objectContaining({ vendor: 'shinsegae' })]),
    incomplete: [{ operator: 'welstory' }],
  });
  await context.close();
});

test('offline, a page shows the menus that were seen, not a later failure to read them', async () => {
  await using browser = await launchBrowser();
  await using site = await openSite();
  const { path } = await findOne(site.url, 'R5');
  const [seen, unread] = [`${path}/20261120`, `${path}/20261123`].map((day) => site.url + day);
  if (seen === undefined || unread === undefined) throw new Error('two days');
  const context = await browser.newContext({ locale: 'ko-KR' });
  const page = await context.newPage();
  await page.goto(site.url);
  await page.evaluate('navigator.serviceWorker.ready');
  await page.goto(seen);
  await page.waitForFunction(`caches.match('${seen}', { ignoreVary: true })`);
  site.sandbox.setFaults([{ fault: 'server-error' }]);
  // The budget of requests is there again: home has used it.
  site.passTime(60_000);
  await page.goto(unread);
  await page.getByText('메뉴가 없다는 뜻은 아니에요').first().waitFor();
  // The worker keeps pages in their order: once this one is there, the other was left out.
  const other = `${site.url}/?q=R5`;
  await page.goto(other);
  await until('the worker has kept the last page', () =>
    page.evaluate<boolean>(
      `caches.match('${other}', { ignoreVary: true }).then((found) => found !== undefined)`,
    ),
  );
  expect(
    await page.evaluate(
      `caches.match('${unread}', { ignoreVary: true }).then((found) => found === undefined)`,
    ),
  ).toBe(true);
  await context.close();
});

test('slow is not offline: a kept page says that the server has not answered, and no other page is shown in its place', async () => {
  await using browser = await launchBrowser();
  await using site = await startTestCafeteria();
  await using line = await holdLine(site.url, 300);
  const { path, vendor, id } = await findOne(site.url, 'R5');
  const day = `${line.url}${path}/20261120`;
  const context = await browser.newContext({ locale: 'ko-KR' });
  const page = await context.newPage();
  await page.goto(line.url);
  await page.evaluate('navigator.serviceWorker.ready');
  for (const seen of [line.url, day]) {
    await page.goto(seen);
    const kept = `caches.open('pages-2').then((cache) => cache.keys())
      .then((keys) => keys.some(({ url }) => new URL(url).pathname === '${new URL(seen).pathname}'))`;
    await until(`the worker has kept ${seen}`, () => page.evaluate<boolean>(kept));
  }
  line.mode = 'hold';
  await page.goto(day);
  await page.getByText('서버가 아직 답하지 않아 마지막으로 본 화면을 보여 드려요').waitFor();
  expect(await page.getByText('오프라인').count()).toBe(0);

  // The home page that is kept is that of somebody without restaurants.
  await context.addCookies([{ name: 'my', value: `${vendor}.${id}`, url: line.url }]);
  const home = page.goto(line.url);
  const other = await context.newPage();
  await other.goto(day);
  await other.getByText('서버가 아직 답하지 않아').waitFor();
  line.mode = 'pass';
  await home;
  await page.getByRole('heading', { name: '내 식당의 오늘 점심' }).waitFor();
  expect(await page.getByText(/마지막으로 본 화면|오프라인/).count()).toBe(0);

  line.mode = 'cut';
  await page.goto(day);
  await page.getByText('서버에 연결하지 못했어요. 마지막으로 본 화면이고').waitFor();
  await context.addCookies([{ name: 'my', value: 'shinsegae.CAF1', url: line.url }]);
  await page.goto(line.url);
  await page.getByRole('heading', { name: '서버에 연결하지 못했어요' }).waitFor();
  await context.close();
});

test('the worker waits longer than the server may', async () => {
  await using site = await openSite();
  expect(await site.text('/service-worker.js')).toContain(`const SLOW_MS = Number('${WORKER_WAIT_MS}');`);
  expect(WORKER_WAIT_MS).toBeGreaterThan(ANSWER_WAIT_MS);
});
