import { MAX_RETRY_AFTER_MS } from '../http/answer-error.ts';
import { HELD_LOGIN_WAITS_MS, HELD_WAITS_MS, REFUSED_WAITS_MS } from './login-waits.ts';
import type { SessionState } from './session-state.ts';

/**
 * The state as far as it may be believed by a process that has known it since `seenAtMs`. The clock that it was written by
 * may have been set right since, or be another machine's: nothing has happened later than now, and no wait lasts longer
 * than its longest.
 */
export function asSeen(before: SessionState, seenAtMs: number): SessionState {
  const by = (atMs: number, waits: readonly number[] = [0]): number =>
    Math.min(atMs, seenAtMs + Math.max(...waits));
  const { session, refusal, hold, unavailable, nullLogins } = before;
  return {
    ...before,
    ...(unavailable && {
      unavailable: { ...unavailable, nextLoginAtMs: by(unavailable.nextLoginAtMs, [MAX_RETRY_AFTER_MS]) },
    }),
    ...(session && {
      session: {
        ...session,
        loggedInAtMs: by(session.loggedInAtMs),
        ...(session.givenAtMs !== undefined && { givenAtMs: by(session.givenAtMs) }),
        ...(session.provenAtMs !== undefined && { provenAtMs: by(session.provenAtMs) }),
      },
    }),
    ...(refusal && {
      refusal: { ...refusal, nextLoginAtMs: by(refusal.nextLoginAtMs, REFUSED_WAITS_MS) },
    }),
    ...(hold && {
      hold: {
        ...hold,
        untilMs: by(hold.untilMs, HELD_WAITS_MS),
        nextLoginAtMs: by(hold.nextLoginAtMs, HELD_LOGIN_WAITS_MS),
      },
    }),
    ...(nullLogins && { nullLogins: { ...nullLogins, sinceMs: by(nullLogins.sinceMs) } }),
  };
}
