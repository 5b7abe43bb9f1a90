import type { Context, MiddlewareHandler } from 'hono';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { clientNetwork, contextAddresses } from './client-address.ts';

/** Answers a request that is one too many; `retryAfterSeconds` is at least 1. */
export type Refusal = (c: Context, retryAfterSeconds: number) => Response | Promise<Response>;

/** Lets each network make so many requests a minute. */
export class RateLimiter {
  readonly #limiter: RateLimiterMemory | undefined;

  /** @param requestsPerMinute 0 is no limit */
  constructor(requestsPerMinute: number) {
    if (requestsPerMinute > 0)
      this.#limiter = new RateLimiterMemory({ points: requestsPerMinute, duration: 60 });
  }

  /** Counts a request. @returns undefined where it is allowed, else the seconds to wait, at least 1 */
  async consume(network: string): Promise<number | undefined> {
    try {
      await this.#limiter?.consume(network);
      return undefined;
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      return Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    }
  }
}

export function limitRate(limiter: RateLimiter, trustProxy: boolean, refuse: Refusal): MiddlewareHandler {
  return async (c, next) => {
    const waitSeconds = await limiter.consume(clientNetwork(contextAddresses(c), trustProxy));
    if (waitSeconds !== undefined) return refuse(c, waitSeconds);
    return next();
  };
}
