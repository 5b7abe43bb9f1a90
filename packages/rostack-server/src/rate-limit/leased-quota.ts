import { createHash } from 'node:crypto';
import type { RateLimitBudget, RateLimitScope } from './rate-limit.ts';
import type { Lease } from './shared-counters.ts';

/** Leases of one key are at most the budget divided by this. */
const LEASED_PART = 50;
/** How often to ask again for a key whose budget is used up, since another server may have returned points. */
const LOOK_AGAIN_MS = 1_000;

/** The points of one budget that this server may grant, and has granted, in one window of a key. Times are from `performance.now()`. */
export class LeasedQuota {
  readonly scope: RateLimitScope;
  /** The key as the counters know it. */
  readonly key: string;
  readonly budget: RateLimitBudget;
  /** Settles when the counters have answered, or when waiting requests have to be decided without them. */
  asking: Promise<void> | undefined;
  /** Points of requests that are waiting for an answer. */
  waiting = 0;
  /** When points were last requested from it. */
  usedMs: number;
  /** Points leased but not yet granted. */
  #held = 0;
  /** Points granted here in this window. */
  #granted = 0;
  /** Points granted without the counters and not yet reported to them. */
  #untold = 0;
  /** Size of the latest lease, or of the attempt at one. */
  #leaseSize: number;
  #endMs: number;
  #window: number | undefined;
  #retryAtMs: number | undefined;
  #lookAgainMs = 0;

  /** @param previous the share of the previous window: its lease size decides where this one starts */
  constructor(
    scope: RateLimitScope,
    key: string,
    budget: RateLimitBudget,
    nowMs: number,
    previous: LeasedQuota | undefined,
  ) {
    this.scope = scope;
    this.key = previous?.key ?? createHash('sha256').update(key).digest('base64url');
    this.budget = budget;
    this.usedMs = nowMs;
    this.#leaseSize = previous === undefined ? 0 : Math.floor(previous.#leaseSize / 4);
    this.#endMs = nowMs + budget.windowMs;
  }

  hasEnded(nowMs: number): boolean {
    return nowMs >= this.#endMs;
  }

  /** Grants points from the lease; false if there are too few. */
  take(points: number): boolean {
    if (this.#held < points) return false;
    this.#held -= points;
    this.#granted += points;
    return true;
  }

  /** Whether to lease more points while there are still some left. */
  get isLow(): boolean {
    return this.#retryAtMs === undefined && this.#held < Math.floor(this.#leaseSize / 2);
  }

  /** The time in ms to wait; undefined unless the budget is used up. */
  waitMs(nowMs: number): number | undefined {
    return this.#retryAtMs === undefined ? undefined : Math.max(Math.ceil(this.#retryAtMs - nowMs), 1);
  }

  /** Whether it is time to ask again about a budget that was used up. */
  looksAgain(nowMs: number): boolean {
    if (nowMs < this.#lookAgainMs) return false;
    this.#lookAgainMs = nowMs + LOOK_AGAIN_MS;
    return true;
  }

  /** Counts points in this process alone. Returns 0, or the time in ms to wait. */
  countAlone(points: number, nowMs: number): number {
    if (this.#granted + points > this.budget.points) return Math.max(Math.ceil(this.#endMs - nowMs), 1);
    this.#granted += points;
    this.#untold += points;
    return 0;
  }

  /** Whether points granted without the counters still have to be reported to them. */
  get isUntold(): boolean {
    return this.#untold > 0;
  }

  /**
   * The next request to the counters: enough for the waiting requests, and each time twice as much as before, up to a part of the budget.
   */
  request(): { readonly points: number; readonly spent: number } {
    const most = Math.max(Math.floor(this.budget.points / LEASED_PART), 1);
    this.#leaseSize = Math.min(Math.max(this.#leaseSize * 2, 1), most);
    const points = Math.max(this.#leaseSize, this.waiting) - this.#held;
    return { points: Math.max(points, 0), spent: this.#untold };
  }

  /**
   * @param asked what `request` returned
   * @param sentMs when it was asked: the window ends between `sentMs + remainingMs` and `receivedMs + remainingMs`
   */
  answer(
    asked: { readonly points: number; readonly spent: number },
    { points, window, remainingMs }: Lease,
    sentMs: number,
    receivedMs: number,
  ): void {
    if (this.#window !== undefined && this.#window !== window) this.#held = 0;
    this.#window = window;
    this.#untold -= asked.spent;
    // If the answer came too late, some of the leased points have already been granted without it.
    const covered = Math.min(points, this.#untold);
    this.#untold -= covered;
    this.#held += points - covered;
    this.#endMs = sentMs + remainingMs;
    this.#retryAtMs = points < asked.points ? receivedMs + remainingMs : undefined;
    this.#lookAgainMs = receivedMs + LOOK_AGAIN_MS;
  }

  /** Whether nothing was taken for a tenth of the window. */
  isIdle(nowMs: number): boolean {
    return nowMs - this.usedMs >= this.budget.windowMs / 10;
  }

  /** Gives up the points that are held; undefined if there are none. */
  release(): { readonly points: number; readonly window: number } | undefined {
    const points = this.#held;
    if (points === 0 || this.#window === undefined) return undefined;
    this.#held = 0;
    return { points, window: this.#window };
  }
}
