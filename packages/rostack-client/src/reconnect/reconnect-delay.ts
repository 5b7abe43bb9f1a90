/** How long to wait between attempts, in milliseconds. */
export interface ReconnectRules {
  /** Ceiling of the first wait. */
  readonly minDelayMs: number;
  /** Ceiling of every further wait. */
  readonly maxDelayMs: number;
  /** What a server's own wish is cut to. */
  readonly maxServerDelayMs: number;
}

export interface ReconnectAttempt {
  /** Failures since the last healthy connection, at least 1. */
  readonly failures: number;
  /** From 0 to below 1. */
  readonly random: number;
  /** What the server asked to wait. */
  readonly serverDelayMs?: number | undefined;
}

/**
 * Exponential backoff with full jitter: anything from `minDelayMs` up to a ceiling that doubles with each failure; the larger of that and
 * the server's delay counts.
 * @returns whole milliseconds
 * @see protocol section 8
 */
export function reconnectDelay(rules: ReconnectRules, attempt: ReconnectAttempt): number {
  const { minDelayMs, maxServerDelayMs } = rules;
  const maxDelayMs = Math.max(rules.maxDelayMs, minDelayMs);
  const ceilingMs = Math.min(maxDelayMs, minDelayMs * 2 ** Math.min(attempt.failures, 50));
  const ownDelayMs = minDelayMs + attempt.random * (ceilingMs - minDelayMs);
  const serverDelayMs = Math.min(attempt.serverDelayMs ?? 0, maxServerDelayMs);
  return Math.round(Math.max(ownDelayMs, serverDelayMs));
}
