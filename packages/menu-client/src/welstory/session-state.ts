import { z } from 'zod';
import {
  HELD_LOGIN_WAITS_MS,
  HELD_WAITS_MS,
  nth,
  REFUSED_WAITS_MS,
  UNAVAILABLE_WAITS_MS,
} from './login-waits.ts';

/** A token is new for this long after its login, or after it was seen to be valid. */
const NEW_MS = 60_000;
/** Many restaurants may have nothing on the same day: null leads to a login once in this time, or a few times if need be. */
const NULL_WINDOW_MS = 60 * 60_000;
const NULL_LOGINS = 3;

const session = z.object({
  token: z.string(),
  /** The device that it was issued for. */
  deviceId: z.string(),
  loggedInAtMs: z.number(),
  /** When this token was given, or could last not be renewed. @default when it was logged in with */
  givenAtMs: z.number().optional(),
  /** Absent until an answer showed that it is valid. */
  worked: z.boolean(),
  /** Absent unless it was made, or seen to be valid, because an answer was null. */
  provenAtMs: z.number().optional(),
});

const state = z.object({
  savedAtMs: z.number(),
  session: session.optional(),
  /** The account is refused. */
  refusal: z
    .object({ credentials: z.string(), count: z.number(), sinceMs: z.number(), nextLoginAtMs: z.number() })
    .optional(),
  /** Even new sessions are turned away. */
  hold: z
    .object({
      code: z.enum(['operator_maintenance', 'session_rejected']),
      count: z.number(),
      untilMs: z.number(),
      logins: z.number(),
      nextLoginAtMs: z.number(),
      /** The login itself was answered with maintenance, so there is no session to ask with. */
      atLogin: z.boolean().optional(),
      /** Maintenance is what everything else is answered with as well. */
      everywhere: z.boolean().optional(),
    })
    .optional(),
  /** Logins in a row that were answered with 429 or 5xx. */
  unavailable: z
    .object({ status: z.int().min(429), count: z.number(), nextLoginAtMs: z.number() })
    .optional(),
  /** Sessions in a row that were turned away when they had just begun. */
  useless: z.number(),
  /** Logins that null answers led to, in the hour from the first of them on. */
  nullLogins: z.object({ sinceMs: z.number(), count: z.number() }).optional(),
});

/** What all processes of one account know about its session. */
export type SessionState = Readonly<z.infer<typeof state>>;
export type Hold = NonNullable<SessionState['hold']>;
export type Unavailable = NonNullable<SessionState['unavailable']>;

export const NO_SESSION: SessionState = { savedAtMs: 0, useless: 0 };

/** The state as it was written; undefined for text of another form. */
export function parseState(text: string): SessionState | undefined {
  try {
    return state.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** After a login that was refused. Refusals of other credentials no longer count. */
export function refused(before: SessionState, credentials: string, nowMs: number): SessionState {
  const same = before.refusal?.credentials === credentials ? before.refusal : undefined;
  const count = (same?.count ?? 0) + 1;
  const refusal = {
    credentials,
    count,
    sinceMs: same?.sinceMs ?? nowMs,
    nextLoginAtMs: nowMs + nth(REFUSED_WAITS_MS, count),
  };
  const { session: _ended, unavailable: _over, ...rest } = before;
  return { ...rest, refusal };
}

/**
 * After a login that was answered with 429 or 5xx.
 * @param attempts how many of them are tried at once before the first wait
 * @param askedMs how long the operator wants to be left alone; 0 if it does not say
 */
export function unavailableAtLogin(
  before: SessionState,
  status: number,
  attempts: number,
  askedMs: number,
  nowMs: number,
): SessionState & { readonly unavailable: Unavailable } {
  const { session: _ended, ...rest } = before;
  const count = (before.unavailable?.count ?? 0) + 1;
  const waits = count - attempts + 1;
  const waitMs = waits < 1 ? 0 : Math.max(nth(UNAVAILABLE_WAITS_MS, waits), askedMs);
  return { ...rest, unavailable: { status, count, nextLoginAtMs: nowMs + waitMs } };
}

/** After a login that gave a token. */
export function loggedIn(
  before: SessionState,
  token: string,
  deviceId: string,
  nowMs: number,
  forNull: boolean,
): SessionState {
  const { refusal: _healed, unavailable: _over, ...rest } = before;
  return {
    ...rest,
    session: {
      token,
      deviceId,
      loggedInAtMs: nowMs,
      worked: false,
      ...(forNull ? { provenAtMs: nowMs } : {}),
    },
  };
}

/** After the session was turned away, so that the next request logs in. */
export function ended(before: SessionState, nowMs: number): SessionState {
  const { session: _gone, ...rest } = before;
  return { ...rest, useless: isNew(before, nowMs) ? before.useless + 1 : 0 };
}

/**
 * After an answer that only a valid session gets; the state itself if that is no news. What turned sessions away is over
 * only when one has lasted: a second program with the account ends each of ours within seconds.
 */
export function worked(before: SessionState, nowMs: number): SessionState {
  const { session, hold, ...rest } = before;
  if (session === undefined) return before;
  const lasts = nowMs - session.loggedInAtMs >= NEW_MS;
  if (session.worked && !(lasts && (hold !== undefined || before.useless > 0))) return before;
  const now = { ...rest, session: { ...session, worked: true } };
  return lasts ? { ...now, useless: 0 } : { ...now, ...(hold === undefined ? {} : { hold }) };
}

/** True for a session that has only just begun: if it is turned away, another login will not help. */
export function isNew({ session }: SessionState, nowMs: number): boolean {
  return session !== undefined && (!session.worked || nowMs - session.loggedInAtMs < NEW_MS);
}

/** After a session that had just begun was turned away, and another login would not help. */
export function held(
  before: SessionState,
  code: Hold['code'],
  nowMs: number,
): SessionState & { readonly hold: Hold } {
  const same = before.hold?.code === code ? before.hold : undefined;
  const count = (same?.count ?? 0) + 1;
  const logins = same?.logins ?? 0;
  const nextLoginAtMs = same?.nextLoginAtMs ?? nowMs + nth(HELD_LOGIN_WAITS_MS, 1);
  return {
    ...before,
    hold: { ...same, code, count, untilMs: nowMs + nth(HELD_WAITS_MS, count), logins, nextLoginAtMs },
  };
}

/** After a login that was answered with maintenance. */
export function heldAtLogin(before: SessionState, nowMs: number): SessionState & { readonly hold: Hold } {
  const { session: _ended, unavailable: _over, ...rest } = before;
  const { hold } = held(rest, 'operator_maintenance', nowMs);
  const logins = hold.logins + 1;
  const nextLoginAtMs = nowMs + nth(HELD_LOGIN_WAITS_MS, logins);
  return { ...rest, hold: { ...hold, logins, nextLoginAtMs, atLogin: true, everywhere: false } };
}

/** While the operator turns sessions away: the next request logs in. */
export function loginDuringHold(before: SessionState & { readonly hold: Hold }, nowMs: number): SessionState {
  const { session: _old, ...rest } = before;
  const logins = before.hold.logins + 1;
  const nextLoginAtMs = nowMs + nth(HELD_LOGIN_WAITS_MS, logins + 1);
  return { ...rest, hold: { ...before.hold, untilMs: nowMs, logins, nextLoginAtMs } };
}

/** Whether null may be believed: only under a token that was made, or seen to be valid, because of it. */
export function believesNull({ session }: SessionState, nowMs: number): boolean {
  return session?.provenAtMs !== undefined && nowMs - session.provenAtMs < NEW_MS;
}

/** How many more times null may lead to a login in this hour; after the first, only if the session seems to have ended. */
export function loginsLeftForNull(state: SessionState, nowMs: number): number {
  return NULL_LOGINS - (nullLoginsNow(state, nowMs)?.count ?? 0);
}

/** Whether null has led to no login in this hour. */
export function isFirstNull(state: SessionState, nowMs: number): boolean {
  return nullLoginsNow(state, nowMs) === undefined;
}

/** After a null answer that is taken for an ended session. */
export function endedByNull(before: SessionState, nowMs: number): SessionState {
  const { sinceMs, count } = nullLoginsNow(before, nowMs) ?? { sinceMs: nowMs, count: 0 };
  return { ...ended(before, nowMs), nullLogins: { sinceMs, count: count + 1 } };
}

function nullLoginsNow({ nullLogins }: SessionState, nowMs: number): SessionState['nullLogins'] {
  return nullLogins !== undefined && nowMs - nullLogins.sinceMs < NULL_WINDOW_MS ? nullLogins : undefined;
}
