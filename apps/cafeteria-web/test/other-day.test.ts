import { expect, test } from 'vitest';
import { openSite } from './support/operated-site.ts';
import { until } from './support/process.ts';
import { LUNCH_MS, menuNamed, startReadySite } from './support/ready-site.ts';
import { findOne } from './support/running.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
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
  // Each meal of the other day stands under that day's date, and the closed day has no meals of its own.
  const headings = [...sunday.matchAll(/<h2 id="meal-[^"]*">([^<]*)/g)].map(([, text = '']) => text);
  expect(headings.length).toBeGreaterThan(0);
  expect(headings.every((text) => text.startsWith('11월 23일 (월) '))).toBe(true);
  expect(await site.text(`${path}/20261122`, MARKDOWN)).toMatch(
    /\n> 이 날짜에 등록된 메뉴가 없어요\.\n\n> 다음 메뉴는 /,
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

test('on a closed day home says so in each medium, and shows the next one under its own date, for a first visit too', async () => {
  await using site = await startReadySite();
  site.state.nowMs = LUNCH_MS + 2 * DAY_MS;
  site.state.closedOn = ['2026-11-22'];
  site.state.menus = [{ ...menuNamed('김치찌개'), photo: { url: 'https://photos.welstory.com/a.jpg' } }];
  await site.ask('/proxy/search?q=%EA%B0%95%EB%82%A8');
  const main = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
    const body = (await site.ask(path, headers)).body.toString();
    return /<main.*<\/main>/s.exec(body)?.[0] ?? body;
  };
  const mine = { cookie: 'my=welstory.R%201' };
  const markdown = { accept: 'text/markdown' };
  for (const [path, note] of [
    ['/', '오늘은 쉬어요.'],
    ['/?meal=2', '오늘은 쉬어요.'],
  ] as const) {
    const own = await main(path, mine);
    const [above = '', below = ''] = own.split('<section class="next-day"');
    expect(above, path).toContain(`<p class="note closed">${note}</p>`);
    expect([menuNames(above), menuNames(below)]).toEqual([[], ['김치찌개']]);
    expect(below).toMatch(
      /^ aria-labelledby="on-2026-11-23"><h2 id="on-2026-11-23"><time[^>]*>11월 23일 \(월\)/,
    );
    expect(await main(path, { ...mine, ...markdown })).toMatch(
      /^> 오늘은 쉬어요\.\n\n## 11월 23일 \(월\)\n\n### \[강남 식당\][^\n]*\n\n- \*\*김치찌개/m,
    );
  }
  // Chosen on another day, it has its date.
  site.state.nowMs = LUNCH_MS;
  expect(await main('/?date=20261122', mine)).toContain(
    '<p class="note closed">11월 22일 (일)에는 쉬어요.</p>',
  );
  site.state.nowMs = LUNCH_MS + 2 * DAY_MS;

  const first = await main('/');
  expect(first).toMatch(
    /<p class="note">오늘은 쉬어요\.<\/p><h2 id="today">11월 23일 \(월\) 메뉴 둘러보기<\/h2>/,
  );
  expect(menuNames(first)).toEqual(['김치찌개']);
  expect(await main('/', markdown)).toMatch(
    /^> 오늘은 쉬어요\.\n\n## 11월 23일 \(월\) 메뉴 둘러보기\n\n- 점심: \*\*김치찌개/m,
  );
});
