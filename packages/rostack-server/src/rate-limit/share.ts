import { createHash } from 'node:crypto';
import type { RateLimitBudget, RateLimitScope } from './rate-limit.ts';
import type { Lease } from './shared-counters.ts';

/** Leases of one key are this part of its budget at most. */
const LEASED_PART = 50;
/** How often a key whose budget is used up is looked at again: another server may have given back. */
const LOOK_AGAIN_MS = 1_000;

/** What this server may grant of one budget, and has granted, in one window of a key. Times are those of `performance.now()`. */
export class Share {
  readonly scope: RateLimitScope;
  /** What the counters know the key by. */
  readonly key: string;
  readonly budget: RateLimitBudget;
  /** Settles when counters that were asked have answered, or others have to be decided without them. */
  asking: Promise<void> | undefined;
  /** Points of requests that wait for an answer. */
  waiting = 0;
  /** When it was last asked for points. */
  usedMs: number;
  /** Leased and not granted. */
  #held = 0;
  /** Granted here in this window. */
  #granted = 0;
  /** Granted without the counters, which have not been told. */
  #untold = 0;
  /** What was leased, or tried to be, the last time. */
  #leaseSize: number;
  #endMs: number;
  #window: number | undefined;
  #retryAtMs: number | undefined;
  #lookAgainMs = 0;

  /** @param previous the share of the window before: what was leased at a time then is where this one begins */
  constructor(
    scope: RateLimitScope,
    key: string,
    budget: RateLimitBudget,
    nowMs: number,
    previous: Share | undefined,
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

  /** Grants points out of what is leased; false when that is too little. */
  take(points: number): boolean {
    if (this.#held < points) return false;
    this.#held -= points;
    this.#granted += points;
    return true;
  }

  /** Whether to lease the next points while there are some left. */
  get isLow(): boolean {
    return this.#retryAtMs === undefined && this.#held < Math.floor(this.#leaseSize / 2);
  }

  /** The time in ms to wait, when the budget is used up. */
  waitMs(nowMs: number): number | undefined {
    return this.#retryAtMs === undefined ? undefined : Math.max(Math.ceil(this.#retryAtMs - nowMs), 1);
  }

  /** Whether it is time to ask again about a budget that was used up. */
  looksAgain(nowMs: number): boolean {
    if (nowMs < this.#lookAgainMs) return false;
    this.#lookAgainMs = nowMs + LOOK_AGAIN_MS;
    return true;
  }

  /** Counts points in this process alone: 0, or the time in ms to wait. */
  countAlone(points: number, nowMs: number): number {
    if (this.#granted + points > this.budget.points) return Math.max(Math.ceil(this.#endMs - nowMs), 1);
    this.#granted += points;
    this.#untold += points;
    return 0;
  }

  /** Whether the counters are to be told of what was granted without them. */
  get isUntold(): boolean {
    return this.#untold > 0;
  }

  /** What to ask for now: enough for those who wait, and each time twice as much as the last, up to a part of the budget. */
  request(): { readonly points: number; readonly spent: number } {
    const most = Math.max(Math.floor(this.budget.points / LEASED_PART), 1);
    this.#leaseSize = Math.min(Math.max(this.#leaseSize * 2, 1), most);
    const points = Math.max(this.#leaseSize, this.waiting) - this.#held;
    return { points: Math.max(points, 0), spent: this.#untold };
  }

  /**
   * @param asked what `request` gave
   * @param sentMs the window ends no earlier than `remainingMs` after it, and no later than `remainingMs` after `receivedMs`
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
    // An answer that came too late: some of what it leases was granted without it.
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

  /** Gives up what is held; undefined where that is nothing. */
  release(): { readonly points: number; readonly window: number } | undefined {
    const points = this.#held;
    if (points === 0 || this.#window === undefined) return undefined;
    this.#held = 0;
    return { points, window: this.#window };
  }
}
