/** When the newest known discovery document was confirmed, and what has happened since. */
export interface DiscoveryFreshness {
  /** Monotonic time of the last 200 or 304. */
  readonly confirmedAtMs: number;
  /** `discovery_refresh_after_ms` of the document. */
  readonly refreshAfterMs: number;
  /** Something says that it is outdated: a go_away with another URL, repeated failures, another API version. */
  readonly isDoubted: boolean;
  /** Monotonic time before which no further attempt is made, after one that failed. */
  readonly notBeforeMs: number;
}

/** Bounds of `discovery_refresh_after_ms`, whatever the server says, in milliseconds. */
export const REFRESH_BOUNDS_MS = { min: 1_000, max: 86_400_000 } as const;
/** Wait after an attempt that failed, in milliseconds. */
const PAUSE_AFTER_FAILURE_MS = 1_000;

/** @see protocol section 8 */
export function isRefreshDue(freshness: DiscoveryFreshness, nowMs: number): boolean {
  if (nowMs < freshness.notBeforeMs) return false;
  return freshness.isDoubted || nowMs >= refreshDueMs(freshness);
}

/** Monotonic time from which the document is old. */
export function refreshDueMs({ confirmedAtMs, refreshAfterMs }: DiscoveryFreshness): number {
  const { min, max } = REFRESH_BOUNDS_MS;
  return confirmedAtMs + Math.min(Math.max(refreshAfterMs, min), max);
}

export function confirm(refreshAfterMs: number, nowMs: number): DiscoveryFreshness {
  return { confirmedAtMs: nowMs, refreshAfterMs, isDoubted: false, notBeforeMs: nowMs };
}

export function doubt(freshness: DiscoveryFreshness): DiscoveryFreshness {
  return { ...freshness, isDoubted: true };
}

export function failed(freshness: DiscoveryFreshness, nowMs: number): DiscoveryFreshness {
  return { ...freshness, notBeforeMs: nowMs + PAUSE_AFTER_FAILURE_MS };
}
