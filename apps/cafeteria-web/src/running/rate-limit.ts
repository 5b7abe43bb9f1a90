import type { Context, MiddlewareHandler } from 'hono';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { clientNetwork } from './client-address.ts';

/** Answers a request that is one too many; `retryAfterSeconds` is at least 1. */
export type Refusal = (c: Context, retryAfterSeconds: number) => Response | Promise<Response>;

/** Lets a network make so many requests a minute; 0 is no limit. */
export function limitRate(
  requestsPerMinute: number,
  trustProxy: boolean,
  refuse: Refusal,
): MiddlewareHandler {
  if (requestsPerMinute === 0) return (_c, next) => next();
  const limiter = new RateLimiterMemory({ points: requestsPerMinute, duration: 60 });
  return async (c, next) => {
    try {
      await limiter.consume(clientNetwork(c, trustProxy));
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      return refuse(c, Math.max(1, Math.ceil(refused.msBeforeNext / 1000)));
    }
    return next();
  };
}
