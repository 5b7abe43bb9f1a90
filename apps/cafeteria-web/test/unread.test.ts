import { parseRssFeed } from 'feedsmith';
import ICAL from 'ical.js';
import type { FaultRule } from 'menu-sandbox';
import { expect, test } from 'vitest';
import { openSite } from './support/operated-site.ts';
import { until } from './support/process.ts';
import { find, findOne } from './support/running.ts';

const WITHOUT_WELSTORY: FaultRule[] = [{ fault: 'server-error', operator: 'welstory' }];
const MARKDOWN = { Accept: 'text/markdown' };
const MINUTE_MS = 61_000;
const DAY_MS = 86_400_000;
const SINCE = '2026-11-20T02:50:00.000Z';
const MISSING = '11월 20일 (금) 11:50부터 삼성웰스토리 식당 목록을 불러오지 못해 결과에서 빠져 있어요.';
const MISSING_EN =
  'Restaurants of Samsung Welstory are missing here: they could not be loaded since Fri, Nov 20, 11:50.';
/** Finds restaurants of Welstory alone, and of both. */
const [ONLY_WELSTORY, BOTH] = ['한빛전자', '푸드홀'];

type Site = Awaited<ReturnType<typeof openSite>>;

const cacheControl = (response: Response) => response.headers.get('cache-control');

async function recovered(site: Site): Promise<void> {
  site.sandbox.setFaults([]);
  await until('every operator is read', async () => {
    site.passTime(MINUTE_MS);
    return (await site.get(`/proxy/search?q=${ONLY_WELSTORY}`)).status === 200;
  });
}

test('a search that could not look everywhere says so in pages and Markdown, in both languages', async () => {
  await using site = await openSite({ faults: WITHOUT_WELSTORY });
  for (const [query, status, none] of [
    [ONLY_WELSTORY, 503, true],
    [BOTH, 200, false],
  ] as const) {
    for (const headers of [{}, MARKDOWN]) {
      const response = await site.get(`/?q=${query}`, headers);
      expect([response.status, cacheControl(response)], query).toEqual([status, 'no-store']);
      expect(response.headers.get('retry-after')).toBe(none ? '30' : null);
      const text = await response.text();
      expect(text).toContain(MISSING);
      expect(text).not.toMatch(/[> ]찾는 식당이 없어요/);
      expect(text.includes('지금 찾아볼 수 있는 식당 중에는 맞는 곳이 없어요. 잠시')).toBe(none);
      const english = await site.text(`/?q=${query}&lang=en`, headers);
      expect(english).toContain(MISSING_EN);
      expect(english).not.toContain('No restaurant matches. ');
    }
  }
  await recovered(site);
  for (const query of [ONLY_WELSTORY, BOTH, '아무데도없는곳']) {
    const page = await site.get(`/?q=${query}`);
    expect([page.status, (await page.text()).includes('빠져 있어요')], query).toEqual([200, false]);
  }
});

test('/proxy/search: 503 when nothing matches and an operator is missing, else the array with a header field', async () => {
  await using site = await openSite({ faults: WITHOUT_WELSTORY });
  const none = await site.get(`/proxy/search?q=${ONLY_WELSTORY}`);
  expect([
    none.status,
    none.headers.get('content-type'),
    none.headers.get('retry-after'),
    cacheControl(none),
  ]).toEqual([503, 'application/problem+json', '30', 'no-store']);
  const problem = (await none.json()) as { detail: string; incomplete: { reason: string }[] };
  expect(problem.detail).toContain(`welstory not since ${SINCE}`);
  expect(problem.incomplete).toEqual([{ operator: 'welstory', reason: expect.any(String), since: SINCE }]);

  const some = await site.get(`/proxy/search?q=${BOTH}`);
  expect([some.status, cacheControl(some)]).toEqual([200, 'no-store']);
  const field = `welstory;reason="${problem.incomplete[0]?.reason}";since=@${Date.parse(SINCE) / 1000}`;
  for (const response of [none, some]) {
    expect(response.headers.get('incomplete-operators')).toMatch(
      new RegExp(`^${field.replace(/reason="[^"]*"/, 'reason="\\w+"')}$`),
    );
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-expose-headers')).toBe('Incomplete-Operators');
  }
  const found = (await some.json()) as { vendor: string }[];
  expect(new Set(found.map(({ vendor }) => vendor))).toEqual(new Set(['shinsegae']));
  expect(await (await site.get('/proxy/search?q=%20')).json()).toEqual([]);

  await recovered(site);
  const whole = await site.get(`/proxy/search?q=${BOTH}`);
  expect([whole.headers.has('incomplete-operators'), cacheControl(whole)]).toEqual([
    false,
    'public, max-age=60',
  ]);
  expect((await find(site.url, ONLY_WELSTORY)).length).toBeGreaterThan(0);
  expect(await (await site.get('/proxy/search?q=아무데도없는곳')).json()).toEqual([]);
});

test('MCP: a search names the operators that it lacks, and is no error', async () => {
  await using site = await openSite({ faults: WITHOUT_WELSTORY });
  const response = await fetch(`${site.url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search_restaurants', arguments: { query: ONLY_WELSTORY } },
    }),
  });
  const { result } = (await response.json()) as { result: object };
  expect(result).not.toHaveProperty('isError');
  expect(result).toMatchObject({
    structuredContent: { restaurants: [], incomplete: [{ operator: 'welstory', since: SINCE }] },
  });
});

test('feeds and sitemap of half a catalogue are 503 in their own medium; what was read once is used from then on', async () => {
  await using site = await openSite({ faults: WITHOUT_WELSTORY });
  const types = {
    '/rss.xml': 'application/rss+xml; charset=utf-8',
    '/sitemap.xml': 'application/problem+xml',
  };
  for (const [path, type] of Object.entries(types)) {
    const response = await site.get(path);
    expect([response.status, response.headers.get('content-type')], path).toEqual([503, type]);
    expect([response.headers.get('retry-after'), cacheControl(response)]).toEqual(['30', 'no-store']);
    expect(await response.text()).toContain('식당 목록을 아직 불러오지 못해');
  }
  expect(parseRssFeed(await site.text('/rss.xml')).title).toBe('503 일부 식당을 아직 불러오지 못했어요');

  await recovered(site);
  const wholeLength = async () => {
    const xml = await site.text('/sitemap.xml');
    return ['welstory', 'shinsegae'].map((vendor) => xml.split(`/restaurants/${vendor}/`).length - 1);
  };
  expect(await wholeLength()).toEqual([360, 240]);
  await until('the feed is there', async () => (await site.get('/rss.xml')).status === 200);
  site.sandbox.setFaults([{ fault: 'server-error' }]);
  site.passTime(DAY_MS);
  expect(await wholeLength()).toEqual([360, 240]);
  expect((await site.get('/rss.xml')).status).toBe(200);
});

test('home shows each part that can be read; one that cannot says so in its place', async () => {
  await using site = await openSite({ faults: WITHOUT_WELSTORY });
  const [first, second] = await find(site.url, BOTH, 2);
  if (first === undefined || second === undefined) throw new Error('two restaurants');
  const key = ({ vendor, id }: { vendor: string; id: string }) => `${vendor}.${encodeURIComponent(id)}`;
  const keys = [key(first), 'welstory.REST000007', key(second)];
  const cookie = { Cookie: `my=${keys.join('~')}` };
  const response = await site.get('/', cookie);
  expect([response.status, cacheControl(response)]).toEqual([200, 'no-store']);
  const html = await response.text();
  // Editing writes the list as it is shown: nothing may be lost.
  expect([...html.matchAll(/data-favourite-item="([^"]+)"/g)].map(([, item]) => item)).toEqual(keys);
  const unread = html.split('<li data-favourite-item=')[2] ?? '';
  expect(unread).toContain('REST000007');
  expect(unread).toContain('지금은 불러올 수 없는 식당이에요');
  expect(html).toContain(MISSING);
  expect(html.match(/<section class="my-meal/g)?.length).toBeGreaterThan(0);
  const markdown = await site.text('/', { ...cookie, ...MARKDOWN });
  expect(markdown).toMatch(/^- REST000007: 삼성웰스토리, 지금은 불러올 수 없는 식당이에요/m);
  expect(markdown).toContain(MISSING);
  expect(markdown).toContain(`](${site.url}${first.path})`);

  // A visitor without restaurants sees those that there are.
  const showcase = await site.main('/');
  expect(showcase).toContain(MISSING);
  expect(showcase).toContain('class="places"');
  await recovered(site);
  expect(await site.main('/')).not.toContain('빠져 있어요');
  expect(await site.text('/', cookie)).not.toContain('지금은 불러올 수 없는 식당이에요');
});

test('one of my restaurants that cannot be looked up is missed in take-out and alarms, and lost from neither', async () => {
  const maintenance: FaultRule[] = [{ fault: 'maintenance', operator: 'welstory' }];
  await using site = await openSite({ faults: maintenance });
  const [other] = await find(site.url, BOTH, 1);
  const key = `shinsegae.${encodeURIComponent(other?.id ?? '')}`;
  const gone = 'welstory.REST000007';
  for (const mine of [gone, `${gone}~${key}`]) {
    const cookie = { Cookie: `my=${mine}` };
    for (const headers of [cookie, { ...cookie, ...MARKDOWN }]) {
      const takeout = await site.get('/takeout', headers);
      expect(cacheControl(takeout)).toBe('no-store');
      const text = (await takeout.text()).replace(/<head>.*<\/head>/s, '');
      expect(text).toMatch(/REST000007.*지금은 불러올 수 없는 식당이에요/);
      expect(text).not.toMatch(/포장 메뉴가 없어요|☆를 누르면/);
      const alarm = await site.get('/alarm', headers);
      expect(cacheControl(alarm)).toBe('no-store');
      expect(await alarm.text()).toMatch(new RegExp(`/alarm\\.ics\\?at=11%3A20&(?:amp;)?r=${gone}`));
    }
  }
  // What was kept of the calendar is better than a calendar without it.
  for (const path of [
    `/alarm.ics?at=11:20&r=${gone}`,
    `/alarm.ics?at=11:20&r=${gone}&r=${key}`,
    `/alarm.ics?dish=김치&r=${gone}&r=${key}`,
    `/alarm.rss?dish=김치&r=${gone}`,
  ]) {
    const answer = await site.get(path);
    expect([path, answer.status, answer.headers.has('retry-after')]).toEqual([path, 503, true]);
  }
  const day = await site.text('/restaurants/welstory/REST000007/x/20261120');
  expect(day).toContain('운영사 점검 중');
  expect(day).not.toContain('응답하지 않아요');
  await recovered(site);
  const whole = await site.get(`/alarm.ics?at=11:20&r=${gone}&r=${key}`);
  expect(whole.status).toBe(200);
  expect(await whole.text()).toContain('R5 1식당');
});

test('a chat that answers with another restaurant says whose could not be searched', async () => {
  const kakaoSkill = 'a-path-that-nobody-guesses';
  await using site = await openSite({ faults: WITHOUT_WELSTORY, chats: { kakaoSkill } });
  await find(site.url, BOTH, 1);
  for (const utterance of [BOTH, ONLY_WELSTORY]) {
    const answer = await fetch(`${site.url}/kakao/skill/${kakaoSkill}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ userRequest: { utterance } }),
    });
    expect(await answer.text(), utterance).toContain(MISSING);
  }
});

test('Markdown of home says what could not be read where the gallery would be', async () => {
  await using site = await openSite();
  await findOne(site.url, 'R5');
  site.sandbox.setFaults([{ fault: 'server-error' }]);
  let markdown = '';
  await until('home has tried', async () => {
    markdown = await site.text('/', MARKDOWN);
    return !markdown.includes('불러오는 중이에요');
  });
  expect(markdown).toContain('메뉴가 없다는 뜻은 아니에요.');
});

test('health: 503 while nothing can be answered, 200 while questions are answered, if only from the cache', async () => {
  await using site = await openSite({ faults: [{ fault: 'server-error' }] });
  const health = async () => {
    const response = await site.get('/api/health');
    expect(cacheControl(response)).toBe('no-store');
    const body = (await response.json()) as {
      status: string;
      operators: { status: string; lastSuccessAt: string | null; retrying: object[]; circuit: object }[];
    };
    return { http: response.status, retry: response.headers.get('retry-after'), ...body };
  };
  expect(await health()).toMatchObject({ http: 503, retry: '30', status: 'down' });
  await until('it has tried by itself', async () => (await health()).operators[1]?.retrying.length === 1);
  expect((await health()).operators[1]).toEqual({
    vendor: 'shinsegae',
    status: 'down',
    lastSuccessAt: null,
    retrying: [{ what: 'restaurants', reason: 'operator_unavailable', since: SINCE }],
    needsPerson: null,
    circuit: { state: 'closed', failures: 1, retryAt: null },
  });

  site.sandbox.setFaults(WITHOUT_WELSTORY);
  await until('one operator answers', async () => {
    site.passTime(MINUTE_MS);
    return (await health()).http === 200;
  });
  const half = await health();
  expect([half.status, half.retry, ...half.operators.map(({ status }) => status)]).toEqual([
    'degraded',
    null,
    'down',
    'ok',
  ]);
  await recovered(site);
  await until('all is well', async () => (await health()).status === 'ok');

  // An outage: everything comes from the cache, which is an answer.
  const { path } = await findOne(site.url, 'R5');
  await site.get(`${path}/20261120`);
  site.sandbox.setFaults([{ fault: 'server-error' }]);
  await until('reads fail', async () => {
    site.passTime(MINUTE_MS);
    await site.get(`${path}/20261120`);
    return (await health()).status !== 'ok';
  });
  expect(await health()).toMatchObject({ http: 200, status: 'degraded' });
  expect((await site.get(`${path}/20261120`)).status).toBe(200);
});

test('a day that could not be read: no zeros, an item in its feed, and nobody keeps it', async () => {
  await using site = await openSite();
  const { path } = await findOne(site.url, 'R5');
  const day = `${path}/20261123`;
  const forms: [string, Record<string, string>][] = [
    [day, {}],
    [day, MARKDOWN],
    [`${day}?view=takeout`, {}],
    [`${day}/week`, {}],
    [`${day}/rss.xml`, {}],
    [`${day}.ics`, {}],
  ];
  site.sandbox.setFaults([{ fault: 'server-error' }]);
  for (const [form, headers] of forms) {
    const response = await site.get(form, headers);
    expect([response.status, cacheControl(response)], form).toEqual([200, 'no-store']);
  }
  const counts = async (query = '') =>
    [
      ...(await site.text(day + query)).matchAll(
        /(갤러리|매장 식사|포장|Gallery|Eat in|Takeout) <small[^>]*>([^<]+)</g,
      ),
    ].map(([, , count = '']) => count);
  expect(await counts()).toEqual(Array.from({ length: 3 }, () => '불러오지 못함'));
  expect(await counts('?lang=en')).toEqual(Array.from({ length: 3 }, () => 'not loaded'));
  const html = await site.text(day);
  expect(html).toMatch(/<meta name="description" content="[^"]*메뉴를 불러오지 못했어요/);
  expect(html).not.toContain('등록된 메뉴가 없어요');
  expect(html).not.toContain('hasMenu');
  const feed = parseRssFeed(await site.text(`${day}/rss.xml`));
  expect(feed.items?.length).toBeGreaterThan(0);
  for (const { title, description, guid } of feed.items ?? []) {
    expect(title).toMatch(/: 불러오지 못함$/);
    expect(description).toContain('메뉴가 없다는 뜻은 아니에요');
    expect(guid?.value).toMatch(/\/2026-11-23\/\d\/unread$/);
  }

  site.sandbox.setFaults([]);
  await until('the day is read', async () => {
    site.passTime(MINUTE_MS);
    return cacheControl(await site.get(day)) === 'private, max-age=60';
  });
  expect(await site.text(day)).toContain('"hasMenu"');
  expect(cacheControl(await site.get(`${day}/rss.xml`))).toBe('public, max-age=300');
  for (const count of await counts()) expect(count).toMatch(/^\d+$/);
});

test('problems of feeds and calendars are feeds and calendars', async () => {
  await using site = await openSite({ faults: WITHOUT_WELSTORY });
  const { path } = await findOne(site.url, BOTH);
  const unread = '/restaurants/welstory/REST000007/x';
  for (const [restaurant, date, status, title] of [
    [path, '20261399', 400, '날짜를 알 수 없어요'],
    ['/restaurants/shinsegae/none/x', '20261120', 404, '식당을 찾을 수 없어요'],
    [unread, '20261120', 503, '지금은 메뉴를 불러올 수 없어요'],
  ] as const) {
    const rss = await site.get(`${restaurant}/${date}/rss.xml`, { Accept: 'text/html' });
    expect([rss.status, rss.headers.get('content-type')]).toEqual([
      status,
      'application/rss+xml; charset=utf-8',
    ]);
    expect([cacheControl(rss), rss.headers.get('retry-after')]).toEqual([
      'no-store',
      status === 503 ? '30' : null,
    ]);
    const feed = parseRssFeed(await rss.text());
    expect(feed).toMatchObject({ title: `${status} ${title}`, description: expect.stringMatching(/\S/) });
    expect(feed.items ?? []).toEqual([]);

    const ics = await site.get(`${restaurant}/${date}.ics`);
    expect([ics.status, ics.headers.get('content-type')]).toEqual([status, 'text/calendar; charset=utf-8']);
    const calendar = new ICAL.Component(ICAL.parse(await ics.text()));
    expect(calendar.getFirstPropertyValue('x-wr-calname')).toBe(`${status} ${title}`);
    expect(calendar.getFirstPropertyValue('x-wr-caldesc')).toMatch(/\S/);
  }
  const english = await site.text(`${path}/20261399/rss.xml?lang=en`);
  expect(parseRssFeed(english).title).toBe('400 That is not a date');
});
