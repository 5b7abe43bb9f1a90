import type { Awaitable } from '../auth/authenticator.ts';

/**
 * What a rate is counted by: the client's address, its principal, or for failed authentications the address again, so that these use up
 * nothing that other requests from that address need.
 */
export type RateLimitScope = 'address' | 'principal' | 'failure';

/** Counts what clients use, for HTTP requests and WebSocket sessions alike. */
export interface RateLimiter {
  /**
   * Takes points from a budget. Returns 0 if they were granted, else the time in ms until it is worth asking again.
   * @param points at least 1
   */
  consume(scope: RateLimitScope, key: string, points: number): Awaitable<number>;
}

/** How many points may be used in a window of time. */
export interface RateLimitBudget {
  /** At least 1. */
  readonly points: number;
  /** Length of the window, at least 1,000 ms; it starts with the first request in it. */
  readonly windowMs: number;
}
