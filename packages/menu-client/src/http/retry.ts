import { MenuError, type MenuErrorCode } from '../domain/menu-error.ts';
import type { Clock } from './clock.ts';

/**
 * How often a request is tried, and how long the delays are; each is chosen at random between half and all of its value.
 */
export interface RetryPolicy {
  /** How often a request is tried, the first time included; at least 1. */
  readonly maxAttempts: number;
  /** The delay before the second attempt, in ms; doubled before each further one. */
  readonly baseDelayMs: number;
  /** The longest delay, in ms. */
  readonly maxDelayMs: number;
}

export interface RetryTools {
  readonly clock: Clock;
  /** 0 to 1, as Math.random. */
  readonly random: () => number;
  readonly signal?: AbortSignal | undefined;
}

export const DEFAULT_RETRY: RetryPolicy = { maxAttempts: 4, baseDelayMs: 250, maxDelayMs: 5000 };

/** Failures that may not happen again when the same request is repeated. */
const TRANSIENT: ReadonlySet<MenuErrorCode> = new Set<MenuErrorCode>([
  'operator_unreachable',
  'operator_timeout',
  'operator_rate_limited',
  'operator_unavailable',
  'operator_answer_empty',
  'operator_answer_invalid',
  'session_rejected',
]);

/** Calls `attempt` until it succeeds, fails for good or has used its attempts; throws what the last one threw. */
export async function retrying<T>(
  attempt: () => Promise<T>,
  policy: RetryPolicy,
  tools: RetryTools,
): Promise<T> {
  const ended = () => tools.signal?.aborted === true;
  for (let made = 1; ; made += 1) {
    try {
      return await attempt();
    } catch (error) {
      const delayMs =
        made < policy.maxAttempts ? retryDelayMs(error, made, policy, tools.random()) : undefined;
      if (delayMs === undefined || ended()) throw error;
      await tools.clock.sleep(delayMs, tools.signal);
      if (ended()) throw error;
    }
  }
}

/** Undefined if another attempt is useless, or the operator wants it later than a caller would wait. */
function retryDelayMs(error: unknown, made: number, policy: RetryPolicy, random: number): number | undefined {
  if (!(error instanceof MenuError) || !TRANSIENT.has(error.code)) return undefined;
  const grownMs = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (made - 1));
  const delayMs = Math.max(grownMs * (0.5 + random / 2), error.retryAfterMs ?? 0);
  return delayMs > 2 * policy.maxDelayMs ? undefined : delayMs;
}
