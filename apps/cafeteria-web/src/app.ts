import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { firstCause, MenuError, type MenuService } from 'menu-client';
import type { MenuMcpHandler } from 'menu-mcp/server';
import type { Logger } from 'pino';
import type { AnswerCache } from './answers/answer-cache.ts';
import type { SiteFeed } from './answers/feeds/site-feed.ts';
import { countFavourites } from './answers/http/favourites.ts';
import { BASE_HEADERS, RETRY_LATER, RETRY_SOON } from './answers/http/headers.ts';
import { type PageErrorName, Pages } from './answers/http/pages.ts';
import { type ProblemDetails, problem } from './answers/http/problem.ts';
import type { OriginOf } from './answers/link-origin.ts';
import type { Readings } from './answers/readings.ts';
import type { AssetLibrary } from './assets/asset-library.ts';
import type { PhotoProxy } from './photos/photo-proxy.ts';
import type { SiteIdentity } from './render/discovery/identity.ts';
import { feedPage } from './render/page-context.ts';
import { mountAlarms } from './routes/alarms.ts';
import { mountAssets, mountInstallable } from './routes/assets.ts';
import { type ChatSecrets, mountChats } from './routes/chats.ts';
import { mountDiscovery } from './routes/discovery.ts';
import { mountDishes } from './routes/dishes.ts';
import { mountHealth } from './routes/health.ts';
import { mountHome } from './routes/home/home.ts';
import { MCP_PATHS, mountLimits } from './routes/limits.ts';
import { mountPhotos } from './routes/photos.ts';
import { mountDay } from './routes/restaurant/day.ts';
import { mountFeeds } from './routes/restaurant/feeds.ts';
import { mountMenu } from './routes/restaurant/menu.ts';
import { mountMonth } from './routes/restaurant/month.ts';
import { mountRestaurant } from './routes/restaurant/restaurant.ts';
import { mountTakeout } from './routes/restaurant/takeout.ts';
import { mountWeek } from './routes/restaurant/week.ts';
import { mountSearch } from './routes/search.ts';
import type { Metrics } from './running/metrics.ts';
import type { RateLimiter, RateLimits } from './running/rate-limit.ts';
import type { ReadingLimit } from './running/reading-limit.ts';
import type { TrustedProxies } from './running/trusted-proxies.ts';

/** Paths for programs: their errors are problem objects, not pages. */
const JSON_PATHS = /^\/(?:(?:proxy|api|\.well-known)\/|mcp(?:\/|$))/;

/** What the app is composed of. */
export interface AppParts {
  readonly service: MenuService;
  readonly mcp: MenuMcpHandler;
  readonly assets: AssetLibrary;
  readonly photos: PhotoProxy;
  readonly feed: SiteFeed;
  readonly answers: AnswerCache;
  readonly readings: Readings;
  readonly originOf: OriginOf;
  readonly identity: SiteIdentity;
  readonly sampleData: boolean;
  readonly chats: ChatSecrets;
  readonly limits: RateLimits;
  readonly readingLimit: ReadingLimit;
  /** Of `/proxy/search` and `/proxy/dishes`. */
  readonly searchLimiter: RateLimiter;
  readonly proxies: TrustedProxies;
  readonly metrics: Metrics | undefined;
  readonly logger: Logger;
  readonly nowMs: () => number;
  /** How long a page may wait for what has to be read first, in ms. */
  readonly pageWaitMs: number;
}

/** The error page for a menu error; undefined when a visitor can neither cause it nor wait for it to pass. */
function failureOf(error: unknown): PageErrorName | undefined {
  if (!(error instanceof MenuError)) return undefined;
  switch (error.code) {
    case 'restaurant_not_found':
      return 'restaurantNotFound';
    case 'menu_not_found':
      return 'menuNotFound';
    case 'invalid_date':
      return 'badDate';
    case 'date_out_of_range':
      return 'dateOutOfRange';
    case 'too_many_readings':
      return 'tooMany';
    case 'catalogue_unavailable':
      // Without a cause: nothing has failed, the first answer is on its way.
      return error.cause === undefined ? 'catalogueLoading' : 'operatorDown';
    default:
      return error.retryable ? 'operatorDown' : undefined;
  }
}

/** What can go wrong on the paths for programs. */
const PROBLEMS: Readonly<Partial<Record<PageErrorName, ProblemDetails>>> = {
  operatorDown: {
    title: 'Service unavailable',
    status: 503,
    detail: 'The operators cannot be read now; try again later.',
  },
  catalogueLoading: {
    title: 'Service unavailable',
    status: 503,
    detail: 'The list of restaurants is being read for the first time; try again in a moment.',
  },
  tooMany: {
    title: 'Too many requests',
    status: 429,
    detail: 'Too many menus were asked for that had to be read first; Retry-After says when to ask again.',
  },
  dateOutOfRange: {
    title: 'No menus of this date',
    status: 404,
    detail: 'Operators have menus of the last 60 and the next 30 days.',
  },
};

function internal(requestId: string): ProblemDetails {
  return { title: 'Internal error', status: 500, detail: `Request ${requestId} failed.` };
}

/** Why the operator could not be read: the first cause, not that its restaurants are therefore unknown. */
function reasonOf(error: Error, failure: PageErrorName | undefined): { readonly reason?: string } {
  if (failure !== 'operatorDown' || !(error instanceof MenuError)) return {};
  return { reason: firstCause(error).code };
}

function retryAfter(failure: PageErrorName, error: Error): Readonly<Record<string, string>> {
  const waitMs = error instanceof MenuError && failure === 'tooMany' ? error.retryAfterMs : undefined;
  if (waitMs !== undefined) return { 'Retry-After': String(Math.ceil(waitMs / 1000)) };
  if (failure === 'catalogueLoading') return RETRY_SOON;
  return failure === 'operatorDown' ? RETRY_LATER : {};
}

/** The whole site; reads no environment and owns nothing that must be closed. */
export function createApp(parts: AppParts): Hono {
  const { assets, logger, metrics } = parts;
  const pages = new Pages({ ...parts, assetUrl: assets.url, lookAtPhotos: () => parts.photos.shelf.look() });
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    // To look into its header fields would rebuild an answer that has them all.
    if (c.get('isRendered') === true) return;
    // With c.header, each of them would rebuild the whole response, body included.
    for (const [name, value] of Object.entries(BASE_HEADERS)) c.res.headers.set(name, value);
  });

  if (metrics !== undefined) app.use(metrics.middleware);
  mountLimits(app, { ...parts, pages });
  // Before the reading limit: chat platforms ask for all their users from a few addresses, and prove who they are.
  mountChats(app, {
    ...parts,
    feedPage: () =>
      feedPage({
        origin: parts.originOf(undefined),
        authority: parts.identity.authority,
        nowMs: parts.nowMs(),
        sampleData: parts.sampleData,
        assetUrl: assets.url,
        photos: parts.photos.shelf,
      }),
  });
  app.use(parts.readingLimit.middleware);
  app.on('GET', ['/', '/takeout', '/alarm', '/restaurants/*'], countFavourites(parts.service));

  mountHome(app, { ...parts, pages });
  mountSearch(app, { ...parts, limiter: parts.searchLimiter });
  mountDishes(app, parts);
  mountAlarms(app, { ...parts, pages });
  mountTakeout(app, { ...parts, pages });
  mountHealth(app, parts);
  // It answers every method itself, errors included, in its own protocol.
  app.on('ALL', [...MCP_PATHS], async (c) => {
    const answer = await parts.mcp.fetch(c.req.raw);
    const { waitSeconds } = parts.readingLimit;
    if (waitSeconds === undefined) return answer;
    const headers = new Headers(answer.headers);
    headers.set('Retry-After', String(waitSeconds));
    return new Response(answer.body, { status: 429, headers });
  });
  app.post('/mcp/*', (c) =>
    problem(c, { title: 'Not found', status: 404, detail: 'The MCP endpoint is at /mcp.' }),
  );
  mountAssets(app, assets);
  mountPhotos(app, parts);
  mountDiscovery(app, { ...parts, pages });
  mountInstallable(app, pages, assets.url);
  mountRestaurant(app, { ...parts, pages });
  mountMenu(app, { ...parts, pages });
  mountWeek(app, { ...parts, pages });
  mountMonth(app, { ...parts, pages });
  mountFeeds(app, { ...parts, pages });
  mountDay(app, { ...parts, pages });

  app.notFound((c) => {
    const readOnly = c.req.method !== 'GET' && c.req.method !== 'HEAD';
    const allow: Record<string, string> = readOnly ? { Allow: 'GET, HEAD' } : {};
    if (JSON_PATHS.test(c.req.path)) {
      const details = readOnly
        ? { title: 'Method not allowed', status: 405, detail: 'This service is read-only: use GET.' }
        : {
            title: 'Not found',
            status: 404,
            detail: 'Nothing is at this path; /openapi.json lists what is.',
          };
      return problem(c, details, allow);
    }
    return pages.sendError(c, readOnly ? 'methodNotAllowed' : 'notFound', allow);
  });

  app.onError((error, c) => {
    const failure = failureOf(error);
    const retry = failure === undefined ? {} : retryAfter(failure, error);
    const requestId = randomUUID();
    if (failure === undefined) {
      logger.error({ err: error, requestId, path: c.req.path }, 'request failed');
    }
    if (!JSON_PATHS.test(c.req.path))
      return pages.sendError(c, failure ?? 'internal', retry, { requestId, ...reasonOf(error, failure) });
    return problem(c, PROBLEMS[failure ?? 'internal'] ?? internal(requestId), retry);
  });
  return app;
}
