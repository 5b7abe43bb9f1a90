export {
  createRateLimiter,
  type PostgresPool,
  type RateLimitBudget,
  type RateLimiter,
  type RateLimiterOptions,
  type RateLimitScope,
} from './rate-limiter.ts';
