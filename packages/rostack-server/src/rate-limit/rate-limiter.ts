import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { aText, type OptionCheck, objectWith, optional, optionsOf, wholeNumber } from 'rostack-core';
import type { Awaitable } from '../auth/authenticator.ts';

/**
 * What a rate is counted by: the address of the client, who it has proved to be, or the address again for failed authentications, so
 * that these take nothing from what is served there.
 */
export type RateLimitScope = 'address' | 'principal' | 'failure';

/** Counts what clients use, for HTTP requests and WebSocket sessions alike. */
export interface RateLimiter {
  /**
   * Takes points from a budget: 0 when they were granted, else the time in ms until it is worth asking again.
   * @param points at least 1
   */
  consume(scope: RateLimitScope, key: string, points: number): Awaitable<number>;
}

/** How many points may be used within a time. */
export interface RateLimitBudget {
  /** At least 1. */
  readonly points: number;
  /** Length of the window, at least 1,000 ms; it starts with the first request in it. */
  readonly windowMs: number;
}

/** The part of a `pg` pool that the shared counters need. */
export interface PostgresPool {
  query(query: { text: string; values?: unknown[] }): Promise<{ rows: unknown[] }>;
}

export interface RateLimiterOptions {
  /** @default 6,000 points in 60,000 ms */
  readonly perAddress?: RateLimitBudget;
  /** @default 6,000 points in 60,000 ms */
  readonly perPrincipal?: RateLimitBudget;
  /** Failed authentications of one address, 1 point each, counted apart from its requests. @default 60 points in 60,000 ms */
  readonly failuresPerAddress?: RateLimitBudget;
  /**
   * Where several servers share their counters: a `pg` pool, and the table made there when it is missing.
   * @default the memory of this process
   */
  readonly postgres?: { readonly pool: PostgresPool; readonly table?: string };
}

const DEFAULT_BUDGET: RateLimitBudget = { points: 6_000, windowMs: 60_000 };
const DEFAULT_FAILURES: RateLimitBudget = { points: 60, windowMs: 60_000 };
const MIN_WINDOW_MS = 1_000;

const budget: OptionCheck = optional(
  optionsOf<RateLimitBudget>({ points: wholeNumber(1), windowMs: wholeNumber(MIN_WINDOW_MS) }),
);

const rateLimiterOptions: OptionCheck = optionsOf<RateLimiterOptions>({
  perAddress: budget,
  perPrincipal: budget,
  failuresPerAddress: budget,
  postgres: optional(
    optionsOf<NonNullable<RateLimiterOptions['postgres']>>({
      pool: objectWith('query'),
      table: optional(aText),
    }),
  ),
});

/**
 * Makes a rate limiter; resolves once its table stands. While PostgreSQL does not answer it counts in memory.
 * @throws RangeError when an option is wrong, with which and what
 */
export async function createRateLimiter(options: RateLimiterOptions = {}): Promise<RateLimiter> {
  const fault = rateLimiterOptions(options, 'options');
  if (fault !== undefined) throw new RangeError(`${fault}.`);
  const {
    perAddress = DEFAULT_BUDGET,
    perPrincipal = DEFAULT_BUDGET,
    failuresPerAddress = DEFAULT_FAILURES,
  } = options;
  const { postgres } = options;
  const limiters: Record<RateLimitScope, Limiter> = {
    address: await createLimiter('address', perAddress, postgres),
    principal: await createLimiter('principal', perPrincipal, postgres),
    failure: await createLimiter('failure', failuresPerAddress, postgres),
  };
  return { consume: (scope, key, points) => limiters[scope](key, points) };
}

/**
 * Takes one point: 0, or the time in ms to wait. A limiter that fails limits nobody, and is reported.
 * @param key undefined where nobody knows it: then nothing is counted
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

/** @throws TypeError when a limiter gave no time in ms */
function checkWait(waitMs: unknown): number {
  if (typeof waitMs === 'number' && Number.isFinite(waitMs) && waitMs >= 0) return waitMs;
  throw new TypeError(`The rate limiter gave ${typeof waitMs} ${String(waitMs)} where a time in ms belongs.`);
}

/** Takes points of one scope: 0, or the time in ms to wait. */
type Limiter = (key: string, points: number) => Awaitable<number>;

async function createLimiter(
  scope: RateLimitScope,
  { points, windowMs }: RateLimitBudget,
  postgres: RateLimiterOptions['postgres'],
): Promise<Limiter> {
  const inMemory = limitInMemory({ points, windowMs });
  if (postgres === undefined) return inMemory;
  const { pool, table = 'rate_limit' } = postgres;
  const shared = await new Promise<RateLimiterPostgres>((resolve, reject) => {
    const limiter = new RateLimiterPostgres(
      {
        points,
        duration: windowMs / 1_000,
        keyPrefix: scope,
        storeClient: pool,
        storeType: 'pool',
        tableName: table,
        // A budget that is used up is remembered here: a flood of refused requests is none of statements.
        inMemoryBlockOnConsumed: points,
      },
      (error?: Error | null) => (error == null ? resolve(limiter) : reject(error)),
    );
  });
  return async (key, count) => {
    try {
      await shared.consume(key, count);
      return 0;
    } catch (error) {
      return error instanceof RateLimiterRes ? Math.max(error.msBeforeNext, 1) : inMemory(key, count);
    }
  };
}

/** Counts in this process. Windows are equally long, so the map, in the order of their beginnings, is in that of their ends too. */
function limitInMemory({ points, windowMs }: RateLimitBudget): Limiter {
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
