import type { AnyDiscoveryDocument } from 'rostack-core';
import { ClientError } from '../../http/error/errors.ts';

/** How long to wait between attempts, in milliseconds. */
export interface RetryRules {
  /** Floor of every wait; the ceiling of the first one is twice that. */
  readonly minDelayMs: number;
  /** Ceiling of every wait. */
  readonly maxDelayMs: number;
  /** The longest delay that a server may ask for. */
  readonly maxServerDelayMs: number;
}

export interface Failure {
  /** Failures in a row, this one included. */
  readonly failures: number;
  /** From 0 to below 1. */
  readonly random: number;
  /** What the server asked to wait. */
  readonly serverDelayMs?: number | undefined;
}

/** What a server advertises, cut to `maxServerDelayMs`; before discovery was read, from one second to one minute. */
export function retryRules(document: AnyDiscoveryDocument | undefined, maxServerDelayMs: number): RetryRules {
  const websocket = document?.capabilities.websocket;
  return {
    minDelayMs: Math.min(websocket?.reconnect_min_delay_ms ?? 1_000, maxServerDelayMs),
    maxDelayMs: Math.min(websocket?.reconnect_max_delay_ms ?? 60_000, maxServerDelayMs),
    maxServerDelayMs,
  };
}

/**
 * Exponential backoff with full jitter: anything from `minDelayMs` up to a ceiling that doubles with each failure, or the server's delay
 * if that is longer.
 * @returns whole milliseconds
 * @see protocol section 8
 */
export function retryDelay(rules: RetryRules, { failures, random, serverDelayMs = 0 }: Failure): number {
  const { minDelayMs, maxServerDelayMs } = rules;
  const maxDelayMs = Math.max(rules.maxDelayMs, minDelayMs);
  const ceilingMs = Math.min(maxDelayMs, minDelayMs * 2 ** Math.min(failures, 50));
  const ownDelayMs = minDelayMs + random * (ceilingMs - minDelayMs);
  return Math.round(Math.max(ownDelayMs, Math.min(serverDelayMs, maxServerDelayMs)));
}

/** The delay after an error, which may carry a delay that the server asked for. */
export function retryDelayAfter(rules: RetryRules, error: unknown, failures: number, random: number): number {
  return retryDelay(rules, { failures, random, serverDelayMs: serverDelayOf(error) });
}

/** How long the server asked to wait, if the error says so. */
export function serverDelayOf(error: unknown): number | undefined {
  if (!(error instanceof ClientError) || !('retryAfterMs' in error)) return undefined;
  return typeof error.retryAfterMs === 'number' ? error.retryAfterMs : undefined;
}

/** Whether the same call may succeed later. */
export function isRetryable(error: unknown): boolean {
  return error instanceof ClientError && error.retryable;
}

/** Counts refusals in a row. */
export class RefusalCount {
  #count = 0;
  #sinceMs = 0;

  reset(): void {
    this.#count = 0;
  }

  /** @returns how many there are now, and how long ago the first of them was, in milliseconds */
  add(nowMs: number): { readonly count: number; readonly forMs: number } {
    if (this.#count === 0) this.#sinceMs = nowMs;
    this.#count += 1;
    return { count: this.#count, forMs: nowMs - this.#sinceMs };
  }
}

/**
 * Repeats an attempt while it fails with a temporary error.
 * @param pause waits before the next attempt, or throws to give up
 */
export async function retry<T>(
  attempt: () => Promise<T>,
  pause: (error: unknown, failures: number) => Promise<void>,
  mayPass: (error: unknown) => boolean = isRetryable,
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!mayPass(error)) throw error;
      await pause(error, failures);
    }
  }
}
