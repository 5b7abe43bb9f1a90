import { ClientError } from '../error/index.ts';
import type { ClientClock } from '../platform/clock.ts';
import { wait } from '../platform/wait.ts';
import { type ReconnectRules, reconnectDelay } from '../reconnect/reconnect-delay.ts';

export interface RetryRules extends ReconnectRules {
  /** Attempts in all, at least 1. */
  readonly maxAttempts: number;
  readonly random: () => number;
  readonly clock: ClientClock;
}

/** Runs an attempt again while it fails with something that may pass, at most `maxAttempts` times. */
export async function withRetries<T>(
  rules: RetryRules,
  signal: AbortSignal,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (failures >= rules.maxAttempts || !isRetryable(error)) throw error;
      await wait(rules.clock, delayAfter(rules, error, failures, rules.random()), signal);
    }
  }
}

/** The wait after a failure; the server's own wish counts where the error carries one. */
export function delayAfter(rules: ReconnectRules, error: unknown, failures: number, random: number): number {
  return reconnectDelay(rules, { failures, random, serverDelayMs: retryAfterOf(error) });
}

/** What the server asked to wait, where the error carries it. */
export function retryAfterOf(error: unknown): number | undefined {
  if (!(error instanceof ClientError) || !('retryAfterMs' in error)) return undefined;
  return typeof error.retryAfterMs === 'number' ? error.retryAfterMs : undefined;
}

export function isRetryable(error: unknown): boolean {
  return error instanceof ClientError && error.retryable && error.code !== 'page_cursor_expired';
}
