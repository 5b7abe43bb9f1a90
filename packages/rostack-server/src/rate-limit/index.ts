export type { RateLimitBudget, RateLimiter, RateLimitScope } from './rate-limit.ts';
export {
  createRateLimiter,
  type OwnedRateLimiter,
  type RateLimiterOptions,
  type SharedRates,
} from './rate-limiter.ts';
export type {
  CountedKey,
  Lease,
  LeaseRequest,
  ReturnedLease,
  SharedCounters,
} from './shared-counters.ts';
