import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseRssFeed } from 'feedsmith';
import ICAL from 'ical.js';
import { createMenuService, type Menu, type Operator, type Restaurant, systemClock } from 'menu-client';
import { createMenuMcpHandler } from 'menu-mcp/server';
import { pino } from 'pino';
import { launchBrowser } from 'test-support/launch-browser';
import { expect, test } from 'vitest';
import { AnswerCache } from '../src/answers/answer-cache.ts';
import { SiteFeed } from '../src/answers/feeds/site-feed.ts';
import { Readings } from '../src/answers/readings.ts';
import { createApp } from '../src/app.ts';
import { loadAssets } from '../src/assets/asset-library.ts';
import { DiskCache } from '../src/photos/disk-cache.ts';
import { PhotoProxy } from '../src/photos/photo-proxy.ts';
import { PhotoShelf } from '../src/photos/photo-shelf.ts';
import { siteIdentity } from '../src/render/discovery/identity.ts';
import { renderDayPage } from '../src/render/html/day-page.tsx';
import { feedPage } from '../src/render/page-context.ts';
import { RateLimiter } from '../src/running/rate-limit.ts';
import { ReadingLimit } from '../src/running/reading-limit.ts';
import { TrustedProxies } from '../src/running/trusted-proxies.ts';
import { until } from './support/process.ts';
import { LUNCH_MS } from './support/running.ts';
import { TAKEOUT } from './support/takeout.ts';

const EVIL =
  '"><script>window.hacked=1</script><img src=x onerror="window.hacked=1">\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\n# [x](javascript:alert(1)) ]]> </script> \u202E\u0000 `*_';
const SLACK = 'signing secret';
const RESTAURANT: Restaurant = {
  vendor: 'welstory',
  id: 'E"><b>1',
  name: `강남 ${EVIL}`,
  nameEn: EVIL,
  location: [EVIL],
};
const MENU: Menu = {
  id: 'A"1',
  name: EVIL,
  nameEn: `en ${EVIL}`,
  corner: EVIL,
  serving: 'take-out',
  soldOut: false,
  components: [
    { name: `side ${EVIL}`, main: false, nutrition: { caloriesKcal: 1 } },
    { name: `soup ${EVIL}`, main: false, nutrition: { caloriesKcal: 2 } },
  ],
  nutrition: { caloriesKcal: 100 },
  photo: { url: `javascript:alert("${EVIL}")` },
};
const BUNDLE: Menu = {
  ...MENU,
  id: `bundle ${EVIL}`,
  serving: 'take-out',
  bundle: {
    status: 'ok',
    items: [{ id: `item ${EVIL}`, name: `item ${EVIL}`, nutrition: { caloriesKcal: 1 } }],
  },
};
const operator: Operator = {
  vendor: 'welstory',
  maxConcurrentRequests: 1,
  restaurants: async () => ({ value: [RESTAURANT], droppedRows: 0 }),
  meals: async () => ({ value: [{ code: '2', label: EVIL }], droppedRows: 0 }),
  day: async () => ({ value: [{ code: '2', label: EVIL, menus: [MENU, BUNDLE] }], droppedRows: 0 }),
  bundleItems: async () => ({ value: [], droppedRows: 0 }),
  menuDetail: async (_id, _date, menu) => menu,
  close: async () => {},
  [Symbol.asyncDispose]: async () => {},
};

async function hostileSite() {
  const folder = await mkdtemp(join(tmpdir(), 'hostile-'));
  const stack = new AsyncDisposableStack();
  stack.defer(() => rm(folder, { recursive: true }));
  let now = LUNCH_MS;
  const nowMs = (): number => now;
  const service = stack.use(createMenuService({ operators: [operator], clock: { ...systemClock, nowMs } }));
  const assets = loadAssets();
  const origin = 'https://menu.example.org';
  const page = () =>
    feedPage({
      authority: 'localhost',
      origin,
      nowMs: nowMs(),
      sampleData: false,
      assetUrl: assets.url,
      photos: new PhotoShelf(),
    });
  const app = createApp({
    service,
    assets,
    nowMs,
    mcp: stack.use(createMenuMcpHandler(service, { exposure: 'public' })),
    feed: stack.use(new SiteFeed({ service, nowMs, page, onError: () => {} })),
    photos: new PhotoProxy(await DiskCache.open(folder, 1e6, nowMs), { trustedOrigins: [] }),
    answers: new AnswerCache(1e7, nowMs, () => origin),
    readings: new Readings(),
    metrics: undefined,
    logger: pino({ level: 'silent' }),
    originOf: () => origin,
    identity: siteIdentity({}),
    chats: { slackSigning: SLACK },
    sampleData: false,
    proxies: new TrustedProxies(),
    pageWaitMs: 60_000,
    limits: { searchPerMinute: 0, mcpPerMinute: 0, photosPerMinute: 0, readingsPerMinute: 0 },
    readingLimit: new ReadingLimit(0, new TrustedProxies()),
    searchLimiter: new RateLimiter(0),
  });
  const [found] = (await (await app.request('/proxy/search?q=강남')).json()) as {
    path: string;
    name: string;
  }[];
  const read = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
    const response = await app.request(path, { headers });
    expect(response.status, path).toBe(200);
    return response.text();
  };
  return {
    app,
    read,
    path: found?.path ?? '',
    page,
    service,
    passTime: (ms: number) => {
      now += ms;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

test('operator text makes no links and mentions nobody in Slack', async () => {
  await using site = await hostileSite();
  const body = new URLSearchParams({ text: '강남 점심' }).toString();
  const timestamp = String(Math.floor(LUNCH_MS / 1_000));
  const mac = createHmac('sha256', SLACK).update(`v0:${timestamp}:${body}`).digest('hex');
  const response = await site.app.request('/slack/command', {
    method: 'POST',
    headers: { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${mac}` },
    body,
  });
  const answer = JSON.stringify(await response.json());
  const texts = [...answer.matchAll(/"type":"mrkdwn","text":("(?:[^"\\]|\\.)*")/g)].map(([, text]) =>
    String(JSON.parse(text ?? '""')),
  );
  expect(texts.join('\n')).toContain('&lt;script&gt;');
  for (const text of texts)
    expect(text.replace(/^<https:\/\/menu\.example\.org\/[^|<>]*\|[^|<>]*>$/, '')).not.toMatch(/[<>]/);
});

test('operator text with markup runs nowhere in HTML, JSON-LD included', async () => {
  await using site = await hostileSite();
  await using browser = await launchBrowser();
  const context = await browser.newContext({ serviceWorkers: 'block' });
  for (const path of [
    '/',
    '/?q=강남',
    `${site.path}/20261120`,
    `${site.path}/20261120?view=take-in`,
    `${site.path}/20261120?view=takeout`,
    `${site.path}/20261120/week`,
    `${site.path}/20261120/month`,
    '/alarm',
    `${site.path}/20261120/menus/${encodeURIComponent(MENU.id)}`,
  ]) {
    // My restaurants are the hostile one too.
    const html = await site.read(path, { Cookie: `my=welstory.${encodeURIComponent(RESTAURANT.id)}` });
    // It is on the page, as text.
    expect(html, path).toContain('&lt;script&gt;window.hacked=1');
    const page = await context.newPage();
    // No policy here: the text must be harmless without one.
    await page.setContent(html, { waitUntil: 'domcontentloaded' });
    expect(await page.evaluate('window.hacked'), path).toBeUndefined();
    expect(await page.locator('img[src="x"], a[href^="javascript"], main script').count(), path).toBe(0);
    const graph = await page.locator('script[type="application/ld+json"]').allTextContents();
    for (const data of graph) expect(JSON.parse(data)).toHaveProperty('@context');
    expect(graph.join('').includes('hacked'), path).toBe(/\/20261120(\?|$)/.test(path));
    // What links are previewed with: text, one line, no control that turns its direction.
    const previews = await page.evaluate<string[]>(
      `[document.title, ...[...document.querySelectorAll('head meta[content]')].map((meta) => meta.content)]`,
    );
    for (const preview of previews) expect(/\p{Cf}|\p{Cc}/u.test(preview), preview).toBe(false);
    const shown = (await page.locator('body').textContent()) ?? '';
    expect(/[\u202a-\u202e\u2066-\u2069\0]/.test(shown), path).toBe(false);
    await page.close();
  }
});

test('nor does it become markup in Markdown, RSS, iCalendar or the discovery files', async () => {
  await using site = await hostileSite();
  for (const path of [
    '/?q=강남',
    `${site.path}/20261120`,
    `${site.path}/20261120/week`,
    `${site.path}/20261120/month`,
    `${site.path}/20261120/menus/${encodeURIComponent(MENU.id)}`,
  ]) {
    const markdown = await site.read(path, { Accept: 'text/markdown' });
    expect(markdown).not.toMatch(/(?<!\\)<(script|img)|(?<!\\)\]\(javascript|^BEGIN:|^# \[x/m);
    expect(markdown).toContain(String.raw`\<script>`);
    expect(/\p{Cf}|\0/u.test(markdown)).toBe(false);
  }
  // Keeps the seven days that the feed of all is made from.
  await site.read(`${site.path}/20261120/week`);
  // The copy that is at hand may be older than that; it is made again when it is old enough.
  site.passTime(600_000);
  const days = async () => (await site.read('/rss.xml')).match(/<item>/g)?.length ?? 0;
  await until('the feed has the week', async () => (await days()) === 7);
  for (const path of [`${site.path}/20261120/rss.xml`, '/rss.xml']) {
    const xml = await site.read(path);
    expect(/\p{Cf}|\0/u.test(xml)).toBe(false);
    const { items = [] } = parseRssFeed(xml);
    // The feed of all has every day of the week, so the hostile menus are in both.
    expect(items.length, path).toBe(path === '/rss.xml' ? 7 : 1);
    for (const { title = '', description = '', link = '', guid } of items) {
      const tags = [...description.matchAll(/<\/?([a-z]+)[^>]*>/gi)].map(([tag]) => tag);
      const list = path === '/rss.xml' ? [] : ['<ul>', '</ul>', '<li>', '</li>', '<br/>'];
      expect(new Set(tags)).toEqual(new Set([...list, '<b>', '</b>']));
      // Readers show the title as text or as HTML: it has no tag either way.
      expect(description).toContain('&lt;script&gt;window.hacked=1&lt;/script&gt;');
      expect(title).not.toMatch(/[\r\n]/);
      expect(link).toMatch(/^https:\/\/menu\.example\.org\/restaurants\/welstory\/[\w%-]+\/[^<>"]+$/);
      expect(guid?.value).toMatch(/^tag:[^\s<>"]+$/);
    }
  }
  const events = new ICAL.Component(
    ICAL.parse(await site.read(`${site.path}/20261120.ics`)),
  ).getAllSubcomponents('vevent');
  expect(events).toHaveLength(1);
  expect(new ICAL.Event(events[0] as ICAL.Component).summary).toContain('BEGIN:VEVENT');
  for (const path of ['/llms.txt', '/openapi.json', '/sitemap.xml', '/robots.txt']) {
    expect(await site.read(path)).not.toMatch(/<script|javascript:|window\.hacked/);
  }
});

test('the day page renders from the value alone, with any photo address', async () => {
  await using site = await hostileSite();
  const day = await site.service.dailyMenu('welstory', RESTAURANT.id, '2026-11-20');
  const html = renderDayPage(site.page(), {
    day,
    view: 'gallery',
    nowMs: LUNCH_MS,
    takeout: TAKEOUT,
    jsonLd: {},
  });
  const image = /<img src="(\/img\/[^"]+)"/.exec(html)?.[1] ?? '';
  expect((await site.app.request(image)).status).toBe(404);
});
