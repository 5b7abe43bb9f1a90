import type { Rate } from '../options/websocket-limits.ts';

/** Sums of fractions fall short of integers by less than this. */
const ROUNDING = 1e-6;

/** What is left of a rate, at a moment of the monotonic clock. */
export interface TokenBucket {
  readonly tokens: number;
  readonly atMs: number;
}

export function fullBucket(rate: Rate, atMs: number): TokenBucket {
  return { tokens: rate.burst, atMs };
}

/** Takes one token; `waitMs` is 0 if there was one, else the time until there will be one. */
export function takeToken(
  bucket: TokenBucket,
  rate: Rate,
  nowMs: number,
): { readonly bucket: TokenBucket; readonly waitMs: number } {
  const earned = (Math.max(0, nowMs - bucket.atMs) / 1_000) * rate.perSecond;
  const tokens = Math.min(rate.burst, bucket.tokens + earned);
  if (tokens >= 1 - ROUNDING) return { bucket: { tokens: Math.max(0, tokens - 1), atMs: nowMs }, waitMs: 0 };
  return { bucket: { tokens, atMs: nowMs }, waitMs: Math.ceil(((1 - tokens) / rate.perSecond) * 1_000) };
}
