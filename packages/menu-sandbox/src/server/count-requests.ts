import type { MiddlewareHandler } from 'hono';
import type { SandboxEnv } from './bindings.ts';
import type { OperatorStats } from './stats.ts';

/** Counts requests of one operator; a request is under way until it is answered. */
export function countRequests(stats: OperatorStats): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    const path = c.req.path.slice(c.req.path.indexOf('/', 1));
    stats.requests += 1;
    stats.byPath[path] = (stats.byPath[path] ?? 0) + 1;
    stats.inFlight += 1;
    stats.maxInFlight = Math.max(stats.maxInFlight, stats.inFlight);
    try {
      await next();
    } finally {
      stats.inFlight -= 1;
    }
  };
}
