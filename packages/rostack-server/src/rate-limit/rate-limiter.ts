import {
  aFunction,
  anInteger,
  checkOptions,
  guardObserver,
  type OptionCheck,
  objectWith,
  optional,
  optionsOf,
} from 'rostack-core';
import type { Awaitable } from '../auth/authenticator.ts';
import type { RateLimitBudget, RateLimiter, RateLimitScope } from './rate-limit.ts';
import type { SharedCounters } from './shared-counters.ts';
import { SharedRateLimiter } from './shared-rate-limiter.ts';

/** Takes points of one scope. Returns 0, or the time in ms to wait. */
type Limit = (key: string, points: number) => number;

/** A rate limiter that may hold a timer and leases; close it to release them. */
export interface OwnedRateLimiter extends RateLimiter, AsyncDisposable {
  /** Returns leased points; a second call waits for the first. */
  close(): Promise<void>;
}

/**
 * Budgets of points; each request costs at least one. A budget has at least 1 point, and a window of at least 1,000
 * ms.
 */
export interface RateLimiterOptions {
  /**
   * What the requests of one client address may cost.
   * @default 6,000 points in 60,000 ms
   */
  readonly perAddress?: RateLimitBudget;
  /**
   * What the requests of one principal may cost, from all addresses together.
   * @default 6,000 points in 60,000 ms
   */
  readonly perPrincipal?: RateLimitBudget;
  /** Failed authentications of one address, 1 point each, counted separately from its requests. @default 60 points in 60,000 ms */
  readonly failuresPerAddress?: RateLimitBudget;
  /** Counts together with other servers, each of which has the same budgets. @default counts in the memory of this process */
  readonly shared?: SharedRates;
}

/** Counters that several servers share. */
export interface SharedRates {
  /** The shared counters, such as `store.rates` of rostack-store. */
  readonly counters: SharedCounters;
  /** Called when the counters did not answer and this process counts alone. Its errors are ignored. @default not called */
  readonly onAlone?: (error: unknown) => void;
  /** Called when the counters answer again. Its errors are ignored. @default not called */
  readonly onShared?: () => void;
}

const DEFAULT_BUDGET: RateLimitBudget = { points: 6_000, windowMs: 60_000 };
const DEFAULT_FAILURES: RateLimitBudget = { points: 60, windowMs: 60_000 };
const MIN_WINDOW_MS = 1_000;

const budget: OptionCheck = optional(
  optionsOf<RateLimitBudget>({ points: anInteger(1), windowMs: anInteger(MIN_WINDOW_MS) }),
);

const rateLimiterOptions: OptionCheck = optionsOf<RateLimiterOptions>({
  perAddress: budget,
  perPrincipal: budget,
  failuresPerAddress: budget,
  shared: optional(
    optionsOf<SharedRates>({
      counters: objectWith('lease', 'giveBack'),
      onAlone: optional(aFunction),
      onShared: optional(aFunction),
    }),
  ),
});

/**
 * Makes a rate limiter. With shared counters, all servers together grant no more than the budget in a window while the counters answer.
 * They may grant less, because each of the other servers may hold up to a fiftieth of the budget (nothing below 100 points). A server that
 * gets no answer within 500 ms counts alone, and asks again each second.
 * @throws OptionsError `invalid_options` with the wrong option and what to use
 */
export function createRateLimiter(options: RateLimiterOptions = {}): OwnedRateLimiter {
  checkOptions(rateLimiterOptions, options, 'The rate limiter cannot be made');
  const {
    perAddress: address = DEFAULT_BUDGET,
    perPrincipal: principal = DEFAULT_BUDGET,
    failuresPerAddress: failure = DEFAULT_FAILURES,
    shared,
  } = options;
  if (shared !== undefined) {
    const { counters, onAlone = ignore, onShared = ignore } = shared;
    return new SharedRateLimiter({
      counters,
      budgets: { address, principal, failure },
      onAlone: guardObserver(onAlone, ignore),
      onShared: guardObserver(onShared, ignore),
    });
  }
  const limits: Record<RateLimitScope, Limit> = {
    address: limitInMemory(address),
    principal: limitInMemory(principal),
    failure: limitInMemory(failure),
  };
  return {
    consume: (scope, key, points) => limits[scope](key, points),
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

function ignore(): void {}

/**
 * Takes one point. Returns 0, or the time in ms to wait. A limiter that fails limits nobody and is reported.
 * @param key undefined if it is unknown; then nothing is counted
 */
export function takePoint(
  rateLimiter: RateLimiter | undefined,
  scope: RateLimitScope,
  key: string | undefined,
  onError: (error: unknown) => void,
): Awaitable<number> {
  if (rateLimiter === undefined || key === undefined) return 0;
  const spare = (error: unknown): number => {
    onError(error);
    return 0;
  };
  try {
    const waitMs = rateLimiter.consume(scope, key, 1);
    return typeof waitMs === 'number'
      ? checkWait(waitMs)
      : Promise.resolve(waitMs).then(checkWait).catch(spare);
  } catch (error) {
    return spare(error);
  }
}

/** @throws TypeError if a limiter did not return a time in ms */
function checkWait(waitMs: unknown): number {
  if (typeof waitMs === 'number' && Number.isFinite(waitMs) && waitMs >= 0) return waitMs;
  throw new TypeError(`The rate limiter returned ${typeof waitMs} ${String(waitMs)}: return a time in ms.`);
}

/** Counts in this process. All windows have the same length, so the map, ordered by their start, is also ordered by their end. */
function limitInMemory({ points, windowMs }: RateLimitBudget): Limit {
  const windows = new Map<string, { used: number; readonly endMs: number }>();
  return (key, count) => {
    const nowMs = performance.now();
    let window = windows.get(key);
    if (window === undefined || window.endMs <= nowMs) {
      for (const [ended, { endMs }] of windows) {
        if (endMs > nowMs) break;
        windows.delete(ended);
      }
      window = { used: 0, endMs: nowMs + windowMs };
      windows.set(key, window);
    }
    window.used += count;
    return window.used <= points ? 0 : Math.max(Math.ceil(window.endMs - nowMs), 1);
  };
}
