import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import {
  createMenuService,
  type Meal,
  type MealReading,
  type Menu,
  type Operator,
  OperatorError,
  systemClock,
} from 'menu-client';
import { createMenuMcpHandler } from 'menu-mcp/server';
import { pino } from 'pino';
import { AnswerCache } from '../../src/answers/answer-cache.ts';
import { createAnswerListener } from '../../src/answers/answer-listener.ts';
import { SiteFeed } from '../../src/answers/feeds/site-feed.ts';
import { linkOrigin } from '../../src/answers/link-origin.ts';
import { Readings } from '../../src/answers/readings.ts';
import { createApp } from '../../src/app.ts';
import { loadAssets } from '../../src/assets/asset-library.ts';
import { DiskCache } from '../../src/photos/disk-cache.ts';
import { PhotoProxy } from '../../src/photos/photo-proxy.ts';
import { PhotoShelf } from '../../src/photos/photo-shelf.ts';
import { siteIdentity } from '../../src/render/discovery/identity.ts';
import { feedPage } from '../../src/render/page-context.ts';
import type { ChatSecrets } from '../../src/routes/chats.ts';
import { RateLimiter, type RateLimits } from '../../src/running/rate-limit.ts';
import { ReadingLimit } from '../../src/running/reading-limit.ts';
import { LOOPBACK_PROXIES, TrustedProxies } from '../../src/running/trusted-proxies.ts';
import { ANSWER_WAIT_MS } from '../../src/running/waits.ts';

/** 11:30 of Friday, 20 November 2026 in Seoul. */
export const LUNCH_MS = Date.parse('2026-11-20T02:30:00Z');

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A menu of that name with enough side dishes that pages are worth compressing. */
export function menuNamed(name: string): Menu {
  const components = Array.from({ length: 30 }, (_, index) => ({ name: `반찬 ${index}`, main: false }));
  return { id: name, name, serving: 'take-in', soldOut: false, components };
}

export interface ReadySiteOptions {
  /** @default none */
  readonly limits?: Partial<RateLimits>;
  /** Whether the field `X-Forwarded-For` says who asks. @default false */
  readonly trustProxy?: boolean;
  /** How long pages wait, in ms. @default as long as any answer */
  readonly pageWaitMs?: number;
  /** How long any answer waits, in ms. @default that of a service */
  readonly deadlineMs?: number;
  /** @default none */
  readonly chats?: ChatSecrets;
  /** Most bytes of answers that are kept. @default 1e7 */
  readonly answerBytes?: number;
}

/** The site over one restaurant whose menus and time a test sets, behind the listener that answers what is ready. */
export async function startReadySite(options: ReadySiteOptions = {}) {
  const { trustProxy = false, chats = {}, answerBytes = 1e7, pageWaitMs = ANSWER_WAIT_MS } = options;
  const proxies = new TrustedProxies(trustProxy ? LOOPBACK_PROXIES : []);
  const limits: RateLimits = {
    searchPerMinute: 0,
    mcpPerMinute: 0,
    photosPerMinute: 0,
    readingsPerMinute: 0,
    ...options.limits,
  };
  const stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'ready-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const lunch: Meal = { code: '2', label: '점심' };
  const state = {
    nowMs: LUNCH_MS,
    meals: [lunch],
    menus: [menuNamed('김치찌개')],
    /** Menus of single meals, by code, in place of `menus`. */
    menusOf: {} as Readonly<Record<string, readonly Menu[]>>,
    /** Days without any menu, `YYYY-MM-DD`. */
    closedOn: [] as readonly string[],
    /** Codes of meals that cannot be read. */
    failing: [] as readonly string[],
    /** Readings of the restaurants wait for it. */
    listed: Promise.resolve(),
    /** Readings of days wait for it. */
    answered: Promise.resolve(),
    appCalls: 0,
  };
  const readMeal = (meal: Meal): MealReading =>
    state.failing.includes(meal.code)
      ? { ...meal, error: new OperatorError('welstory', 'operator_timeout', 'as told') }
      : { ...meal, menus: state.menusOf[meal.code] ?? state.menus };
  const nowMs = (): number => state.nowMs;
  const operator: Operator = {
    vendor: 'welstory',
    maxConcurrentRequests: 1,
    restaurants: async () => {
      await state.listed;
      const value = [
        { vendor: 'welstory', id: 'R 1', name: '강남 식당', location: ['서울', '강남'] },
      ] as const;
      return { value, droppedRows: 0 };
    },
    meals: async () => ({ value: state.meals, droppedRows: 0 }),
    day: async (_id, date) => {
      await state.answered;
      const closed = state.closedOn.includes(date);
      return {
        value: state.meals.map((meal) => (closed ? { ...meal, menus: [] } : readMeal(meal))),
        droppedRows: 0,
      };
    },
    bundleItems: async () => ({ value: [], droppedRows: 0 }),
    menuDetail: async (_id, _date, menu) => menu,
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  const readings = new Readings();
  const clock = { ...systemClock, nowMs };
  const service = stack.use(
    createMenuService({
      operators: [operator],
      clock,
      ...(options.deadlineMs === undefined ? {} : { deadlineMs: options.deadlineMs }),
      onReading: (reading) => readings.note(reading),
    }),
  );
  const assets = loadAssets();
  let url = '';
  const page = () =>
    feedPage({
      authority: 'localhost',
      origin: url,
      nowMs: nowMs(),
      sampleData: false,
      assetUrl: assets.url,
      photos: new PhotoShelf(),
    });
  const originOf = linkOrigin(undefined, () => url);
  const answers = new AnswerCache(answerBytes, nowMs, originOf);
  const app = createApp({
    service,
    assets,
    nowMs,
    readings,
    mcp: stack.use(createMenuMcpHandler(service, { exposure: 'loopback', clock: nowMs })),
    feed: stack.use(new SiteFeed({ service, nowMs, page, onError: () => {} })),
    photos: new PhotoProxy(await DiskCache.open(folder, 1e6, nowMs), { trustedOrigins: [] }),
    answers,
    metrics: undefined,
    logger: pino({ level: 'silent' }),
    originOf,
    identity: siteIdentity({}),
    chats,
    sampleData: false,
    proxies,
    pageWaitMs,
    limits,
    readingLimit: new ReadingLimit(limits.readingsPerMinute, proxies),
    searchLimiter: new RateLimiter(limits.searchPerMinute, proxies),
  });
  const appListener = getRequestListener(app.fetch);
  const listener = createAnswerListener(answers, async (incoming, outgoing) => {
    state.appCalls += 1;
    await appListener(incoming, outgoing);
  });
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing)).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  stack.defer(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  url = `http://localhost:${port}`;

  /** As it goes over the wire: nothing is decoded. */
  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> => {
    const sent = request({ port, path, method, headers: { host: `localhost:${port}`, ...headers } }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
  };
  return { ask, state, app, answers, readings, url, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
