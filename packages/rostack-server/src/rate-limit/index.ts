export {
  createRateLimiter,
  type PostgresPool,
  type RateLimitBudget,
  type RateLimiterOptions,
} from './create-rate-limiter.ts';
export type { RateLimiter, RateLimitScope } from './rate-limiter.ts';
