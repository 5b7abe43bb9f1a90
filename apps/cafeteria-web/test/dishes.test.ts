import { parseRssFeed } from 'feedsmith';
import ICAL from 'ical.js';
import { systemClock } from 'menu-client';
import { beforeAll, expect, test } from 'vitest';
import { expectNotModified, find, type Item, LUNCH_MS } from './support/running.ts';
import { sharedCafeteria } from './support/shared.ts';

const site = sharedCafeteria({}, { ...systemClock, nowMs: () => LUNCH_MS });

interface Dish {
  readonly date: string;
  readonly meal: string;
  readonly found: string;
  readonly name: string;
  readonly dishes: readonly string[];
  readonly path: string;
  readonly restaurant: Item;
}
interface Found {
  readonly dishes: readonly Dish[];
  readonly total: number;
  readonly date?: string;
  readonly unreadDays: number;
}

const ask = async (query: Record<string, string>): Promise<Found> =>
  (await (await fetch(`${site.url}/proxy/dishes?${new URLSearchParams(query).toString()}`)).json()) as Found;

let places: readonly Item[] = [];
let named: Dish;
beforeAll(async () => {
  places = await find(site.url, '강남', 2);
  // Seven days from today are read for the table of the week.
  for (const { path } of places) await fetch(`${site.url}${path}/20261120/week`);
  const found = await ask({ q: '김치', date: 'today' });
  // A word that names a menu of today.
  const [first] = found.dishes;
  if (first === undefined) throw new Error('nothing has kimchi');
  named = (await ask({ q: first.name })).dishes[0] ?? first;
});

test('a dish is found where and when it is served, by day, menus named after it first', async () => {
  const all = await ask({ q: named.name });
  expect(all.total).toBeGreaterThan(0);
  expect(all.dishes[0]).toMatchObject({
    name: named.name,
    found: 'menu',
    restaurant: { id: expect.any(String) },
  });
  const dates = all.dishes.map(({ date }) => date);
  expect(dates).toEqual(dates.toSorted());
  for (const { name, dishes } of (await ask({ q: '김치', limit: '200' })).dishes)
    expect([name, ...dishes].join(' ')).toContain('김치');
  const today = await ask({ q: '김치 오늘' });
  expect(today.date).toBe('2026-11-20');
  expect(new Set(today.dishes.map(({ date }) => date))).toEqual(new Set(['2026-11-20']));
  expect(today).toEqual(await ask({ q: '김치', date: '20261120' }));
  const lunch = await ask({ q: '김치', date: '오늘점심' });
  expect(lunch).toEqual(await ask({ q: '오늘점심 김치 나오는 곳' }));
  expect([lunch.date, new Set(lunch.dishes.map(({ meal }) => meal))]).toEqual(['2026-11-20', new Set(['2'])]);
  // All but two restaurants have not been read, which is not the same as nothing.
  expect(all.unreadDays).toBeGreaterThan(1000);
  const page = await (await fetch(site.url + named.path)).text();
  expect(page).toContain(named.name);
});

test.each(['', 'q=a&limit=0', 'q=a&date=x', 'q=a&date=20270101', `q=${'a'.repeat(101)}`])(
  '%j is refused with a sentence that says what to send',
  async (query) => {
    const refused = await fetch(`${site.url}/proxy/dishes?${query}`);
    expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
    expect(await refused.json()).toMatchObject({ detail: expect.stringMatching(/q|limit|date|days/) });
  },
);

test('the page marks the match, links days and restaurants, and leads to an alarm', async () => {
  const query = new URLSearchParams({ q: '김치' }).toString();
  // Where dishes once had a page of their own.
  const moved = await fetch(`${site.url}/search?${query}&lang=ko`, { redirect: 'manual' });
  expect([moved.status, moved.headers.get('location')]).toEqual([308, `/?${query}&lang=ko`]);
  const html = await (await fetch(`${site.url}/search?${query}`)).text();
  expect(html).toContain('<mark>김치</mark>');
  expect(html).toMatch(/href="\/\?q=[^"]+&amp;date=20261121"/);
  expect(html).toMatch(/href="\/restaurants\/[^"]+\/20261120#meal-\d"/);
  expect(html).toContain('아직 불러오지 못한 메뉴');
  expect(html).toMatch(/<a href="\/alarm\?dish=[^"]+" rel="nofollow">‘김치’ 나오는 날 알림<\/a>/);
  const markdown = await (
    await fetch(`${site.url}/search?${query}`, { headers: { Accept: 'text/markdown' } })
  ).text();
  expect(markdown).toMatch(/^# ‘김치’ 검색 결과/);
  expect(markdown).toMatch(/^### 2026년 11월 20일 금요일/m);
});

const found = async (parameters: Record<string, string>, headers: Record<string, string> = {}) => {
  const page = await fetch(`${site.url}/?${new URLSearchParams(parameters).toString()}`, { headers });
  const text = await page.text();
  return /<main.*<\/main>/s.exec(text)?.[0] ?? text;
};
/** Names of the restaurants that are found, and of the dishes, in their order. */
const shown = (page: string): { restaurants: string[]; dishes: string[]; inOrder: string } => ({
  restaurants: [...page.matchAll(/<strong>(.*?)<\/strong>/g)].map(([, name = '']) =>
    name.replaceAll(/<.*?>/g, ''),
  ),
  dishes: [...page.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, name = '']) => name.replaceAll(/<.*?>/g, '')),
  inOrder: [...page.matchAll(/<h2 id="(restaurants|dishes)"/g)].map(([, id = '']) => id).join(),
});

test('one search finds places, dishes, or both, as the words say', async () => {
  const place = shown(await found({ q: '강남' }));
  expect(place.inOrder).toMatch(/^restaurants/);
  expect(place.restaurants).toContain('교육동 1식당');
  const dish = shown(await found({ q: named.name }));
  expect([dish.inOrder, dish.restaurants]).toEqual(['dishes', []]);
  expect(dish.dishes).toContain(named.name);
  const both = shown(await found({ q: `강남 ${named.name}` }));
  expect(both.inOrder).toBe('dishes,restaurants');
  expect(both.dishes).toContain(named.name);
  expect(both.restaurants).toContain('교육동 1식당');
  expect(shown(await found({ q: '강남 뭐 먹지' })).restaurants).toContain('교육동 1식당');
  for (const headers of [{}, { Accept: 'text/markdown' }]) {
    expect(await found({ q: '없는말이다' }, headers)).toContain(
      '찾는 식당이 없어요. 지금까지 불러온 메뉴 중에는 없어요.',
    );
  }
});

test('my restaurants come first in what is found, then places to choose from with their counts', async () => {
  const [, second] = places;
  if (second === undefined) throw new Error('two restaurants');
  const Cookie = `my=${second.vendor}.${second.id}`;
  expect(shown(await found({ q: '강남' }, { Cookie })).restaurants[0]).toBe(second.name);
  const page = await found({ q: '김치' }, { Cookie });
  const [mine = '', others = ''] = page.split('<h3 class="whose">다른 식당</h3>');
  expect(mine).toContain('내 식당 메뉴');
  for (const [, name] of mine.matchAll(/<a href="[^"]+#meal-\d">(.*?) \(/g)) expect(name).toBe(second.name);
  for (const [, name] of others.matchAll(/<a href="[^"]+#meal-\d">(.*?) \(/g))
    expect(name).not.toBe(second.name);
  // Today's lunch before what is later, breakfast never before it.
  expect(/<span class="corner">(.*?)<\/span>/.exec(mine)?.[1]).toBe('오늘 점심');
});

test('an alarm has the days at the restaurants named, with a reminder half an hour before', async () => {
  const { restaurant } = named;
  const query = new URLSearchParams({
    dish: `${named.name} today`,
    r: `${restaurant.vendor}.${restaurant.id}`,
  }).toString();
  const response = await fetch(`${site.url}/alarm.ics?${query}`);
  expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  const text = await response.text();
  // An event's own properties come before its reminder.
  for (const [event] of text.matchAll(/BEGIN:VEVENT\r\n[^]*?END:VEVENT\r\n/g))
    expect(event).toMatch(/\r\nBEGIN:VALARM\r\n(?:(?!END:VALARM)[^])*END:VALARM\r\nEND:VEVENT\r\n$/);
  expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
  const calendar = new ICAL.Component(ICAL.parse(text));
  const events = calendar.getAllSubcomponents('vevent');
  expect(events.length).toBeGreaterThan(0);
  const week = await (await fetch(`${site.url}${restaurant.path}/calendar.ics`)).text();
  const meals = new ICAL.Component(ICAL.parse(week))
    .getAllSubcomponents('vevent')
    .map((event) => event.getFirstPropertyValue('uid'));
  for (const event of events) {
    const [dish, where] = String(event.getFirstPropertyValue('summary')).split(/: (?=[^:]*$)/);
    expect([dish, where?.startsWith(`${restaurant.name} `)]).toEqual([named.name, true]);
    // Someone who has both calendars sees both events.
    expect(meals).not.toContain(event.getFirstPropertyValue('uid'));
    const [alarm] = event.getAllSubcomponents('valarm');
    expect(alarm?.getFirstPropertyValue('action')).toBe('DISPLAY');
    expect(String(alarm?.getFirstPropertyValue('trigger'))).toBe('-PT30M');
  }
  const feed = parseRssFeed(await (await fetch(`${site.url}/alarm.rss?${query}`)).text());
  expect(feed.items).toHaveLength(events.length);
  expect(feed.items?.[0]?.title).toContain(restaurant.name);
  expect(feed.items?.[0]?.description).toContain(named.name);
  await expectNotModified(`${site.url}/alarm.rss?${query}`);
});

test('a reminder of lunch rings at its time on each day that has one, with what there is at each restaurant', async () => {
  const query = new URLSearchParams([
    ['at', '11:20'],
    ...places.map(({ vendor, id }): [string, string] => ['r', `${vendor}.${id}`]),
  ]).toString();
  const response = await fetch(`${site.url}/alarm.ics?${query}`);
  expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  const events = new ICAL.Component(ICAL.parse(await response.text())).getAllSubcomponents('vevent');
  const starts = events.map((event) => String(event.getFirstPropertyValue('dtstart')));
  expect(starts[0]).toBe('2026-11-20T02:20:00Z');
  expect(new Set(starts).size).toBe(starts.length);
  for (const event of events) {
    const said = String(event.getFirstPropertyValue('description'));
    expect(places.some(({ name }) => said.includes(name))).toBe(true);
    expect(String(event.getFirstPropertyValue('summary'))).toMatch(/^점심: ./);
    const [alarm] = event.getAllSubcomponents('valarm');
    expect(String(alarm?.getFirstPropertyValue('trigger'))).toBe('PT0S');
  }
  // Programs show each id once: a reminder for one of the restaurants is another one.
  const uids = (text: string) =>
    [...text.replaceAll('\r\n ', '').matchAll(/^UID:(.+)\r$/gm)].map(([, uid]) => uid);
  const ofOne = new URLSearchParams({ at: '11:20', r: `${places[0]?.vendor}.${places[0]?.id}` }).toString();
  const all = [query, ofOne].map(async (each) =>
    uids(await (await fetch(`${site.url}/alarm.ics?${each}`)).text()),
  );
  const [several = [], one = []] = await Promise.all(all);
  expect(several).toHaveLength(events.length);
  expect(one.length).toBeGreaterThan(0);
  expect(several.filter((uid) => one.includes(uid))).toEqual([]);
  for (const at of ['', '24:00', '1120'])
    expect((await fetch(`${site.url}/alarm.ics?${query.replace('11%3A20', at)}`)).status, at).toBe(400);
});

test('an alarm that names no dish or no restaurants is refused, one of a restaurant that is gone is not found', async () => {
  const statuses = async (query: string): Promise<number[]> =>
    Promise.all(
      ['ics', 'rss'].map(async (file) => (await fetch(`${site.url}/alarm.${file}?${query}`)).status),
    );
  for (const query of [
    '',
    'dish=a',
    'r=welstory.1',
    'dish=today&r=welstory.1',
    'dish=a&r=1',
    'dish=a&r=nobody.1',
  ])
    expect(await statuses(query), query).toEqual([400, 400]);
  expect(await statuses('dish=a&r=welstory.none')).toEqual([404, 404]);
});
