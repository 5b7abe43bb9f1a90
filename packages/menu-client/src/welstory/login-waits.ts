const MINUTE_MS = 60_000;

/** A refused account is tried again after these, then after the last of them each time: 7 logins in the first 24 hours. */
export const REFUSED_WAITS_MS = [MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS, 360 * MINUTE_MS] as const;
/** While the operator turns away even new sessions, one request asks again after each of these. */
export const HELD_WAITS_MS = [MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS] as const;
/** And a new login is tried after each of these: the session may have ended meanwhile. */
export const HELD_LOGIN_WAITS_MS = [5 * MINUTE_MS, 15 * MINUTE_MS, 45 * MINUTE_MS, 60 * MINUTE_MS] as const;

/** An operator that answers logins with 429 or 5xx has more of them to bear: a single one after each of these. */
export const UNAVAILABLE_WAITS_MS = [MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS] as const;

/** The wait after the `count`-th time, from 1 on; the last one from there on. */
export function nth(waits: readonly number[], count: number): number {
  return waits[Math.min(count, waits.length) - 1] ?? 0;
}
