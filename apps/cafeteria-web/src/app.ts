import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { isFinished } from './http/finished.ts';
import { BASE_HEADERS } from './http/headers.ts';
import { menuFailure } from './http/menu-failure.ts';
import { sendErrorPage } from './http/page.ts';
import { problem } from './http/problem.ts';
import type { Site } from './http/site.ts';
import { mountAssets } from './routes/assets.ts';
import { mountDay } from './routes/day.ts';
import { mountDiscovery } from './routes/discovery.ts';
import { mountFeeds } from './routes/feeds.ts';
import { mountHealth } from './routes/health.ts';
import { mountHome } from './routes/home.ts';
import { mountInstallable } from './routes/installable.ts';
import { mountLimits } from './routes/limits.ts';
import { mountMcp } from './routes/mcp.ts';
import { mountMenu } from './routes/menu.ts';
import { mountPhotos } from './routes/photos.ts';
import { mountRestaurant } from './routes/restaurant.ts';
import { mountSearch } from './routes/search.ts';
import { mountWeek } from './routes/week.ts';

/** Paths that programs ask: their errors are problem objects, not pages. */
const JSON_PATHS = /^\/(proxy|api|\.well-known)\//;

/** The whole site over its parts; reads no environment and owns nothing that must be closed. */
export function createApp(site: Site): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    if (isFinished(c)) return;
    for (const [name, value] of Object.entries(BASE_HEADERS)) c.header(name, value);
  });

  if (site.metrics !== undefined) app.use(site.metrics.middleware);
  mountLimits(app, site);

  mountHome(app, site);
  mountSearch(app, site);
  mountHealth(app, site);
  mountMcp(app, site.mcp);
  mountAssets(app, site);
  mountPhotos(app, site);
  mountDiscovery(app, site);
  mountInstallable(app, site);
  mountRestaurant(app, site);
  mountMenu(app, site);
  mountWeek(app, site);
  mountFeeds(app, site);
  mountDay(app, site);

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
    return sendErrorPage(c, site, readOnly ? 'methodNotAllowed' : 'notFound', allow);
  });

  app.onError((error, c) => {
    const failure = menuFailure(error);
    const retry: Record<string, string> = failure === 'operatorDown' ? { 'Retry-After': '30' } : {};
    const requestId = randomUUID();
    if (failure === undefined) {
      site.logger.error({ err: error, requestId, path: c.req.path }, 'request failed');
    }
    if (!JSON_PATHS.test(c.req.path)) return sendErrorPage(c, site, failure ?? 'internal', retry, requestId);
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
