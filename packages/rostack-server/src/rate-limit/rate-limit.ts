import type { Awaitable } from '../auth/authenticator.ts';

/**
 * What a rate is counted by: the address of the client, who it has proved to be, or the address again for failed authentications, so
 * that these take nothing from what is served there.
 */
export type RateLimitScope = 'address' | 'principal' | 'failure';

/** Counts what clients use, for HTTP requests and WebSocket sessions alike. */
export interface RateLimiter {
  /**
   * Takes points from a budget: 0 when they were granted, else the time in ms until it is worth asking again.
   * @param points at least 1
   */
  consume(scope: RateLimitScope, key: string, points: number): Awaitable<number>;
}

/** How many points may be used within a time. */
export interface RateLimitBudget {
  /** At least 1. */
  readonly points: number;
  /** Length of the window, at least 1,000 ms; it starts with the first request in it. */
  readonly windowMs: number;
}
