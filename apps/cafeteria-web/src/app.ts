import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { MenuError, type MenuService } from 'menu-client';
import type { MenuMcpHandler } from 'menu-mcp';
import type { Logger } from 'pino';
import type { AnswerCache } from './answers/answer-cache.ts';
import type { OriginOf } from './answers/link-origin.ts';
import type { Readings } from './answers/readings.ts';
import type { AssetLibrary } from './assets/asset-library.ts';
import type { SiteFeed } from './feeds/site-feed.ts';
import { BASE_HEADERS, RETRY_LATER } from './http/headers.ts';
import { type PageErrorName, Pages } from './http/pages.ts';
import { problem } from './http/problem.ts';
import type { PhotoProxy } from './photos/photo-proxy.ts';
import { mountAssets, mountInstallable } from './routes/assets.ts';
import { mountDay } from './routes/day.ts';
import { mountDiscovery } from './routes/discovery.ts';
import { mountFeeds } from './routes/feeds.ts';
import { mountHealth } from './routes/health.ts';
import { mountHome } from './routes/home.ts';
import { mountLimits } from './routes/limits.ts';
import { mountMenu } from './routes/menu.ts';
import { mountPhotos } from './routes/photos.ts';
import { mountRestaurant } from './routes/restaurant.ts';
import { mountSearch } from './routes/search.ts';
import { mountWeek } from './routes/week.ts';
import type { Metrics } from './running/metrics.ts';
import type { RateLimiter, RateLimits } from './running/rate-limit.ts';

/** Paths that programs ask: their errors are problem objects, not pages. */
const JSON_PATHS = /^\/(proxy|api|\.well-known)\//;

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
  readonly sampleData: boolean;
  readonly limits: RateLimits;
  /** Of `/proxy/search`. */
  readonly searchLimiter: RateLimiter;
  readonly trustProxy: boolean;
  readonly metrics: Metrics | undefined;
  readonly logger: Logger;
  readonly nowMs: () => number;
}

/** What a menu error is to a visitor; undefined: not one that a visitor can cause or wait out. */
function failureOf(error: unknown): PageErrorName | undefined {
  if (!(error instanceof MenuError)) return undefined;
  switch (error.code) {
    case 'restaurant_not_found':
      return 'restaurantNotFound';
    case 'menu_not_found':
      return 'menuNotFound';
    case 'invalid_date':
      return 'badDate';
    default:
      return error.retryable ? 'operatorDown' : undefined;
  }
}

/** The whole site; reads no environment and owns nothing that must be closed. */
export function createApp(parts: AppParts): Hono {
  const { assets, logger, metrics } = parts;
  const pages = new Pages({ ...parts, assetUrl: assets.url });
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(BASE_HEADERS)) c.header(name, value);
  });

  if (metrics !== undefined) app.use(metrics.middleware);
  mountLimits(app, { ...parts, pages });

  mountHome(app, { ...parts, pages });
  mountSearch(app, { ...parts, limiter: parts.searchLimiter });
  mountHealth(app, parts);
  // It answers every method itself, errors included, in its own protocol.
  app.all('/mcp', (c) => parts.mcp.fetch(c.req.raw));
  mountAssets(app, assets);
  mountPhotos(app, parts.photos, logger);
  mountDiscovery(app, { ...parts, pages });
  mountInstallable(app, pages, assets.url);
  mountRestaurant(app, { ...parts, pages });
  mountMenu(app, { ...parts, pages });
  mountWeek(app, { ...parts, pages });
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
    const retry = failure === 'operatorDown' ? RETRY_LATER : {};
    const requestId = randomUUID();
    if (failure === undefined) {
      logger.error({ err: error, requestId, path: c.req.path }, 'request failed');
    }
    if (!JSON_PATHS.test(c.req.path)) return pages.sendError(c, failure ?? 'internal', retry, requestId);
    const details =
      failure === 'operatorDown'
        ? {
            title: 'Service unavailable',
            status: 503,
            detail: 'The operators cannot be read now; try again later.',
          }
        : { title: 'Internal error', status: 500, detail: `Request ${requestId} failed.` };
    return problem(c, details, retry);
  });
  return app;
}
