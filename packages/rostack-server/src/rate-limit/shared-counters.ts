import type { RateLimitBudget, RateLimitScope } from './rate-limit.ts';

/** A key of one scope, as counters know it. */
export interface CountedKey {
  /** Which of the three budgets it is counted against. */
  readonly scope: RateLimitScope;
  /** A digest of what is counted: 43 letters, digits, `-` and `_`. */
  readonly key: string;
}

/** A server's request to the counters for one key. */
export interface LeaseRequest extends CountedKey {
  /** Points of each window, and its length in ms. */
  readonly budget: RateLimitBudget;
  /** How many to lease at most; 0 for none. */
  readonly points: number;
  /** Points granted by the server while it could not ask; they are counted first. */
  readonly spent: number;
}

/** What a server may grant by itself until the window ends. */
export interface Lease {
  /** How many points were leased; fewer than requested if the budget is used up. */
  readonly points: number;
  /** Identifies this window of the key. */
  readonly window: number;
  /** How long until the window ends. */
  readonly remainingMs: number;
}

/** Points of a lease that will not be used. */
export interface ReturnedLease extends CountedKey {
  /** How many points are returned; at least 1. */
  readonly points: number;
  /** The window of the lease; points of a window that has ended are ignored. */
  readonly window: number;
}

/** Counters that several servers share, such as `store.rates` of rostack-store. If they reject, sharing ends for the moment. */
export interface SharedCounters {
  /**
   * Takes points from budgets: as many as requested, or as many as are left.
   * @returns one lease for each request, in the same order; no two requests are for the same key
   */
  lease(requests: readonly LeaseRequest[]): Promise<readonly Lease[]>;
  /** Returns points to windows that have not ended; others are ignored. */
  giveBack(leases: readonly ReturnedLease[]): Promise<void>;
}
