import type { Hono } from 'hono';
import type { Pages } from '../answers/http/pages.ts';
import { problem } from '../answers/http/problem.ts';
import { limitRate, RateLimiter, type RateLimits } from '../running/rate-limit.ts';
import type { TrustedProxies } from '../running/trusted-proxies.ts';

interface Parts {
  readonly pages: Pages;
  readonly limits: RateLimits;
  /** Of `/proxy/search` and `/proxy/dishes`. */
  readonly searchLimiter: RateLimiter;
  readonly proxies: TrustedProxies;
}

/** Where the MCP endpoint is: addresses are often written with a slash at the end. */
export const MCP_PATHS = ['/mcp', '/mcp/'] as const;

/** Each path refuses in its own protocol. */
export function mountLimits(app: Hono, { pages, limits, searchLimiter, proxies }: Parts): void {
  const searches = limitRate(searchLimiter, (c, seconds) =>
    problem(
      c,
      { title: 'Too many requests', status: 429, detail: `Ask again in ${seconds} s.` },
      { 'Retry-After': String(seconds) },
    ),
  );
  for (const path of ['/proxy/search', '/proxy/dishes']) app.use(path, searches);
  const searchPage = limitRate(new RateLimiter(limits.searchPerMinute, proxies), (c, seconds) =>
    pages.sendError(c, 'tooMany', { 'Retry-After': String(seconds) }),
  );
  app.use('/', (c, next) => (c.req.query('q') === undefined ? next() : searchPage(c, next)));
  for (const path of ['/alarm', '/alarm.ics', '/alarm.rss']) app.use(path, searchPage);
  // Each menu costs its operator two requests the first time it is asked for.
  app.use('/restaurants/:vendor/:id/:slug/:date/menus/:menu', searchPage);
  const mcp = limitRate(new RateLimiter(limits.mcpPerMinute, proxies), (_c, seconds) =>
    Response.json(
      {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32_000, message: `Too many requests: ask again in ${seconds} s.` },
      },
      { status: 429, headers: { 'Retry-After': String(seconds) } },
    ),
  );
  for (const path of MCP_PATHS) app.use(path, mcp);
  app.use(
    '/img/*',
    limitRate(
      new RateLimiter(limits.photosPerMinute, proxies),
      (_c, seconds) => new Response(null, { status: 429, headers: { 'Retry-After': String(seconds) } }),
    ),
  );
}
