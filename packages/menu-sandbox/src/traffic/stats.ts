import type { MiddlewareHandler } from 'hono';
import type { Vendor } from '../catalogue/restaurant.ts';
import type { Fault } from './fault-rule.ts';

/** What one operator has seen since the start. */
export interface OperatorStats {
  /** Requests to the API; photos are counted separately. */
  requests: number;
  /** By the operator's own path, without the query. */
  byPath: Record<string, number>;
  photos: number;
  inFlight: number;
  maxInFlight: number;
  /** Answered with an empty body because another request of the account was under way (Welstory). */
  refusedConcurrent: number;
  logins: number;
  failedLogins: number;
  /** Requests with a token that was missing, expired, revoked or of another device (Welstory). */
  refusedTokens: number;
  /** Calls that would have changed the account; a client of this project makes none (Welstory). */
  stateChanges: number;
  faults: Partial<Record<Fault, number>>;
}

export type SandboxStats = Readonly<Record<Vendor, Readonly<OperatorStats>>>;

export function createOperatorStats(): OperatorStats {
  return {
    requests: 0,
    byPath: {},
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
export function countRequests(stats: OperatorStats): MiddlewareHandler {
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
