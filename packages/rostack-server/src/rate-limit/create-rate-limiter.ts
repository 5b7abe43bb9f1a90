import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { aText, type OptionCheck, objectWith, optional, optionsOf, wholeNumber } from 'rostack-core';
import type { RateLimiter, RateLimitScope } from './rate-limiter.ts';

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
  const limiters: Record<RateLimitScope, RateLimiterAbstract> = {
    address: await createLimiter('address', perAddress, options.postgres),
    principal: await createLimiter('principal', perPrincipal, options.postgres),
    failure: await createLimiter('failure', failuresPerAddress, options.postgres),
  };
  return {
    async consume(scope, key, points) {
      try {
        await limiters[scope].consume(key, points);
        return 0;
      } catch (error) {
        if (error instanceof RateLimiterRes) return Math.max(error.msBeforeNext, 1);
        throw error;
      }
    },
  };
}

async function createLimiter(
  scope: RateLimitScope,
  { points, windowMs }: RateLimitBudget,
  postgres: RateLimiterOptions['postgres'],
): Promise<RateLimiterAbstract> {
  const budget = { points, duration: windowMs / 1_000, keyPrefix: scope };
  const memory = new RateLimiterMemory(budget);
  if (postgres === undefined) return memory;
  const { pool, table = 'rate_limit' } = postgres;
  return new Promise((resolve, reject) => {
    const limiter = new RateLimiterPostgres(
      {
        ...budget,
        storeClient: pool,
        storeType: 'pool',
        tableName: table,
        insuranceLimiter: memory,
        // A budget that is used up is remembered here: a flood of refused requests is none of statements.
        inMemoryBlockOnConsumed: points,
      },
      (error?: Error | null) => (error == null ? resolve(limiter) : reject(error)),
    );
  });
}
