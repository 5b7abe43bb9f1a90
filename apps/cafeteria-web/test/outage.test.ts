import { expect, test } from 'vitest';
import { openSite } from './support/operated-site.ts';
import { until } from './support/process.ts';
import { findOne } from './support/running.ts';

const HOUR_MS = 3_600_000;
// Longer than the pause after which a read that failed is tried again.
const MINUTE_MS = 61_000;
const MARKDOWN = { Accept: 'text/markdown' };

const menuNames = (html: string): string[] =>
  [...html.matchAll(/<h3[^>]*>(?:<a [^>]*>)?([^<]+)</g)].map(([, name = '']) => name);
const OLD = '지금은 새 메뉴를 불러오지 못해 11월 20일 (금) 11:50에 불러온 메뉴를 보여 드려요.';
const UNREAD = '메뉴가 없다는 뜻은 아니에요.';
const EMPTY = /등록된 메뉴가 없어요|>없음</;

test.each(['welstory', 'shinsegae'] as const)(
  'an hour without %s: pages go on from the cache, marked as old; what was never read is not called empty; recovery by itself',
  async (vendor) => {
    await using site = await openSite();
    const { sandbox, main, text, passTime } = site;
    const { path } = await findOne(site.url, vendor === 'welstory' ? 'R5' : '기숙사식당');
    const today = `${path}/20261120`;
    const before = await main(today);
    expect(menuNames(before).length).toBeGreaterThan(3);
    expect(before).not.toMatch(/불러오지 못/);

    sandbox.setFaults([{ fault: 'server-error' }]);
    passTime(HOUR_MS);
    await until('the page says that it is old', async () => {
      passTime(MINUTE_MS);
      return (await main(today)).includes(OLD);
    });
    const during = await main(today);
    expect(menuNames(during)).toEqual(menuNames(before));
    expect(during).not.toMatch(EMPTY);

    // Other forms of the same day say so too.
    expect(await text(today, MARKDOWN)).toContain(OLD);
    expect(await text(`${today}/rss.xml`)).toContain(OLD);
    expect(await text(`${today}.ics`)).toContain('이전 메뉴');

    // A day that nobody asked for before: unread, in every form.
    const tomorrow = `${path}/20261123`;
    const unread = await main(tomorrow);
    expect(unread).toContain(UNREAD);
    expect(unread).not.toMatch(EMPTY);
    const week = await main(`${tomorrow}/week`);
    expect(week).toContain(UNREAD);
    expect(week).not.toMatch(EMPTY);
    expect(await text(`${tomorrow}/rss.xml`)).toContain(UNREAD);
    expect(await text(`${tomorrow}.ics`)).toContain('불러오지 못함');
    expect((await site.health()).status).not.toBe('ok');

    sandbox.setFaults([]);
    await until('the pages are fresh again, and the unread day is read', async () => {
      passTime(MINUTE_MS);
      const [fresh, read] = [await main(today), await main(tomorrow)];
      return !`${fresh}${read}`.match(/불러오지 못/) && menuNames(read).length > 0;
    });
    await until('health says so', async () => (await site.health()).status === 'ok');
  },
);

test('home says what could not be read, and calls no restaurant empty', async () => {
  await using site = await openSite();
  const { vendor, id } = await findOne(site.url, 'R5');
  site.sandbox.setFaults([{ fault: 'unavailable' }]);
  let first = '';
  await until('home has tried', async () => {
    first = await site.main('/');
    return first.includes(UNREAD);
  });
  expect(first).not.toContain('메뉴 사진이 없어요');
  const mine = await site.text('/', { Cookie: `my=${vendor}.${id}` });
  expect(mine).toContain(UNREAD);
  expect(mine).not.toMatch(EMPTY);
});

test('nutrition by dish that cannot be read is said to be so, next to what is known', async () => {
  await using site = await openSite();
  const { path } = await findOne(site.url, 'R5');
  const menu =
    /data-dish="more">.*?class="whole" href="([^"]+)"/s.exec(await site.main(`${path}/20261120`))?.[1] ?? '';
  site.sandbox.setFaults([{ fault: 'server-error', path: '/api/meal/detail' }]);
  const failed = await site.get(menu);
  expect([failed.status, failed.headers.get('cache-control')]).toEqual([503, 'no-store']);
  const text = await failed.text();
  expect(text).toContain('음식별 영양 정보를 불러오지 못했어요');
  expect(text).toContain('<table class="facts">');
  expect(await site.text(menu, MARKDOWN)).toContain('음식별 영양 정보를 불러오지 못했어요');
  site.sandbox.setFaults([]);
  await until('it is read', async () => {
    site.passTime(MINUTE_MS);
    return (await site.main(menu)).includes('<table class="dishes">');
  });
});

test('with operators that were never reached, pages say so with 503 and come back by themselves', async () => {
  await using site = await openSite({ faults: [{ fault: 'reset' }], welstory: false });
  const missing = '11월 20일 (금) 11:50부터 신세계푸드 식당 목록을 불러오지 못해';
  for (const [path, said] of [
    ['/', missing],
    ['/?q=강남', missing],
    ['/restaurants/shinsegae/1/x/20261120', '지금은 메뉴를 불러올 수 없어요'],
  ] as const) {
    const response = await site.get(path);
    expect([response.status, response.headers.get('retry-after')], path).toEqual([503, '30']);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toContain(said);
  }
  const search = await site.get('/proxy/search?q=a');
  expect([search.status, search.headers.get('content-type')]).toEqual([503, 'application/problem+json']);
  site.sandbox.setFaults([]);
  await until('home is back', async () => {
    site.passTime(MINUTE_MS);
    return (await site.get('/')).status === 200;
  });
});
