import type { RateLimiter } from '../rate-limit/index.ts';

/** The same limiter, which rejects instead of throwing, and where it gives no time in ms. */
export function guardRateLimiter(rateLimiter: RateLimiter): RateLimiter {
  return {
    async consume(scope, key, points) {
      const waitMs: unknown = await rateLimiter.consume(scope, key, points);
      if (typeof waitMs === 'number' && Number.isFinite(waitMs) && waitMs >= 0) return waitMs;
      throw new TypeError(
        `The rate limiter gave ${typeof waitMs} ${String(waitMs)} where a time in ms belongs.`,
      );
    },
  };
}
