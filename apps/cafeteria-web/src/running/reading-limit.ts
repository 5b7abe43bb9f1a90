import { AsyncLocalStorage } from 'node:async_hooks';
import type { MiddlewareHandler } from 'hono';
import { MenuError } from 'menu-client';
import { type ClientAddresses, contextAddresses } from './client-address.ts';
import { RateLimiter } from './rate-limit.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

interface Asking {
  readonly addresses: ClientAddresses;
  /** Set once a reading was refused. */
  waitSeconds?: number;
}

/** Lets each network's requests cause a given number of menu readings a minute; answers from the cache do not count. */
export class ReadingLimit {
  readonly #limiter: RateLimiter;
  readonly #asking = new AsyncLocalStorage<Asking>();

  /**
   * @param readingsPerMinute 0 means no limit
   * @param proxies whose word on who asks is taken
   */
  constructor(readingsPerMinute: number, proxies: TrustedProxies) {
    this.#limiter = new RateLimiter(readingsPerMinute, proxies);
  }

  /** Remembers which client causes the readings from here on. */
  readonly middleware: MiddlewareHandler = (c, next) =>
    this.#asking.run({ addresses: contextAddresses(c) }, next);

  /** Readings that no request causes are always admitted. @throws MenuError `too_many_readings` */
  readonly admit = async (): Promise<void> => {
    const asking = this.#asking.getStore();
    if (asking === undefined) return;
    const waitSeconds = await this.#limiter.consume(asking.addresses);
    if (waitSeconds === undefined) return;
    asking.waitSeconds = waitSeconds;
    throw new MenuError('too_many_readings', 'This address asked for too much that had to be read first.', {
      retryAfterMs: waitSeconds * 1000,
    });
  };

  /** Seconds to wait, if the current request was refused a reading. */
  get waitSeconds(): number | undefined {
    return this.#asking.getStore()?.waitSeconds;
  }
}
