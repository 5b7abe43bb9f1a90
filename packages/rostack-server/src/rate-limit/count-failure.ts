import type { RateLimiter } from './rate-limiter.ts';

/**
 * Counts a failed authentication of an address; gives 0, or the time in ms that its next ones have to wait. A limiter that fails limits
 * nobody.
 */
export async function countFailure(
  rateLimiter: RateLimiter | undefined,
  address: string | undefined,
  onLimiterError: (error: unknown) => void,
): Promise<number> {
  if (rateLimiter === undefined || address === undefined || address === '') return 0;
  try {
    return await rateLimiter.consume('failure', address, 1);
  } catch (error) {
    onLimiterError(error);
    return 0;
  }
}
