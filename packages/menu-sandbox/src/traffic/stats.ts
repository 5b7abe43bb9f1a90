import type { MiddlewareHandler } from 'hono';
import type { Vendor } from '../catalogue/restaurant.ts';
import type { Fault } from './fault-rule.ts';

/** What one operator has seen since the start. */
export interface OperatorStats {
  /** Requests to the API; photos are counted separately. */
  requests: number;
  /** By the operator's own path, without the query. */
  byPath: Record<string, number>;
  /** Requests for menus, by restaurant, then by date. */
  byDay: Record<string, Record<string, number>>;
  /** The most requests in any 60 s. */
  maxPerMinute: number;
  /** Requests for photos. */
  photos: number;
  /** Requests to the API that have not been answered yet. */
  inFlight: number;
  /** The highest `inFlight` so far. */
  maxInFlight: number;
  /** Answered with an empty body because another request of the account was under way (Welstory). */
  refusedConcurrent: number;
  /** Logins that succeeded (Welstory). */
  logins: number;
  /** Logins with a wrong name or password, or without a device id (Welstory). */
  failedLogins: number;
  /** Requests with a token that was missing, expired, revoked or from another device (Welstory). */
  refusedTokens: number;
  /** Calls that would have changed the account; clients of this project make none (Welstory). */
  stateChanges: number;
  /** How many answers got each fault; unused faults are absent. */
  faults: Partial<Record<Fault, number>>;
}

/** What each operator has seen. */
export type SandboxStats = Readonly<Record<Vendor, Readonly<OperatorStats>>>;

export function createOperatorStats(): OperatorStats {
  return {
    requests: 0,
    byPath: {},
    byDay: {},
    maxPerMinute: 0,
    photos: 0,
    inFlight: 0,
    maxInFlight: 0,
    refusedConcurrent: 0,
    logins: 0,
    failedLogins: 0,
    refusedTokens: 0,
    stateChanges: 0,
    faults: {},
  };
}

/** Counts requests of one operator; a request is under way until it is answered. */
export function countRequests(stats: OperatorStats, clock: () => number): MiddlewareHandler {
  let times: number[] = [];
  let oldest = 0;
  return async (c, next) => {
    const nowMs = clock();
    times.push(nowMs);
    while (nowMs - (times[oldest] ?? nowMs) >= 60_000) oldest += 1;
    if (oldest > 10_000) {
      times = times.slice(oldest);
      oldest = 0;
    }
    stats.maxPerMinute = Math.max(stats.maxPerMinute, times.length - oldest);
    const [restaurant, date] = [
      c.req.query('restaurantCode') ?? c.req.query('storCd'),
      c.req.query('menuDt') ?? c.req.query('saleDt'),
    ];
    if (restaurant !== undefined && date !== undefined) {
      const days = (stats.byDay[restaurant] ??= {});
      days[date] = (days[date] ?? 0) + 1;
    }
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
