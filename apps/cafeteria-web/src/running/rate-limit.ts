import type { Context, MiddlewareHandler } from 'hono';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { type ClientAddresses, clientNetwork, contextAddresses } from './client-address.ts';
import { TrustedProxies } from './trusted-proxies.ts';

/** Answers a request over the limit; `retryAfterSeconds` is at least 1. */
export type Refusal = (c: Context, retryAfterSeconds: number) => Response | Promise<Response>;

/** Requests per minute and address, and the readings that they cause; 0 means no limit. */
export interface RateLimits {
  readonly searchPerMinute: number;
  readonly mcpPerMinute: number;
  readonly photosPerMinute: number;
  readonly readingsPerMinute: number;
}

/** Lets each network make a given number of requests a minute. */
export class RateLimiter {
  readonly #limiter: RateLimiterMemory | undefined;
  readonly #proxies: TrustedProxies;

  /**
   * @param requestsPerMinute 0 means no limit
   * @param proxies whose word on who asks is taken. @default nobody's
   */
  constructor(requestsPerMinute: number, proxies = new TrustedProxies()) {
    this.#proxies = proxies;
    if (requestsPerMinute > 0)
      this.#limiter = new RateLimiterMemory({ points: requestsPerMinute, duration: 60 });
  }

  /** Counts a request. @returns undefined when it is allowed, else the seconds to wait, at least 1 */
  async consume(addresses: ClientAddresses): Promise<number | undefined> {
    try {
      await this.#limiter?.consume(clientNetwork(addresses, this.#proxies));
      return undefined;
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      return Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    }
  }
}

export function limitRate(limiter: RateLimiter, refuse: Refusal): MiddlewareHandler {
  return async (c, next) => {
    const waitSeconds = await limiter.consume(contextAddresses(c));
    if (waitSeconds !== undefined) return refuse(c, waitSeconds);
    return next();
  };
}
