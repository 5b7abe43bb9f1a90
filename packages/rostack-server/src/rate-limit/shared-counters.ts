import type { RateLimitBudget, RateLimitScope } from './rate-limit.ts';

/** A key of one scope, as counters know it. */
export interface CountedKey {
  /** Which of the three budgets it is counted against. */
  readonly scope: RateLimitScope;
  /** A digest of what is counted: 43 letters, digits, `-` and `_`. */
  readonly key: string;
}

/** What a server asks of the counters for one key. */
export interface LeaseRequest extends CountedKey {
  /** Points of each window, and its length in ms. */
  readonly budget: RateLimitBudget;
  /** To be leased at most; 0: none. */
  readonly points: number;
  /** Granted by the server while it could not ask; they count first. */
  readonly spent: number;
}

/** What a server may grant by itself until the window ends. */
export interface Lease {
  /** Fewer than were asked for: the budget is used up. */
  readonly points: number;
  /** Tells this window of the key from its next one. */
  readonly window: number;
  /** Until the window ends. */
  readonly remainingMs: number;
}

/** Points of a lease that will not be used. */
export interface ReturnedLease extends CountedKey {
  /** How many come back; at least 1. */
  readonly points: number;
  /** The window that the lease was of: points of one that has ended are not put back. */
  readonly window: number;
}

/** Counters that several servers share, such as `store.rates` of rostack-store. What they reject with ends sharing for the moment. */
export interface SharedCounters {
  /**
   * Takes points from budgets, as many as there are left of those asked for.
   * @returns one lease for each request, in their order; no two requests are for the same key
   */
  lease(requests: readonly LeaseRequest[]): Promise<readonly Lease[]>;
  /** Counts for windows that have not ended; others are left alone. */
  giveBack(leases: readonly ReturnedLease[]): Promise<void>;
}
