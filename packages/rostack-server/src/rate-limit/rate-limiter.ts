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

/**
 * Takes one point: 0, or the time in ms to wait. A limiter that fails limits nobody, and is reported.
 * @param key undefined where nobody knows it: then nothing is counted
 */
export function takePoint(
  rateLimiter: RateLimiter | undefined,
  scope: RateLimitScope,
  key: string | undefined,
  onError: (error: unknown) => void,
): Awaitable<number> {
  if (rateLimiter === undefined || key === undefined) return 0;
  const spare = (error: unknown): number => {
    onError(error);
    return 0;
  };
  try {
    const waitMs = rateLimiter.consume(scope, key, 1);
    return typeof waitMs === 'number'
      ? checkWait(waitMs)
      : Promise.resolve(waitMs).then(checkWait).catch(spare);
  } catch (error) {
    return spare(error);
  }
}

/** @throws TypeError when a limiter gave no time in ms */
function checkWait(waitMs: unknown): number {
  if (typeof waitMs === 'number' && Number.isFinite(waitMs) && waitMs >= 0) return waitMs;
  throw new TypeError(`The rate limiter gave ${typeof waitMs} ${String(waitMs)} where a time in ms belongs.`);
}
