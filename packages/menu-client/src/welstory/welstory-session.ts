import { MenuError, OperatorError } from '../domain/menu-error.ts';
import { isHtml, parseJson, statusError } from '../http/answer-error.ts';
import { saysMaintenance } from '../http/maintenance-notice.ts';
import type { Send } from '../http/operator-http.ts';
import type { HttpAnswer } from '../http/send-request.ts';
import type { AccountRefusal, OperatorNotes } from '../operator/operator.ts';
import { accountName, credentialsDigest } from './account.ts';
import { heldError, refusedError, unavailableError } from './account-errors.ts';
import { jwtExpiryMs } from './jwt-expiry.ts';
import { parseSessionToken } from './parse-envelope.ts';
import { asSeen } from './seen-state.ts';
import {
  believesNull,
  ended,
  endedByNull,
  type Hold,
  held,
  heldAtLogin,
  isFirstNull,
  isNew,
  loggedIn,
  loginDuringHold,
  loginsLeftForNull,
  NO_SESSION,
  parseState,
  refused,
  type SessionState,
  unavailableAtLogin,
  worked,
} from './session-state.ts';
import { deviceHeaders, type WelstoryAccount, WelstoryLogins } from './welstory-logins.ts';

const REFRESH_BEFORE_MS = 5 * 60_000;
/** A token whose end is as near as this when it is given ends soon, or our clock is ahead of the operator's. */
const SHORT_LIFE_MS = 2 * REFRESH_BEFORE_MS;
/** How often such a token is renewed. */
const REFRESH_SHORT_MS = 60_000;
/** What a program writes that has no token. */
const NO_TOKEN = /^(?:bearer\b)? *(?:null|undefined|none|false)?$/i;

/** True for a token, which is valid header text; the error that refuses anything else would quote it. */
function isToken(text: string): boolean {
  return !NO_TOKEN.test(text) && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text);
}

/** One turn at the operator: nobody else uses the account, or changes its notes, until it ends. */
export interface SessionTurn {
  readonly send: Send;
  readonly notes: OperatorNotes | undefined;
}

/** What a request of the session is sent with. */
export interface SessionPass {
  readonly token: string;
  readonly deviceId: string;
}

/** The headers of a request of the session. */
export function headersOf({ token, deviceId }: SessionPass): Readonly<Record<string, string>> {
  return { ...deviceHeaders(deviceId), authorization: token };
}

/** How a session is turned away: by a page for people, or by a status, a redirect or empty answers. */
export type Rejection = 'page' | 'status';

/**
 * The account's one session, shared by all processes of a store: a login ends the session before it, and too many get the
 * account locked. What was refused, and what is wrong with the operator, is known to all of them and after a restart.
 */
export class WelstorySession {
  readonly #options: WelstoryAccount;
  readonly #name: string;
  #credentials: Promise<string> | undefined;
  #state = NO_SESSION;
  /** Since when this process has known the state. */
  #seenAtMs = Number.POSITIVE_INFINITY;
  readonly #logins: WelstoryLogins;
  #forNull = false;

  constructor(options: WelstoryAccount) {
    this.#options = options;
    this.#name = accountName(options.baseUrl, options.username);
    this.#logins = new WelstoryLogins(options);
  }

  /**
   * What this turn's request is sent with; renewed, or made by a login, where it has to be. A token belongs to the device
   * that logged in, even if this process has another one: two devices would end each other's sessions.
   * @throws OperatorError `login_refused`, `operator_maintenance`, `session_rejected`, and why a login could not be made
   */
  async pass(turn: SessionTurn): Promise<SessionPass> {
    const state = await this.#load(turn.notes);
    const nowMs = this.#options.clock.nowMs();
    if (state.hold !== undefined && nowMs < state.hold.untilMs) throw heldError(state.hold, nowMs);
    const { session, hold } = state;
    if (session === undefined) {
      if (hold?.atLogin === true) await this.#checkMaintenance(turn, state, hold);
      return this.#login(turn, this.#state);
    }
    const expiresAtMs = jwtExpiryMs(session.token) ?? Number.POSITIVE_INFINITY;
    const givenAtMs = session.givenAtMs ?? session.loggedInAtMs;
    const isShort = expiresAtMs - givenAtMs < SHORT_LIFE_MS;
    if (nowMs < (isShort ? givenAtMs + REFRESH_SHORT_MS : expiresAtMs - REFRESH_BEFORE_MS)) return session;
    const renewed = await this.#refresh(turn, session);
    // A token that is short is used until it is turned away: logins by our clock would have no end.
    if (renewed !== undefined || isShort) {
      const next = { ...session, token: renewed ?? session.token, givenAtMs: nowMs };
      await this.#save(turn.notes, { ...state, session: next });
      return next;
    }
    if (state.hold !== undefined) await this.#loginOrHold(turn, state, state.hold, false);
    return this.#login(turn, this.#state);
  }

  /** The session got an answer that only a valid one gets. */
  async accepted({ notes }: SessionTurn): Promise<void> {
    const state = worked(this.#state, this.#options.clock.nowMs());
    if (state !== this.#state) await this.#save(notes, state);
  }

  /**
   * The session was turned away: the next turn logs in, unless the operator turns away even new ones.
   * @throws OperatorError `session_rejected`, `operator_maintenance`
   */
  async rejected(turn: SessionTurn, rejection: Rejection): Promise<never> {
    const state = this.#state;
    const { hold } = state;
    const nowMs = this.#options.clock.nowMs();
    if (hold !== undefined) {
      await this.#loginOrHold(turn, state, hold, rejection === 'status' && hold.logins === 0);
    } else if (isNew(state, nowMs) && (rejection === 'page' || state.useless > 0)) {
      await this.#hold(turn, state, rejection === 'page' ? 'operator_maintenance' : 'session_rejected');
    } else {
      await this.#save(turn.notes, ended(state, nowMs));
    }
    throw new OperatorError('welstory', 'session_rejected', 'The operator does not know the session.');
  }

  /** The operator says that it is at work on its service; the session may outlast that. */
  async maintenance(turn: SessionTurn): Promise<never> {
    return this.#hold(turn, this.#state, 'operator_maintenance');
  }

  /**
   * The answer was null: how an ended session is answered, or that there is nothing.
   * @returns true if there is nothing; false if the request has to be sent again, with a token that is known to be valid
   * @throws OperatorError `session_rejected`: the next turn logs in
   */
  async nullAnswer(turn: SessionTurn, pass: SessionPass): Promise<boolean> {
    const state = this.#state;
    const nowMs = this.#options.clock.nowMs();
    if (believesNull(state, nowMs)) {
      await this.accepted(turn);
      return true;
    }
    if (!isFirstNull(state, nowMs)) {
      const renewed = await this.#refresh(turn, pass);
      if (renewed !== undefined && state.session !== undefined) {
        const session = { ...state.session, token: renewed, givenAtMs: nowMs, provenAtMs: nowMs };
        await this.#save(turn.notes, { ...state, session });
        return false;
      }
      if (loginsLeftForNull(state, nowMs) <= 0)
        throw new OperatorError('welstory', 'operator_answer_empty', 'The answer was null too often.');
    }
    this.#forNull = true;
    await this.#save(turn.notes, endedByNull(state, nowMs));
    throw new OperatorError(
      'welstory',
      'session_rejected',
      'The answer is null: the session may have ended.',
    );
  }

  /** Whether the account is refused, as far as any process knows. */
  async refusal(notes: OperatorNotes | undefined): Promise<AccountRefusal | undefined> {
    const refusal = await this.#refusalOf(await this.#load(notes));
    return refusal && { sinceMs: refusal.sinceMs, nextLoginAtMs: refusal.nextLoginAtMs };
  }

  /** Undefined also for a refusal of another password. */
  async #refusalOf({ refusal }: SessionState): Promise<SessionState['refusal']> {
    return refusal !== undefined && refusal.credentials === (await this.#digest()) ? refusal : undefined;
  }

  /** Ends quietly if a login may be tried now although the operator turns sessions away. */
  async #loginOrHold(turn: SessionTurn, state: SessionState, hold: Hold, once: boolean): Promise<void> {
    const nowMs = this.#options.clock.nowMs();
    if (!once && nowMs < hold.nextLoginAtMs) await this.#hold(turn, state, hold.code);
    await this.#save(turn.notes, loginDuringHold({ ...state, hold }, nowMs));
  }

  /**
   * Ends quietly if a login may be tried although the last one was answered with maintenance: a request without a session
   * shows whether that is over.
   */
  async #checkMaintenance(turn: SessionTurn, state: SessionState, hold: Hold): Promise<void> {
    const answer = await this.#askWithoutSession(turn);
    if (saysMaintenance(answer))
      await this.#hold(turn, { ...state, hold: { ...hold, everywhere: true } }, hold.code);
    if (hold.everywhere !== true && this.#options.clock.nowMs() < hold.nextLoginAtMs)
      await this.#hold(turn, state, hold.code);
  }

  async #hold(turn: SessionTurn, state: SessionState, code: Hold['code']): Promise<never> {
    const nowMs = this.#options.clock.nowMs();
    const next = held(state, code, nowMs);
    await this.#save(turn.notes, next);
    throw heldError(next.hold, nowMs);
  }

  /** Undefined if only a new login helps. */
  async #refresh({ send }: SessionTurn, pass: SessionPass): Promise<string | undefined> {
    try {
      const answer = await send('/session', { headers: headersOf(pass) });
      if (answer.status !== 200 || isHtml(answer)) return undefined;
      return parseSessionToken(parseJson('welstory', answer));
    } catch (error) {
      if (error instanceof MenuError && error.code !== 'closed' && error.code !== 'aborted') return undefined;
      throw error;
    }
  }

  async #login(turn: SessionTurn, state: SessionState): Promise<SessionPass> {
    const { clock, deviceId } = this.#options;
    const refusal = await this.#refusalOf(state);
    if (refusal !== undefined && clock.nowMs() < refusal.nextLoginAtMs)
      throw refusedError(refusal.nextLoginAtMs - clock.nowMs());
    if (state.unavailable !== undefined && clock.nowMs() < state.unavailable.nextLoginAtMs)
      throw unavailableError(state.unavailable, clock.nowMs());
    const answer = await this.#logins.send(turn.send);
    const nowMs = clock.nowMs();
    const token = answer.headers.get('authorization');
    // Some logins redirect to a page: the token is in the answer that redirects.
    if (answer.status < 400 && token !== null && isToken(token)) {
      await this.#save(turn.notes, loggedIn(state, token, deviceId, nowMs, this.#forNull));
      this.#forNull = false;
      return { token, deviceId };
    }
    if (saysMaintenance(answer) || (await this.#leadsToMaintenance(turn, answer))) {
      const down = heldAtLogin(state, nowMs);
      await this.#save(turn.notes, down);
      throw heldError(down.hold, nowMs);
    }
    if (answer.status === 429 || answer.status >= 500) {
      const error = statusError('welstory', answer, nowMs);
      const attempts = this.#options.maxAttempts;
      const down = unavailableAtLogin(state, answer.status, attempts, error?.retryAfterMs ?? 0, nowMs);
      await this.#save(turn.notes, down);
      throw unavailableError(down.unavailable, nowMs, error);
    }
    const next = refused(state, await this.#digest(), nowMs);
    await this.#save(turn.notes, next);
    throw refusedError((next.refusal?.nextLoginAtMs ?? nowMs) - nowMs);
  }

  /** During maintenance everything may lead to its notice, where a login does not follow. */
  async #leadsToMaintenance(turn: SessionTurn, { status }: HttpAnswer): Promise<boolean> {
    if (status < 300 || status >= 400) return false;
    try {
      return saysMaintenance(await this.#askWithoutSession(turn));
    } catch (error) {
      if (error instanceof MenuError && error.code !== 'closed' && error.code !== 'aborted') return false;
      throw error;
    }
  }

  #askWithoutSession({ send }: SessionTurn): Promise<HttpAnswer> {
    return send('/session', { headers: deviceHeaders(this.#options.deviceId) });
  }

  #digest(): Promise<string> {
    const { username, password } = this.#options;
    this.#credentials ??= credentialsDigest(username, password);
    return this.#credentials;
  }

  /** What was written last, by any process; while the store is down, by this one. */
  async #load(notes: OperatorNotes | undefined): Promise<SessionState> {
    const text = await notes?.read(this.#name);
    const kept = text === undefined ? undefined : parseState(text);
    const latest = kept !== undefined && kept.savedAtMs >= this.#state.savedAtMs ? kept : this.#state;
    const nowMs = this.#options.clock.nowMs();
    if (latest.savedAtMs !== this.#state.savedAtMs || nowMs < this.#seenAtMs) this.#seenAtMs = nowMs;
    this.#state = asSeen(latest, this.#seenAtMs);
    return this.#state;
  }

  async #save(notes: OperatorNotes | undefined, state: SessionState): Promise<void> {
    // Always later than what was read, whatever the clocks of other machines say.
    const nowMs = this.#options.clock.nowMs();
    const savedAtMs = Math.max(nowMs, this.#state.savedAtMs + 1);
    this.#seenAtMs = nowMs;
    this.#state = { ...state, savedAtMs };
    await notes?.write(this.#name, JSON.stringify(this.#state));
  }
}
