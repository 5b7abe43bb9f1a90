import type { Awaitable } from '../auth/authenticator.ts';
import { LeasedQuota } from './leased-quota.ts';
import type { RateLimitBudget, RateLimiter, RateLimitScope } from './rate-limit.ts';
import type { Lease, LeaseRequest, SharedCounters } from './shared-counters.ts';

/** The longest that a request waits for the counters; then this process counts alone. */
const MAX_WAIT_MS = 500;
/** How often counters that did not answer are asked again. */
const ASK_AGAIN_MS = 1_000;
/** The most keys in one call to the counters. */
const MAX_ASKED = 1_000;
/** How often shares are checked for ones that have ended or are idle. */
const SWEEP_MS = 1_000;

export interface SharedRateLimiterOptions {
  readonly counters: SharedCounters;
  readonly budgets: Readonly<Record<RateLimitScope, RateLimitBudget>>;
  readonly onAlone: (error: unknown) => void;
  readonly onShared: () => void;
}

/**
 * Counts together with other servers. It leases parts of a budget from the shared counters and grants requests from these, so that few
 * requests wait for the counters. Only one call to the counters runs at a time, for all keys that need points.
 */
export class SharedRateLimiter implements RateLimiter {
  readonly #options: SharedRateLimiterOptions;
  readonly #shares: Readonly<Record<RateLimitScope, Map<string, LeasedQuota>>> = {
    address: new Map(),
    principal: new Map(),
    failure: new Map(),
  };
  readonly #sweep: NodeJS.Timeout;
  /** Shares to ask for next, each with the function that settles its `asking`. */
  readonly #next = new Map<LeasedQuota, () => void>();
  #sending: Promise<void> | undefined;
  #isAlone = false;
  #askAgainMs = 0;
  #isClosed = false;
  #closing: Promise<void> | undefined;

  constructor(options: SharedRateLimiterOptions) {
    this.#options = options;
    this.#sweep = setInterval(() => {
      void this.#giveBack((share, nowMs) => share.isIdle(nowMs));
    }, SWEEP_MS).unref();
  }

  consume(scope: RateLimitScope, key: string, points: number): Awaitable<number> {
    const nowMs = performance.now();
    const share = this.#shareOf(scope, key, nowMs);
    share.usedMs = nowMs;
    if (share.take(points)) {
      if (share.isLow && !this.#isAlone) void this.#ask(share);
      return 0;
    }
    const waitMs = share.waitMs(nowMs);
    if (waitMs !== undefined) {
      if (share.looksAgain(nowMs)) void this.#ask(share);
      return waitMs;
    }
    if (!this.#isAlone) return this.#consumeLater(share, key, points);
    if (nowMs >= this.#askAgainMs) void this.#ask(share);
    return share.countAlone(points, nowMs);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweep);
    await this.#sending;
    await this.#giveBack(() => true);
  }

  #shareOf(scope: RateLimitScope, key: string, nowMs: number): LeasedQuota {
    const shares = this.#shares[scope];
    const present = shares.get(key);
    if (present !== undefined && !present.hasEnded(nowMs)) return present;
    const share = new LeasedQuota(scope, key, this.#options.budgets[scope], nowMs, present);
    shares.set(key, share);
    return share;
  }

  async #consumeLater(share: LeasedQuota, key: string, points: number): Promise<number> {
    share.waiting += points;
    await this.#ask(share);
    share.waiting -= points;
    return this.consume(share.scope, key, points);
  }

  /** Resolves when the counters have answered for the share, or have not in time. */
  #ask(share: LeasedQuota): Promise<void> {
    if (share.asking !== undefined) return share.asking;
    if (this.#isClosed) {
      this.#isAlone = true;
      return Promise.resolve();
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    share.asking = promise;
    this.#next.set(share, () => {
      if (share.asking === promise) share.asking = undefined;
      resolve();
    });
    // Deferred, so that other requests of this turn go with it.
    this.#sending ??= Promise.resolve().then(() => this.#send());
    return promise;
  }

  async #send(): Promise<void> {
    while (this.#next.size > 0) {
      const asked = new Map([...this.#next].slice(0, MAX_ASKED));
      for (const share of asked.keys()) this.#next.delete(share);
      const release = () => {
        for (const settle of asked.values()) settle();
      };
      const timer = setTimeout(() => {
        this.#goAlone(new Error(`The shared counters did not answer within ${MAX_WAIT_MS} ms.`));
        release();
      }, MAX_WAIT_MS);
      try {
        await this.#lease([...asked.keys()]);
        this.#goTogether();
      } catch (error) {
        this.#goAlone(error);
      }
      clearTimeout(timer);
      release();
    }
    this.#sending = undefined;
  }

  async #lease(shares: readonly LeasedQuota[]): Promise<void> {
    const requests = shares.map((share): LeaseRequest => {
      const { scope, key, budget } = share;
      return { scope, key, budget, ...share.request() };
    });
    const sentMs = performance.now();
    const leases: readonly Lease[] = await this.#options.counters.lease(requests);
    const receivedMs = performance.now();
    shares.forEach((share, index) => {
      const [request, lease] = [requests[index], leases[index]];
      if (request === undefined || lease === undefined || !isLease(lease))
        throw new TypeError('The shared counters returned something other than a lease for each request.');
      share.answer(request, lease, sentMs, receivedMs);
    });
  }

  #goAlone(error: unknown): void {
    this.#askAgainMs = performance.now() + ASK_AGAIN_MS;
    // Requests that wait for the next call are decided now, and reported when the counters answer again.
    for (const settle of this.#next.values()) settle();
    this.#next.clear();
    if (this.#isAlone) return;
    this.#isAlone = true;
    this.#options.onAlone(error);
  }

  #goTogether(): void {
    if (!this.#isAlone) return;
    this.#isAlone = false;
    this.#options.onShared();
    for (const shares of Object.values(this.#shares)) {
      for (const share of shares.values()) if (share.isUntold) void this.#ask(share);
    }
  }

  async #giveBack(isUnused: (share: LeasedQuota, nowMs: number) => boolean): Promise<void> {
    const nowMs = performance.now();
    const returned = Object.values(this.#shares).flatMap((shares) =>
      [...shares].flatMap(([name, share]) => {
        if (share.hasEnded(nowMs)) {
          shares.delete(name);
          return [];
        }
        if (this.#isAlone || share.asking !== undefined || !isUnused(share, nowMs)) return [];
        const { scope, key } = share;
        const lease = share.release();
        return lease === undefined ? [] : [{ scope, key, ...lease }];
      }),
    );
    if (returned.length === 0) return;
    // Points that cannot be returned are lost until the window ends.
    await this.#options.counters.giveBack(returned).catch(() => {});
  }
}

function isLease({ points, window, remainingMs }: Lease): boolean {
  return (
    Number.isSafeInteger(points) && points >= 0 && Number.isFinite(window) && Number.isFinite(remainingMs)
  );
}
