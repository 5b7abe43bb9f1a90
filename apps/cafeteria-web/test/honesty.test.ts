import { expect, test } from 'vitest';
import { PhotoShelf } from '../src/photos/photo-shelf.ts';
import { renderDayPage } from '../src/render/html/day-page.tsx';
import { MESSAGES } from '../src/render/i18n/messages.ts';
import { renderCalendar } from '../src/render/ics/menu-calendar.ts';
import { renderDayMarkdown } from '../src/render/markdown/day-markdown.ts';
import { feedPage } from '../src/render/page-context.ts';
import { missingPeriods, renderFeed } from '../src/render/rss/menu-feed.ts';
import { LUNCH_MS } from './support/running.ts';
import { sampleDay, samplePeriod } from './support/sample-day.ts';
import { TAKEOUT } from './support/takeout.ts';

const page = feedPage({
  origin: 'http://localhost',
  nowMs: LUNCH_MS,
  authority: 'localhost',
  sampleData: false,
  assetUrl: (name) => `/assets/${name}`,
  photos: new PhotoShelf(),
});
const day = sampleDay();
const model = { day, nowMs: LUNCH_MS, takeout: TAKEOUT, jsonLd: {} } as const;
const html = renderDayPage(page, { ...model, view: 'gallery' });
const section = (code: string): string =>
  new RegExp(`<section class="period" id="meal-${code}".*?</section>`, 's').exec(html)?.[0] ?? '';

test('each meal says what it is: read at a time, old, not readable, or none', () => {
  expect(section('2')).toContain('>11:02 기준</time>');
  expect(section('2')).not.toContain('class="note');
  expect(section('3')).toContain('11월 20일 (금) 11:02에 불러온 메뉴를 보여 드려요');
  expect(section('3')).toContain('돼지고기 김치찌개');
  expect(section('4')).toContain('메뉴가 없다는 뜻은 아니에요');
  expect(section('4')).not.toContain('등록된 메뉴가 없어요');
  expect(section('5')).toContain('등록된 메뉴가 없어요');
  expect(section('5')).not.toMatch(/불러오지 못/);
  for (const [code, mark] of Object.entries({ '3': '이전 메뉴', '4': '불러오지 못함', '5': '없음' }))
    expect(html, code).toMatch(
      new RegExp(`<a href="#meal-${code}" class="\\w+">[^<]+<small> ${mark}</small></a>`),
    );
});

test('a menu shows corner, sides, what is sold out or to carry away; its English name is for English pages', () => {
  const cards = section('2').split('<li class="card').slice(1);
  const card = (name: string) => cards.find((each) => each.includes(name)) ?? '';
  const [stew, soup, salad] = [card('돼지고기 김치찌개'), card('얼큰 순두부'), card('닭가슴살 샐러드')];
  expect(stew).toContain('한식 코너');
  expect(stew).toMatch(/<h3><a [^>]*>돼지고기 김치찌개<\/a><\/h3><p class="sides">/);
  const english = renderDayPage(
    { ...page, language: 'en', text: MESSAGES.en },
    { ...model, view: 'gallery' },
  );
  expect(english).toMatch(
    /<h3 lang="ko"><a [^>]*>돼지고기 김치찌개<\/a><\/h3><p class="other-name">Kimchi stew with pork<\/p>/,
  );
  expect(stew).toContain('<p class="sides">흰쌀밥, 계란말이, 배추김치</p>');
  expect(stew).toContain('832 kcal · 단백질 33.5 g');
  expect(stew).toMatch(/<th scope="row">나트륨<\/th><td>1,875 mg<\/td>/);
  expect(soup).toContain('sold-out');
  expect(soup).toContain('>품절<');
  expect(salad).toContain('>포장<');
});

test('each view has its menus, and counts them', () => {
  const counts = [...html.matchAll(/(갤러리|매장 식사|포장) <small>(\d+)</g)].map(([, name, count]) => [
    name,
    count,
  ]);
  expect(counts).toEqual([
    ['갤러리', '11'],
    ['매장 식사', '7'],
    ['포장', '4'],
  ]);
  const names = (view: 'take-in' | 'takeout'): string[] =>
    [...renderDayPage(page, { ...model, view }).matchAll(/<h3[^>]*>(?:<a [^>]*>)?([^<]+)</g)].map(
      ([, name = '']) => name,
    );
  expect(names('takeout')).toEqual([
    '닭가슴살 샐러드',
    '모닝빵 샌드위치',
    '닭가슴살 샐러드',
    '모닝빵 샌드위치',
  ]);
  expect(names('take-in')).not.toContain('닭가슴살 샐러드');
});

test('page, Markdown and RSS say what changed since the morning, and when', () => {
  const at = (time: string) => `2026-11-20T${time}:00.000Z`;
  const changes = [
    { kind: 'added', menuId: 'a', name: '김밥 <b>', at: at('00:05') },
    { kind: 'sold-out', menuId: 'b', name: '순두부', at: at('02:20') },
  ] as const;
  const changed = sampleDay({ periods: [samplePeriod({ changes })] });
  const own = renderDayPage(page, { ...model, day: changed, view: 'gallery' });
  expect(own).toMatch(/<summary>오늘 바뀐 메뉴 2개 · 11:20<\/summary>/);
  expect(own).toMatch(/11:20<\/time> <b>품절<\/b> 순두부.*09:05<\/time> <b>새로 나옴<\/b> 김밥 &lt;b&gt;/s);
  const markdown = renderDayMarkdown(page, changed, 'gallery', LUNCH_MS);
  expect(markdown).toMatch(
    /> 오늘 바뀐 메뉴 2개 · 11:20\n>\n> - 11:20 품절: 순두부\n> - 09:05 새로 나옴: 김밥/,
  );
  const channel = { title: 't', description: 'd', pagePath: '/p', feedPath: '/f', changedAt: undefined };
  expect(renderFeed(page, channel, [changed])).toContain('<li>11:20 품절: 순두부</li>');
  expect(html).not.toContain('바뀐 메뉴');
});

test('Markdown, RSS and iCalendar say the same of each meal', () => {
  const markdown = renderDayMarkdown(page, day, 'gallery', LUNCH_MS);
  const part = (label: string): string =>
    markdown.split(/^## /m).find((text) => text.startsWith(label)) ?? '';
  expect(part('점심')).toContain('(11:02 기준)');
  expect(part('저녁')).toContain('11:02에 불러온 메뉴를 보여 드려요');
  expect(part('야식')).toContain('메뉴가 없다는 뜻은 아니에요');
  expect(part('간식')).toContain('등록된 메뉴가 없어요');

  expect(missingPeriods(page, day)).toMatch(/간식: 등록된 메뉴가 없어요.*야식 메뉴를 불러오지 못했어요/);
  const channel = {
    title: 't',
    description: 'd',
    pagePath: '/p',
    feedPath: '/p/rss.xml',
    changedAt: undefined,
  };
  const feed = renderFeed(page, channel, [day]);
  const items = feed.match(/<item>.*?<\/item>/gs) ?? [];
  expect(items).toHaveLength(4);
  const unread = items.find((item) => item.includes('불러오지 못함')) ?? '';
  expect(unread).toContain('메뉴가 없다는 뜻은 아니에요');
  // The menus that are still to come have another name: readers show each once.
  expect(unread).toMatch(/<guid[^>]*>tag:[^<]+\/2026-11-20\/4\/unread<\/guid>/);
  expect(unread).not.toContain('pubDate');
  expect(feed).toContain('11:02에 불러온 메뉴를 보여 드려요');

  const calendar = renderCalendar(page, [day], 't').replaceAll(/\r\n[ \t]/g, '');
  expect(calendar.match(/^BEGIN:VEVENT/gm)).toHaveLength(4);
  expect(calendar).toMatch(/^SUMMARY:야식: 불러오지 못함\r$/m);
  expect(calendar).not.toContain('간식');
});
