import { parseRssFeed } from 'feedsmith';
import ICAL from 'ical.js';
import { systemClock } from 'menu-client';
import { expect, test } from 'vitest';
import { until } from './support/process.ts';
import { menuNamed, startReadySite } from './support/ready-site.ts';
import { expectNotModified, find, findOne, LUNCH_MS } from './support/running.ts';
import { sharedCafeteria } from './support/shared.ts';

let nowMs = LUNCH_MS;
const site = sharedCafeteria({}, { ...systemClock, nowMs: () => nowMs });

test("the day's feed keeps the rules that readers rely on", async () => {
  const { path, name } = await findOne(site.url, 'R5');
  const url = `${site.url}${path}/20261120/rss.xml`;
  const response = await fetch(url);
  expect(response.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8');
  const xml = await response.text();
  const feed = parseRssFeed(xml);
  expect(feed.title).toContain(name);
  expect(feed.link).toBe(`${site.url}${path}/20261120`);
  expect(xml).toContain(`<atom:link href="${url}" rel="self" type="application/rss+xml"/>`);
  const items = feed.items ?? [];
  expect(items.length).toBeGreaterThan(0);
  for (const item of items) {
    expect(item.guid).toMatchObject({ isPermaLink: false });
    expect(item.guid?.value).toMatch(/^tag:localhost,2026:cafeteria\/welstory\/[^/]+\/2026-11-20\/[1-6]$/);
    expect(Date.parse(item.pubDate ?? '')).toBeLessThanOrEqual(nowMs);
    expect(item.link).toContain(`${site.url}${path}/20261120#meal-`);
    expect(item.description).toMatch(/^<ul>(<li>.*<\/li>)+<\/ul>$/s);
  }
  expect(new Set(items.map((item) => item.guid?.value)).size).toBe(items.length);
  await expectNotModified(url);
});

test('the feed of all restaurants has an item for each day of each that is kept, under a name of its own', async () => {
  const restaurants = await Promise.all(
    ['R5', '사내식당', '푸드홀', '도크동', 'CAF114'].map((q) => find(site.url, q, 8)),
  );
  const { path } = await findOne(site.url, 'R5');
  for (const each of restaurants.flat()) {
    // Seven days from today are read for the table of the week, as fast as the operators' limits allow.
    await fetch(`${site.url}${each.path}/20261120/week`);
    nowMs += 5_000;
  }
  // The copy that is at hand may be older than that; half a minute later it is made again.
  nowMs += 31_000;
  let response = await fetch(`${site.url}/rss.xml`);
  let xml = await response.text();
  await until('the feed has what was read', async () => {
    response = await fetch(`${site.url}/rss.xml`);
    xml = await response.text();
    return xml.split('<item>').length > 100;
  });
  expect(xml).toContain(`<atom:link href="${site.url}/rss.xml" rel="self" type="application/rss+xml"/>`);
  const all = parseRssFeed(xml);
  expect(all.link).toBe(`${site.url}/`);
  expect(all.description).toMatch(/[^.]\. 아직 불러오지 못한 메뉴\(식당별 하루치 \d+건\)가 빠져 있어요\.$/);
  expect(all.description).not.toContain('..');
  const items = all.items ?? [];
  expect(new Set(items.map(({ title }) => title)).size).toBe(items.length);
  expect(new Set(items.map(({ guid }) => guid?.value)).size).toBe(items.length);
  const own = items.filter(({ link }) => link?.includes('/welstory/REST000007/'));
  // Nothing is served at the weekend.
  expect(own.map(({ guid }) => guid?.value)).toEqual(
    ['20', '23', '24', '25', '26'].map(
      (day) => `tag:localhost,2026:cafeteria/welstory/REST000007/2026-11-${day}`,
    ),
  );
  expect(own[0]?.title).toBe('한빛전자 경기 수원시 수원디지털캠퍼스 R5 1식당 11월 20일 (금)');
  for (const item of items) expect(Date.parse(item.pubDate ?? '')).toBeLessThanOrEqual(nowMs);
  const page = await fetch(own[0]?.link ?? '');
  expect([page.status, new URL(page.url).pathname]).toEqual([200, `${path}/20261120`]);
  const day = parseRssFeed(await (await fetch(`${site.url}${path}/20261120/rss.xml`)).text());
  expect(day.items?.length).toBeGreaterThan(0);
  for (const { title = '' } of day.items ?? [])
    expect(own[0]?.description).toContain(`<b>${title.split(' ').at(-1)}</b>`);
  // 600 restaurants that serve on five or six days make at most 3 MB.
  expect(items.length).toBeGreaterThan(100);
  expect((Buffer.byteLength(xml) / items.length) * 600 * 5.4).toBeLessThanOrEqual(3e6);
  expect(Date.parse(all.lastBuildDate ?? '')).toBeLessThanOrEqual(nowMs);
  await expectNotModified(`${site.url}/rss.xml`);
  // Under another name of this address the links are of that name.
  const other = site.url.replace('localhost', '127.0.0.1');
  const elsewhere = await (await fetch(`${other}/rss.xml`)).text();
  expect(elsewhere).toContain(`<atom:link href="${other}/rss.xml" rel="self"`);
  expect(elsewhere).not.toContain(site.url);
});

test('what is published has the time at which it was first seen, however often it is read or changed since', async () => {
  await using ready = await startReadySite();
  const { state } = ready;
  const day = '/restaurants/welstory/R%201/%EA%B0%95%EB%82%A8-%EC%8B%9D%EB%8B%B9/20261120';
  state.meals = [
    { code: '1', label: '조식' },
    { code: '2', label: '중식' },
  ];
  const menus = { '1': [menuNamed('토스트')], '2': [menuNamed('비빔밥')] };
  const times: string[] = [];
  for (const [shown, change] of [
    ['토스트', { menusOf: menus, failing: ['2'] }],
    ['비빔밥', { menusOf: menus, failing: [] }],
    ['냉면', { menusOf: { ...menus, '2': [menuNamed('냉면')] } }],
  ] as const) {
    state.nowMs += 3_600_000;
    times.push(new Date(state.nowMs).toUTCString());
    Object.assign(state, change);
    await expect.poll(async () => (await ready.ask(day)).body.toString()).toContain(shown);
  }
  const [breakfast, lunch, changed] = times;
  const feedAt = async (path: string) => {
    const { items = [], lastBuildDate } = parseRssFeed((await ready.ask(path)).body.toString());
    return { published: new Set(items.map(({ pubDate }) => pubDate)), lastBuildDate };
  };
  expect(await feedAt(`${day}/rss.xml`)).toEqual({
    published: new Set([breakfast, lunch]),
    lastBuildDate: changed,
  });
  // A day is published with the first of its meals.
  expect(await feedAt('/rss.xml')).toEqual({ published: new Set([breakfast]), lastBuildDate: changed });
});

test("a restaurant's feed without a date is the one to subscribe to: today and the six days after it", async () => {
  const { path, name } = await findOne(site.url, 'R5');
  const url = `${site.url}${path}/rss.xml`;
  const response = await fetch(url, { redirect: 'manual' });
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'application/rss+xml; charset=utf-8',
  ]);
  const xml = await response.text();
  const feed = parseRssFeed(xml);
  expect(xml).toContain(`<atom:link href="${url}" rel="self" type="application/rss+xml"/>`);
  expect([feed.title, feed.link]).toEqual([name, `${site.url}${path}`]);
  const ids = (feed.items ?? []).map(({ guid }) => guid?.value ?? '');
  expect(new Set(ids).size).toBe(ids.length);
  const days = new Set(ids.map((id) => id.split('/').at(-2)));
  expect([...days]).toEqual(['20', '23', '24', '25', '26'].map((day) => `2026-11-${day}`));
  // The same meals have the same ids in the feed of a day.
  const today = parseRssFeed(await (await fetch(`${site.url}${path}/20261120/rss.xml`)).text());
  expect(ids).toEqual(expect.arrayContaining((today.items ?? []).map(({ guid }) => guid?.value)));
  const english = await (await fetch(`${url}?lang=en`)).text();
  expect(english).toContain(`<atom:link href="${url}?lang=en" rel="self"`);
  await expectNotModified(url);
});

test('pages offer what lasts longer than a day, and the front page the restaurants of the visitor first', async () => {
  const { path } = await findOne(site.url, 'R5');
  const host = new URL(site.url).host;
  for (const page of [`${path}/20261120`, `${path}/20261120/week`]) {
    const html = await (await fetch(site.url + page)).text();
    for (const href of [
      `${path}/rss.xml`,
      `webcal://${host}${path}/calendar.ics`,
      `https://calendar.google.com/calendar/render?cid=${encodeURIComponent(`webcal://${host}${path}/calendar.ics`)}`,
      `${path}/calendar.ics`,
    ])
      expect(html, page).toContain(`href="${href}"`);
  }
  const day = await (await fetch(`${site.url}${path}/20261120`)).text();
  expect(day).toContain(`<link rel="alternate" type="application/rss+xml" href="${site.url}${path}/rss.xml"`);
  const mine = await (await fetch(site.url, { headers: { Cookie: 'my=welstory.REST000007' } })).text();
  const feeds = [...mine.matchAll(/type="application\/rss\+xml" href="([^"]+)"/g)].map(([, href]) => href);
  expect(feeds).toEqual([`${site.url}${path}/rss.xml`, `${site.url}/rss.xml`]);
  expect(mine).toMatch(new RegExp(`<nav class="formats"[^>]*><a href="${path}/rss.xml">R5 1식당 RSS</a>`));
});

test('a day without menus is a valid feed', async () => {
  const { path } = await findOne(site.url, 'R5');
  const feed = parseRssFeed(await (await fetch(`${site.url}${path}/20261122/rss.xml`)).text());
  expect(feed.items ?? []).toEqual([]);
  expect(feed.title).toBeTruthy();
});

test('the calendars are read by another library and hold the menus', async () => {
  const { path } = await findOne(site.url, 'R5');
  const starts: string[] = [];
  for (const file of ['/20261120.ics', '/calendar.ics']) {
    const response = await fetch(site.url + path + file);
    expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    const text = await response.text();
    expect(text).toMatch(/^BEGIN:VCALENDAR\r\n[^]*\r\nEND:VCALENDAR\r\n$/);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    const events = new ICAL.Component(ICAL.parse(text))
      .getAllSubcomponents('vevent')
      .map((event) => new ICAL.Event(event));
    starts.push(...events.map((event) => event.startDate.toString()));
    for (const [, stamp = ''] of text.matchAll(/^DTSTAMP:(\d{8})T/gm))
      expect(Number(stamp)).toBeLessThanOrEqual(20_261_120);
    for (const event of events) {
      expect(event.uid).toMatch(/^tag:/);
      // What is served, then where and when.
      expect(event.summary).toMatch(/^[^:]+: R5 1식당 \S+$/);
    }
    expect(text.match(/^DTSTAMP:\d{8}T\d{6}Z/gm)?.length).toBe(events.length);
  }
  // Neither operator tells hours: an event is of its day.
  expect(starts).toContain('2026-11-20');
  expect(starts.filter((start) => start.includes('T'))).toEqual([]);
});
