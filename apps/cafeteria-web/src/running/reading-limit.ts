import { AsyncLocalStorage } from 'node:async_hooks';
import type { MiddlewareHandler } from 'hono';
import { MenuError } from 'menu-client';
import { type ClientAddresses, contextAddresses } from './client-address.ts';
import { RateLimiter } from './rate-limit.ts';

interface Asking {
  readonly addresses: ClientAddresses;
  /** Set once a reading was refused. */
  waitSeconds?: number;
}

/** Lets the requests of each network cause so many readings of menus a minute; answers from the cache are not counted. */
export class ReadingLimit {
  readonly #limiter: RateLimiter;
  readonly #asking = new AsyncLocalStorage<Asking>();

  /**
   * @param readingsPerMinute 0 is no limit
   * @param trustProxy whether the address that a proxy names is believed
   */
  constructor(readingsPerMinute: number, trustProxy: boolean) {
    this.#limiter = new RateLimiter(readingsPerMinute, trustProxy);
  }

  /** Remembers whose request causes what is read from here on. */
  readonly middleware: MiddlewareHandler = (c, next) =>
    this.#asking.run({ addresses: contextAddresses(c) }, next);

  /** What no request causes is admitted. @throws MenuError `too_many_readings` */
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

  /** Seconds to wait where the present request was refused a reading. */
  get waitSeconds(): number | undefined {
    return this.#asking.getStore()?.waitSeconds;
  }
}
