import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { until } from './support/process.ts';
import { type Answer, menuNamed, startReadySite } from './support/ready-site.ts';

const RESTAURANT = '/restaurants/welstory/R%201/%EA%B0%95%EB%82%A8-%EC%8B%9D%EB%8B%B9';
const DAY = `${RESTAURANT}/20261120`;
const GZIP = { 'accept-encoding': 'gzip' };
const MARKDOWN = { accept: 'text/markdown' };
const ENGLISH = { 'accept-language': 'en' };

const textOf = ({ headers, body }: Answer): string =>
  (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString('utf8');
/** What of an answer must not depend on who gave it. */
const comparable = ({ status, headers, body }: Answer) => ({
  status,
  headers: { ...headers, date: 'then' },
  body: body.toString('latin1'),
});

test.each<[path: string, headers: Record<string, string>]>([
  [DAY, GZIP],
  [DAY, { ...GZIP, ...MARKDOWN }],
  [DAY, { ...GZIP, ...ENGLISH }],
  [`${DAY}?view=takeout`, GZIP],
  [`${DAY}?view=take-in&lang=en`, GZIP],
  [`${DAY}/week`, GZIP],
  [`${DAY}/rss.xml`, GZIP],
  [`${DAY}.ics`, GZIP],
  [`${RESTAURANT}/calendar.ics`, GZIP],
  ['/rss.xml', GZIP],
  ['/', GZIP],
  ['/proxy/search?q=%EA%B0%95%EB%82%A8', {}],
  ['/proxy/search?q=nothing+is+called+so', {}],
])(
  '%s %o is answered again without the app, as the app did: GET, HEAD and 304 (%#)',
  async (path, headers) => {
    await using site = await startReadySite();
    // The first visitor has the operator read, the next one is answered from what was read.
    await site.ask(path, headers);
    const first = await site.ask(path, headers);
    expect(first.status).toBe(200);
    const asked = site.state.appCalls;
    const again = await site.ask(path, headers);
    expect(comparable(again)).toEqual(comparable(first));
    const head = await site.ask(path, headers, 'HEAD');
    expect(comparable(head)).toEqual({ ...comparable(first), body: '' });
    const known = await site.ask(path, { ...headers, 'if-none-match': `"x", ${first.headers.etag}` });
    expect(site.state.appCalls).toBe(asked);

    const {
      'content-type': _type,
      'content-length': _length,
      'content-encoding': _encoding,
      ...kept
    } = first.headers;
    expect(comparable(known)).toMatchObject({ status: 304, body: '' });
    expect(Object.keys(known.headers).sort()).toEqual(Object.keys(kept).sort());
  },
);

test('each form of a page has its own bytes, and those who take no gzip get the same text', async () => {
  await using site = await startReadySite();
  const forms = [
    GZIP,
    { ...GZIP, ...MARKDOWN },
    { ...GZIP, ...ENGLISH },
    { ...GZIP, ...MARKDOWN, ...ENGLISH },
  ];
  for (const form of [...forms, ...forms]) await site.ask(DAY, form);
  const asked = site.state.appCalls;
  const answers = await Promise.all(forms.map((form) => site.ask(DAY, form)));
  expect(site.state.appCalls).toBe(asked);
  expect(answers.map(({ headers }) => `${headers['content-type']} ${headers['content-language']}`)).toEqual([
    'text/html; charset=utf-8 ko',
    'text/markdown; charset=utf-8 ko',
    'text/html; charset=utf-8 en',
    'text/markdown; charset=utf-8 en',
  ]);
  expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(4);
  for (const { headers } of answers) expect(headers.vary).toBe('Accept, Accept-Language, Accept-Encoding');
  const plain = await site.ask(DAY, MARKDOWN);
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(textOf(plain)).toBe(textOf(answers[1] as Answer));
  const feed = await site.ask('/rss.xml');
  expect(textOf(feed)).toBe(textOf(await site.ask('/rss.xml', GZIP)));
});

test('a new reading is shown by the next request, in every form', async () => {
  await using site = await startReadySite();
  const forms: [string, Record<string, string>][] = [
    [DAY, GZIP],
    [DAY, { ...GZIP, ...MARKDOWN }],
    [DAY, { ...GZIP, ...ENGLISH }],
    [`${DAY}/week`, GZIP],
    [`${DAY}/rss.xml`, GZIP],
    [`${DAY}.ics`, GZIP],
  ];
  const before = await Promise.all(forms.map(([path, headers]) => site.ask(path, headers)));
  for (const answer of before) expect(textOf(answer)).toContain('김치찌개');
  site.state.menus = [menuNamed('된장찌개')];
  site.state.nowMs += 16 * 60_000;
  // The first visitor after a quarter of an hour has it read again, and sees what is there meanwhile.
  const unchanged = site.readings.ofRestaurant('welstory', 'R 1');
  expect(textOf(await site.ask(DAY, GZIP))).toContain('김치찌개');
  await until('it is read', async () => !unchanged());
  for (const [at, [path, headers]] of forms.entries()) {
    const answer = await site.ask(path, { ...headers, 'if-none-match': String(before[at]?.headers.etag) });
    expect(answer.status, path).toBe(200);
    expect(textOf(answer), path).toContain('된장찌개');
  }
});

test('the meal of now moves on at its time', async () => {
  await using site = await startReadySite();
  site.state.nowMs = Date.parse('2026-11-20T04:59:50Z');
  const now = /id="meal-2-name"[^>]*>[^<]*<span class="tag now">/;
  expect(textOf(await site.ask(DAY, GZIP))).toMatch(now);
  site.state.nowMs = Date.parse('2026-11-20T15:00:05Z');
  expect(textOf(await site.ask(DAY, GZIP))).not.toMatch(now);
});

test('the next meal is the one of now when its time comes, of the same day and the same reading', async () => {
  await using site = await startReadySite();
  site.state.meals = [
    { code: '2', label: '점심' },
    { code: '3', label: '저녁' },
  ];
  const now = async (path: string): Promise<readonly string[]> => {
    const html = textOf(await site.ask(path, GZIP));
    return [...html.matchAll(/id="meal-(\d)-name"[^>]*>[^<]*<span class="tag now">/g)].map(
      ([, code = '']) => code,
    );
  };
  // Lunch is over at two.
  const overMs = Date.parse('2026-11-20T05:00:00Z');
  site.state.nowMs = overMs - 20_000;
  // The first visitor has the operator read.
  await site.ask(DAY, GZIP);
  const before = await site.ask(DAY, GZIP);
  const lunch = await now(DAY);
  site.state.nowMs = overMs - 1;
  expect(await now(DAY)).toEqual(lunch);
  const unchanged = site.readings.ofAll();
  site.state.nowMs = overMs;
  expect([lunch, await now(DAY)]).toEqual([['2'], ['3']]);
  const known = await site.ask(DAY, { ...GZIP, 'if-none-match': String(before.headers.etag) });
  expect([known.status, unchanged()]).toEqual([200, true]);
});

test('the feed of all has links at the name that it was asked for by, however many names there are', async () => {
  await using site = await startReadySite();
  await site.ask(DAY, GZIP);
  const { port } = new URL(site.url);
  const names = ['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${port}`);
  // In turns, and again, so that each follows each.
  for (const host of [...names, ...names.toReversed(), ...names]) {
    const feed = textOf(await site.ask('/rss.xml', { ...GZIP, host }));
    const hosts = new Set(
      [...feed.matchAll(/https?:\/\/[^/"<\s]+/g)].map(([origin]) => new URL(origin).host),
    );
    expect([...hosts].filter((each) => each.endsWith(`:${port}`))).toEqual([host]);
  }
});

test.each(['ics', 'rss'])('an alarm (%s) is kept by nobody until every day ahead was read', async (file) => {
  await using site = await startReadySite();
  const path = `/alarm.${file}?${new URLSearchParams({ dish: '김치찌개', r: 'welstory.R 1' }).toString()}`;
  const kept = async () => (await site.ask(path)).headers['cache-control'];
  await site.ask(DAY);
  expect(await kept()).toBe('no-store');
  await site.ask(`${DAY}/week`);
  expect(await kept()).toBe('public, max-age=300');
});

test('a page with my restaurants is never ready, neither for others nor from others', async () => {
  await using site = await startReadySite();
  const cookie = { ...GZIP, cookie: 'my=welstory.R%25201' };
  const common = await site.ask('/', GZIP);
  const mine = await site.ask('/', { ...GZIP, cookie: 'my=welstory.R%201' });
  expect(textOf(mine)).toContain('data-favourite-item');
  expect(mine.headers['cache-control']).toBe('private, no-cache');
  expect(textOf(common)).not.toContain('data-favourite-item');
  expect(textOf(await site.ask('/', GZIP))).toBe(textOf(common));
  const asked = site.state.appCalls;
  await site.ask('/', cookie);
  expect(site.state.appCalls).toBe(asked + 1);
  const picked = await site.ask(`${DAY}?view=takeout&pick=2.x`, GZIP);
  expect(picked.status).toBe(200);
  await site.ask(`${DAY}?view=takeout&pick=2.x`, GZIP);
  expect(site.state.appCalls).toBe(asked + 3);
});

test('what is ready counts towards the limit of searches', async () => {
  await using site = await startReadySite({ limits: { searchPerMinute: 3 } });
  const path = '/proxy/search?q=%EA%B0%95%EB%82%A8';
  const statuses: number[] = [];
  for (let count = 0; count < 5; count += 1) statuses.push((await site.ask(path)).status);
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  const refused = await site.ask(path);
  expect(refused.headers['content-type']).toBe('application/problem+json');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
});

test('nothing is ready for another method or an address that is spelled otherwise; a foreign host changes no link', async () => {
  await using site = await startReadySite();
  for (let count = 0; count < 2; count += 1) await site.ask(DAY, GZIP);
  const asked = site.state.appCalls;
  await site.ask(DAY, GZIP);
  expect(site.state.appCalls).toBe(asked);
  expect((await site.ask(DAY, GZIP, 'POST')).status).toBe(405);
  const foreign = await site.ask(DAY, { ...GZIP, host: 'evil.example' });
  expect(textOf(foreign)).not.toContain('evil.example');
  expect((await site.ask(DAY, { ...GZIP, host: 'no host' })).status).toBe(400);
  const spelled = await site.ask(DAY.replace('%EA', '%ea'), GZIP);
  expect(spelled.status).toBe(200);
  expect(textOf(spelled)).toContain(`${site.url}${DAY}`);
  expect(site.state.appCalls).toBe(asked + 3);
});

test('memory is bounded: what was pushed out is rendered again', async () => {
  await using site = await startReadySite({ answerBytes: 40_000 });
  for (let day = 1; day <= 28; day += 1) {
    const answer = await site.ask(`${RESTAURANT}/202611${String(day).padStart(2, '0')}`, GZIP);
    expect(answer.status).toBe(200);
    expect(site.answers.sizeBytes).toBeLessThanOrEqual(40_000);
  }
  const asked = site.state.appCalls;
  expect((await site.ask(`${RESTAURANT}/20261101`, GZIP)).status).toBe(200);
  expect(site.state.appCalls).toBe(asked + 1);
});

test('a week shows the meal that was chosen by its code, also one of an operator of its own', async () => {
  await using site = await startReadySite();
  site.state.meals = [
    { code: '2', label: '중식' },
    { code: 'late-brunch', label: '브런치' },
  ];
  site.state.menusOf = { '2': [menuNamed('비빔밥')], 'late-brunch': [menuNamed('팬케이크')] };
  const chosen = async (query: string) => {
    const page = textOf(await site.ask(`${DAY}/week${query}`));
    return [...page.matchAll(/<a [^>]*href="[^"]*[?&]meal=[^"]*"[^>]*aria-current="page"[^>]*>([^<]+)/g)].map(
      ([, label]) => label,
    );
  };
  expect(await chosen('')).toEqual(['중식']);
  expect(await chosen('?meal=late-brunch')).toEqual(['브런치']);
});
