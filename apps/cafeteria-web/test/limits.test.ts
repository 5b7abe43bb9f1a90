import { expect, test } from 'vitest';
import { startReadySite } from './support/ready-site.ts';

type Budget = 'searches' | 'pages' | 'mcp' | 'photos';

interface Asked {
  /** What the requests for it count towards; undefined: they are not counted. */
  readonly budget: Budget | undefined;
  readonly path: string;
}

const RESTAURANT = '/restaurants/welstory/R%201/%EA%B0%95%EB%82%A8-%EC%8B%9D%EB%8B%B9';
const uncounted = (path: string): Asked => ({ budget: undefined, path });

/** Every route of the site. What costs an operator or this machine much is counted for each network. */
const ROUTES: Readonly<Record<string, readonly Asked[]>> = {
  'GET /': [uncounted('/'), { budget: 'pages', path: '/?q=a' }],
  'GET /search': [uncounted('/search?q=a')],
  'GET /takeout': [uncounted('/takeout')],
  'GET /alarm': [{ budget: 'pages', path: '/alarm?dish=a' }],
  'GET /alarm.ics': [{ budget: 'pages', path: '/alarm.ics?dish=a&r=welstory.R%201' }],
  'GET /alarm.rss': [{ budget: 'pages', path: '/alarm.rss?dish=a&r=welstory.R%201' }],
  'GET /proxy/search': [{ budget: 'searches', path: '/proxy/search?q=a' }],
  'GET /proxy/dishes': [{ budget: 'searches', path: '/proxy/dishes?q=a' }],
  'ALL /mcp': [
    { budget: 'mcp', path: '/mcp' },
    { budget: 'mcp', path: '/mcp/' },
  ],
  'GET /img/:vendor/:width/:address': [{ budget: 'photos', path: '/img/welstory/480/x' }],
  'GET /img/:vendor/:id/:date/:menu': [{ budget: 'photos', path: '/img/welstory/R%201/20261120/x' }],
  'GET /restaurants/:vendor/:id/:slug/:date/menus/:menu': [
    { budget: 'pages', path: `${RESTAURANT}/20261120/menus/x` },
  ],
  // Whoever asks them has to prove who it is.
  'POST /kakao/skill/:secret': [uncounted('/kakao/skill/secret')],
  'POST /slack/command': [uncounted('/slack/command')],
  // What these have the operators read has a limit of its own.
  'GET /restaurants/:vendor/:id': [uncounted('/restaurants/welstory/R%201')],
  'GET /restaurants/:vendor/:id/:slug': [uncounted(RESTAURANT)],
  'GET /restaurants/:vendor/:id/:slug/rss.xml': [uncounted(`${RESTAURANT}/rss.xml`)],
  'GET /restaurants/:vendor/:id/:slug/week': [uncounted(`${RESTAURANT}/week`)],
  'GET /restaurants/:vendor/:id/:slug/calendar.ics': [uncounted(`${RESTAURANT}/calendar.ics`)],
  'GET /restaurants/:vendor/:id/:slug/:file{[^/]+\\.ics}': [uncounted(`${RESTAURANT}/20261120.ics`)],
  'GET /restaurants/:vendor/:id/:slug/:date': [uncounted(`${RESTAURANT}/20261120`)],
  'GET /restaurants/:vendor/:id/:slug/:date/week': [uncounted(`${RESTAURANT}/20261120/week`)],
  'GET /restaurants/:vendor/:id/:slug/:date/month': [uncounted(`${RESTAURANT}/20261120/month`)],
  'GET /restaurants/:vendor/:id/:slug/:date/rss.xml': [uncounted(`${RESTAURANT}/20261120/rss.xml`)],
  // What is at hand anyway.
  ...Object.fromEntries(
    [
      '/api/health',
      '/assets/index.json',
      '/service-worker.js',
      '/favicon.ico',
      '/manifest.webmanifest',
      '/offline',
      '/privacy',
      '/rss.xml',
      '/sitemap.xml',
      '/llms.txt',
      '/robots.txt',
      '/openapi.json',
      '/server.json',
      '/mcp/server-card',
      '/.well-known/api-catalog',
      '/.well-known/mcp/server-card.json',
      '/.well-known/ard.json',
      '/.well-known/ai-catalog.json',
      '/.well-known/agent-skills/index.json',
      '/.well-known/agent-skills/find-cafeteria-menu/SKILL.md',
      '/.well-known/agent-skills/cafeteria-menu-tools/SKILL.md',
    ].map((path) => [`GET ${path}`, [uncounted(path)]]),
  ),
  'GET /assets/:file': [uncounted('/assets/none')],
};

const LIMIT = 3;

/** Every request is of the network that a test names. */
async function startLimited(limit = LIMIT) {
  const site = await startReadySite({
    trustProxy: true,
    chats: { kakaoSkill: 'secret', slackSigning: 'secret' },
    limits: { searchPerMinute: limit, mcpPerMinute: limit, photosPerMinute: limit },
  });
  return {
    routes: site.app.routes,
    ask: async (path: string, network: string, method = 'GET'): Promise<Response> =>
      site.app.request(path, { method, headers: { host: 'localhost', 'x-forwarded-for': network } }),
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}

const rows = Object.entries(ROUTES).flatMap(([route, each]) =>
  each.map((asked) => ({ ...asked, method: route.startsWith('GET') ? 'GET' : 'POST' })),
);
const counted = rows.filter(({ budget }) => budget !== undefined);

test('each route of the site is in this table', async () => {
  await using limited = await startLimited();
  const isMiddleware = (method: string, path: string) =>
    path.includes('*') || (method === 'ALL' && path !== '/mcp');
  const mounted = limited.routes
    .filter(({ method, path }) => !isMiddleware(method, path))
    .map(({ method, path }) => `${method} ${path}`);
  expect([...new Set(mounted)].sort()).toEqual(Object.keys(ROUTES).sort());
});

test.each(counted)(
  '$method $path is answered up to its limit, then refused until it is time',
  async ({ path, method }) => {
    await using limited = await startLimited();
    const { ask } = limited;
    for (let count = 1; count <= LIMIT; count += 1)
      expect((await ask(path, '192.0.2.1', method)).status, `request ${count}`).not.toBe(429);
    const refused = await ask(path, '192.0.2.1', method);
    const waitSeconds = Number(refused.headers.get('retry-after'));
    expect([refused.status, waitSeconds >= 1 && waitSeconds <= 60]).toEqual([429, true]);
    expect((await ask(path, '192.0.2.2', method)).status).not.toBe(429);
  },
);

test('routes of one kind share a limit, those of another kind have their own', async () => {
  for (const first of counted) {
    await using limited = await startLimited(1);
    await limited.ask(first.path, '192.0.2.1', first.method);
    const others = Map.groupBy(counted, ({ budget }) => budget);
    for (const [budget, [other]] of others) {
      if (other === undefined || other === first) continue;
      const { status } = await limited.ask(other.path, '192.0.2.1', other.method);
      expect(status === 429, `${first.path}, then ${other.path}`).toBe(budget === first.budget);
    }
  }
});

test('the other routes are not limited by the number of requests', async () => {
  await using limited = await startLimited(1);
  for (const { path, method } of rows.filter(({ budget }) => budget === undefined))
    for (let count = 0; count < 3; count += 1)
      expect((await limited.ask(path, '192.0.2.1', method)).status, path).not.toBe(429);
});

test('a limit of 0 is none', async () => {
  await using limited = await startLimited(0);
  for (const { path, method } of counted)
    for (let count = 0; count < 5; count += 1)
      expect((await limited.ask(path, '192.0.2.1', method)).status, path).not.toBe(429);
});
