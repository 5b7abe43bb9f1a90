import { startSandbox } from 'menu-sandbox';
import { ASKED_DATES, NO_DATES } from 'test-support/asked-dates';
import { expect, test, vi } from 'vitest';
import { expectNotModified, find, findOne, type Item, startTestCafeteria } from './support/running.ts';
import { sharedCafeteria } from './support/shared.ts';

const site = sharedCafeteria();
const MARKDOWN = { Accept: 'text/markdown' };
const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(site.url + path, { headers, redirect: 'manual' });

test('search answers the documented members, in both vendors, and refuses what it cannot take', async () => {
  const found = await find(site.url, '강남', 50);
  expect(new Set(found.map((item) => item.vendor))).toEqual(new Set(['welstory', 'shinsegae']));
  for (const item of found) {
    expect(Object.keys(item).sort()).toEqual(['id', 'location', 'name', 'path', 'vendor']);
    expect([item.name, ...item.location].join(' ')).toContain('강남');
  }
  expect(await find(site.url, '  ')).toEqual([]);
  expect(await find(site.url, 'R5', 1)).toHaveLength(1);
  for (const query of ['', 'q=' + 'a'.repeat(101), 'q=a&limit=0', 'q=a&limit=51', 'q=a&limit=x']) {
    const refused = await get(`/proxy/search?${query}`);
    expect(refused.status, query).toBe(400);
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    expect(await refused.json()).toMatchObject({ status: 400, detail: expect.stringMatching(/q|limit/) });
  }
});

test('the undated path leads to the day of Seoul, another slug to the right one', async () => {
  const { path } = await findOne(site.url, '강남');
  const today = '20261120';
  const undated = await get(path);
  expect([undated.status, undated.headers.get('location')]).toEqual([302, `${path}/${today}`]);
  expect(undated.headers.get('cache-control')).toBe('no-store');
  expect(undated.headers.get('vary')).toBe('Accept');

  const wrong = path.replace(/[^/]+$/, 'wrong');
  const moved = await get(`${wrong}/20261120?view=takeout`);
  expect([moved.status, moved.headers.get('location')]).toEqual([308, `${path}/20261120?view=takeout`]);
  const picked = await get(`${path}?date=2026-11-20&view=take-in`);
  expect([picked.status, picked.headers.get('location')]).toEqual([302, `${path}/20261120?view=take-in`]);
  for (const [text, date] of ASKED_DATES) {
    const named = await get(`${path}?${new URLSearchParams({ date: text }).toString()}`);
    expect(named.headers.get('location'), text).toBe(`${path}/${date.replaceAll('-', '')}`);
  }
  for (const text of NO_DATES) {
    const refused = await get(`${path}?${new URLSearchParams({ date: text }).toString()}`);
    expect([refused.status, refused.headers.get('location')], text).toEqual([400, null]);
  }
});

test('a search for a place on a day leads to that day, also where dishes are not searched', async () => {
  const path = (await findOne(site.url, 'R5')).path;
  for (const [query, day] of [
    ['R5 내일', '20261121'],
    ['R5 어제', '20261119'],
    ['R5 12.1 점심', '20261201'],
  ] as const) {
    const asked = `/?${new URLSearchParams({ q: query }).toString()}`;
    const found = await get(asked);
    expect([found.status, await found.text()], query).toEqual([
      200,
      expect.stringContaining(`href="${path}/${day}"`),
    ]);
    expect(await (await get(asked, MARKDOWN)).text()).toContain(`${path}/${day})`);
  }
  const unread = await (await get('/?q=R5+모레')).text();
  expect(unread).toContain('지금까지 불러온 메뉴 중에는 없어요.');
  expect(unread).not.toContain('이 메뉴가 나오는 곳이 없어요.');
  const note = '메뉴 이름은 오늘부터 7일 동안만 찾을 수 있어요. 찾지 않은 날: 2026년 11월 19일 목요일';
  for (const headers of [{}, MARKDOWN])
    expect(await (await get('/?q=R5+어제', headers)).text()).toContain(note);
  const nowhere = /<h1.*<\/main>/s.exec(await (await get('/?q=없는말+어제')).text())?.[0];
  expect(nowhere).toContain(note);
  expect(nowhere).toContain('찾는 식당이 없어요.');
  expect(nowhere).not.toContain('찾는 식당이나 메뉴가 없어요.');
  expect(await (await get('/?q=R5+작년+12월+25일')).text()).toContain(`href="${path}"`);
  expect((await get('/?q=R5&date=20261119')).status).toBe(400);
});

test('the search understands what people write around what they look for', async () => {
  const names = async (query: string) => (await find(site.url, query, 50)).map(({ path }) => path);
  const gangnam = await names('강남');
  expect(gangnam.length).toBeGreaterThan(5);
  for (const query of ['강남 구내식당', '강남역', '강남 뭐 먹지', '강남 내일점심', '“강남”', '강\u200b남'])
    expect(await names(query), query).toEqual(gangnam);
  for (const query of ['R5 점심', 'R5에서', 'Ｒ５ 메뉴'])
    expect(await names(query), query).toEqual(await names('R5'));
  expect(new Set(await names('Pangyo'))).toEqual(new Set(await names('판교')));
  expect(await names('도움말')).toEqual([]);
  for (const headers of [{}, MARKDOWN])
    expect(
      await (await get(`/?${new URLSearchParams({ q: '도움말' }).toString()}`, headers)).text(),
    ).toContain('식당 이름이나 위치를 적어 주세요. 예: R5 오늘 점심');
  const page = await (await get(`/?${new URLSearchParams({ q: '강남역 구내식당' }).toString()}`)).text();
  expect(page).toMatch(/<mark>강남<\/mark>/);
});

test('an id with a comma and a space works in every path', async () => {
  await using sandbox = await startSandbox();
  const name = sandbox.restaurants.find(({ id }) => id.includes(', '))?.name ?? '';
  const item = (await find(site.url, name)).find(({ id }) => id.includes(', '));
  expect(item?.path).toContain('%2C%20');
  for (const rest of [
    '/20261120',
    '/20261120/rss.xml',
    '/20261120.ics',
    '/20261120/week',
    '/20261120/month',
  ]) {
    expect((await get(`${item?.path}${rest}`)).status).toBe(200);
  }
});

test.each([
  ['/restaurants/nobody/1/x/20261120', 404],
  ['/restaurants/welstory/none/x/20261120', 404],
  ['/no-such-page', 404],
  ['/?q=' + 'a'.repeat(101), 400],
])('%s is a page of its own with status %i, as Markdown too', async (path, status) => {
  const html = await get(path);
  expect([html.status, html.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
  const markdown = await get(path, MARKDOWN);
  expect([markdown.status, markdown.headers.get('content-type')]).toEqual([
    status,
    'text/markdown; charset=utf-8',
  ]);
  expect(await markdown.text()).toMatch(new RegExp(`^# ${status} `));
});

test('a date that no calendar has is 400, an unknown view too', async () => {
  const { path } = await findOne(site.url, '강남');
  for (const rest of [
    '/20260230',
    '/2026112',
    '/today',
    '/20260230/week',
    '/20260230/rss.xml',
    '/20261399.ics',
    '/20261120?view=x',
  ]) {
    expect((await get(path + rest)).status, rest).toBe(400);
  }
});

test('both forms of a page carry Vary, their own ETag, 304 and HEAD', async () => {
  const { path } = await findOne(site.url, '강남');
  const url = `${path}/20261120`;
  // The page names its photo once that is known to be there, and is another page from then on.
  await vi.waitFor(async () => expect(await (await get(url)).text()).toContain('property="og:image"'));
  const html = await get(url);
  const markdown = await get(url, MARKDOWN);
  expect(html.headers.get('link')).toContain('rel="alternate"; type="text/markdown"');
  expect(html.headers.get('link')).toContain('rel="api-catalog"');
  expect(Number(markdown.headers.get('x-markdown-tokens'))).toBeGreaterThan(50);
  expect(html.headers.get('etag')).not.toBe(markdown.headers.get('etag'));
  for (const [response, headers] of [
    [html, {}],
    [markdown, MARKDOWN],
  ] as const) {
    expect(response.headers.get('vary')).toMatch(/^Accept,/);
    // A shared cache that ignores Vary would give one form to those who asked for the other.
    expect(response.headers.get('cache-control')).toMatch(/^private,/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    await expectNotModified(site.url + url, headers);
    const head = await fetch(site.url + url, { method: 'HEAD', headers });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-type')).toBe(response.headers.get('content-type'));
  }
});

test('no route but MCP takes anything but GET and HEAD', async () => {
  for (const path of ['/', '/proxy/search?q=a', '/api/health', '/rss.xml']) {
    const refused = await fetch(site.url + path, { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')], path).toEqual([405, 'GET, HEAD']);
  }
});

test('a Host header changes no link; English is a language of its own', async () => {
  const { path } = await findOne(site.url, '강남');
  const { request } = await import('node:http');
  const day = `${path}/20261120`;
  for (const address of [
    day,
    `${day}/week`,
    `${day}/rss.xml`,
    `${day}.ics`,
    path,
    '/rss.xml',
    '/llms.txt',
    '/sitemap.xml',
    '/.well-known/api-catalog',
    '/.well-known/mcp/server-card.json',
    '/none',
  ]) {
    const spoofed = await new Promise<string>((resolve, reject) => {
      request(site.url + address, { headers: { Host: 'evil.example' } }, (response) => {
        let body = JSON.stringify(response.headers);
        response.on('data', (chunk: Buffer) => (body += chunk.toString()));
        response.on('end', () => resolve(body));
      })
        .on('error', reject)
        .end();
    });
    expect(spoofed.length, address).toBeGreaterThan(200);
    expect(spoofed, address).not.toContain('evil.example');
  }
  await using published = await startTestCafeteria({ publicUrl: 'https://menu.example.org' });
  for (const headers of [{}, { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' }]) {
    for (const address of [
      '/',
      `${path}/20261120`,
      '/llms.txt',
      '/robots.txt',
      '/sitemap.xml',
      '/openapi.json',
    ]) {
      const text = await (await fetch(published.url + address, { headers })).text();
      expect(text, address).toContain('https://menu.example.org');
      expect(text, address).not.toMatch(/localhost|127\.0\.0\.1|evil\.example/);
    }
  }
  const english = await (await get('/', { 'Accept-Language': 'en-GB,en;q=0.9' })).text();
  expect(english).toContain('<html lang="en">');
  expect(await (await get('/?lang=en&q=R5')).text()).toMatch(/href="\/restaurants\/[^"]+\?lang=en"/);
});

test('my restaurants come from the cookie, in its order, and are not kept for others', async () => {
  const [a, b] = await find(site.url, '강남', 2);
  const key = (item: Item | undefined): string => `${item?.vendor}.${encodeURIComponent(item?.id ?? '')}`;
  const response = await get('/', { Cookie: `my=${key(b)}~nobody.1~${key(a)}` });
  expect(response.headers.get('cache-control')).toBe('private, no-cache');
  const html = await response.text();
  expect(html.indexOf(`data-favourite-item="${key(b)}"`)).toBeGreaterThan(0);
  expect(html.indexOf(`data-favourite-item="${key(a)}"`)).toBeGreaterThan(
    html.indexOf(`data-favourite-item="${key(b)}"`),
  );
  expect(await (await get('/')).text()).not.toContain('data-favourite-item');
});

test('my restaurants show a meal as cards; day, meal, sort and filter work by address and are remembered', async () => {
  const mine = (await find(site.url, '강남', 3)).map(
    ({ vendor, id }) => `${vendor}.${encodeURIComponent(id)}`,
  );
  const Cookie = `my=${mine.join('~')}`;
  const cookieOf = (response: Response, name: string): string | undefined =>
    response.headers.getSetCookie().find((each) => each.startsWith(`${name}=`));
  const plain = await get('/', { Cookie });
  expect(plain.headers.getSetCookie()).toEqual([]);
  expect([plain.headers.get('vary'), plain.headers.get('cache-control')]).toEqual([
    'Accept, Accept-Language, Cookie, Accept-Encoding',
    'private, no-cache',
  ]);
  const html = await plain.text();
  const groups = (text: string): string[] => text.split('<section class="my-meal">').slice(1);
  expect(groups(html)).toHaveLength(3);
  for (const group of groups(html)) {
    expect(group).toMatch(/<ul class="strip" [^>]*><li class="card[^>]* data-dish/);
    // What is taken away is folded behind what is eaten there.
    const [before = ''] = group.split('<details class="takeouts">');
    expect(before).not.toContain('class="tag out"');
  }
  expect(html).toMatch(/<details class="takeouts"><summary>포장 \d+개<\/summary>/);
  const named = (text: string): string => /<summary><h2>(.*?)<\/h2>/.exec(text)?.[1] ?? '';
  expect(named(html)).toBe('오늘 점심');

  const dinner = await get('/?date=20261121&meal=3', { Cookie });
  const until = cookieOf(dinner, 'meal');
  expect(until).toMatch(/^meal=20261120\.20261121\.3; Path=\/; Max-Age=\d+; SameSite=Lax; HttpOnly$/);
  // Until midnight.
  expect(Number(/Max-Age=(\d+)/.exec(until ?? '')?.[1])).toBeLessThan(44_000);
  expect(named(await dinner.text())).toBe('내일 저녁');
  expect(named(await (await get('/', { Cookie: `${Cookie}; meal=20261120.20261121.3` })).text())).toBe(
    '내일 저녁',
  );
  expect(named(await (await get('/', { Cookie: `${Cookie}; meal=20261119.20261120.3` })).text())).toBe(
    '오늘 점심',
  );
  expect(cookieOf(await get('/?meal=now', { Cookie }), 'meal')).toContain('Max-Age=0');
  // A script that keeps the page ahead chooses nothing.
  const ahead = await get('/?meal=3', { Cookie, 'Sec-Fetch-Dest': 'empty' });
  expect(ahead.headers.getSetCookie()).toEqual([]);

  const kcals = (text: string): number[] =>
    groups(text).map((group) => Number(/<p class="energy">([\d,]+) kcal/.exec(group)?.[1]?.replace(',', '')));
  const sorted = await get('/?sort=kcal-high', { Cookie });
  expect(cookieOf(sorted, 'look')).toMatch(
    /^look=kcal-high%0A%0A%0A%0A; Path=\/; Max-Age=31536000; SameSite=Lax; HttpOnly$/,
  );
  const best = kcals(await sorted.text());
  expect(best).toEqual(best.toSorted((a, b) => b - a));
  const remembered = await (await get('/', { Cookie: `${Cookie}; look=kcal-high%0A%0A%0A%0A` })).text();
  expect(kcals(remembered)).toEqual(best);
  expect(remembered).toMatch(/aria-current="true">열량 높은순/);

  const words = await (
    await get(`/?${new URLSearchParams({ words: '김치' }).toString()}`, { Cookie })
  ).text();
  const cards = words.match(/<li class="card.*?<\/li>/gs) ?? [];
  expect(cards.length).toBeGreaterThan(0);
  for (const card of cards) expect(card).toContain('김치');
  const none = await (await get('/?words=zzz&noextras=1', { Cookie })).text();
  expect(none).toContain('조건에 맞는 메뉴가 없어요');
  expect(none).toContain('정렬 · 거름');
  const forgotten = await get('/?sort=', { Cookie });
  expect(cookieOf(forgotten, 'look')).toContain('Max-Age=0');
  expect(await (await get('/', { Cookie, Accept: 'text/markdown' })).text()).toMatch(/^### \[.*\n\n- \*\*/m);
  // A visitor without restaurants has nothing to sort, and is told nothing to keep.
  expect((await get('/?sort=protein&meal=3')).headers.getSetCookie()).toEqual([]);
});

test('an English page says in English where a restaurant is, if its operator does', async () => {
  const { path, location } = (await find(site.url, '신세계 강남', 1))[0] ?? { path: '', location: [] };
  const place = (html: string): string => /<p class="place">.*?<\/p>/s.exec(html)?.[0] ?? '';
  expect(place(await (await get(`${path}/20261120?lang=en`)).text())).not.toMatch(/[가-힣]/);
  const korean = place(await (await get(`${path}/20261120`)).text());
  for (const each of location) expect(korean).toContain(each);
});

test('a month shows the lunches of the days that are known, and asks no operator for the others', async () => {
  const { path } = await findOne(site.url, 'R5');
  await get(`${path}/20261116`);
  const month = async () =>
    /<ol class="month".*<\/ol>/s.exec(await (await get(`${path}/20261120/month`)).text())?.[0];
  await vi.waitFor(async () => expect(await month()).not.toContain('class="is-today unknown"'));
  const days = [...((await month()) ?? '').matchAll(/<li(?: class="([^"]*)")?>(.*?)<\/li>/gs)];
  expect(days).toHaveLength(30);
  expect(days[0]?.[1]).toBe('starts-6 unknown');
  // One that was read before, one that is read with the week, and one that nobody asked for.
  expect(days[15]?.[2]).toMatch(/<p>/);
  expect(days[22]?.[2]).toMatch(/<p>/);
  expect(days[10]?.[1]).toBe('unknown');
  for (const far of ['20251120', '20271120']) expect((await get(`${path}/${far}/month`)).status).toBe(404);
});
