import { expect, test } from 'vitest';
import { openSite } from './support/operated-site.ts';
import { until } from './support/process.ts';
import { findOne } from './support/running.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 61_000;
const MARKDOWN = { Accept: 'text/markdown' };
const menuNames = (html: string): string[] =>
  [...html.matchAll(/<h3[^>]*>(?:<a [^>]*>)?([^<]+)</g)].map(([, name = '']) => name);

test('a Sunday shows the next day with menus; a day that cannot be read says so once, with the last known one', async () => {
  await using site = await openSite();
  const { path } = await findOne(site.url, '기숙사식당');
  const sunday = await site.main(`${path}/20261122`);
  expect(sunday).toContain('이 날짜에 등록된 메뉴가 없어요');
  expect(sunday).toMatch(/다음 메뉴는 <a href="[^"]+\/20261123"><time datetime="2026-11-23">/);
  expect(menuNames(sunday)).toEqual(menuNames(await site.main(`${path}/20261123`)));
  expect(await site.text(`${path}/20261122`, MARKDOWN)).toMatch(
    /^> 다음 메뉴는 11월 23일 \(월\)에 나와요\.\n\n## 11월 23일 \(월\) /m,
  );
  // A Sunday that is over leads nowhere.
  expect(menuNames(await site.main(`${path}/20261115`))).toEqual([]);

  site.sandbox.setFaults([{ fault: 'server-error' }]);
  const failed = await site.main(`${path}/20261125`);
  expect(failed.match(/메뉴를 불러오지 못했어요/g)).toHaveLength(1);
  expect(failed).toMatch(/<a class="button"[^>]* href="[^"]+\/20261125">다시 시도<\/a>/);
  expect(failed).toMatch(/class="other-day old".*마지막으로 불러온 <a href="[^"]+\/20261123">/s);
  expect(menuNames(failed)).toEqual(menuNames(await site.main(`${path}/20261123`)));
  expect(await site.text(`${path}/20261125`, MARKDOWN)).toContain(
    '마지막으로 불러온 11월 23일 (월) 메뉴예요',
  );
  const week = await site.main(`${path}/20261124/week`);
  // Each day once, not each meal of it.
  const table = /<table>.*<\/table>/s.exec(week)?.[0] ?? '';
  expect(table.match(/메뉴를 불러오지 못했어요/g)?.length).toBeLessThanOrEqual(7);
  expect(week).toMatch(/<td rowspan="\d">/);

  // Later days are fresh for three hours.
  site.passTime(4 * HOUR_MS);
  await until('today is old', async () => {
    site.passTime(MINUTE_MS);
    return (await site.main(`${path}/20261123`)).includes('에 불러온 메뉴를 보여 드려요');
  });
  const old = await site.main(`${path}/20261123`);
  expect(old.match(/에 불러온 메뉴를 보여 드려요/g)).toHaveLength(1);
  expect(old).toContain('다시 시도');
});
