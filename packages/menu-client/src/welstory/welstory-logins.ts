import { MenuError } from '../domain/menu-error.ts';
import type { Clock } from '../http/clock.ts';
import type { Send } from '../http/operator-http.ts';
import type { HttpAnswer } from '../http/send-request.ts';
import { noLoginError } from './account-errors.ts';

const PAUSE_MS = 60_000;

/** An account of Welstory Plus, and how it is logged in to. */
export interface WelstoryAccount {
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
  readonly deviceId: string;
  readonly clock: Clock;
  /** How often a login that could not be made is tried at once. */
  readonly maxAttempts: number;
  /** Whether requests may go one of several ways, of which some are blocked. */
  readonly hasSeveralProxies: boolean;
}

/** What every request of the account is sent with. */
export function deviceHeaders(deviceId: string): Readonly<Record<string, string>> {
  return { 'x-device-id': deviceId, 'user-agent': 'Welplus', accept: 'application/json' };
}

/** The logins of one process; one that gets no answer is tried a few times, then not for a minute. */
export class WelstoryLogins {
  readonly #account: WelstoryAccount;
  /** The login that could not be made, as it is told until the next one. */
  #failure: { readonly error: MenuError; readonly untilMs: number } | undefined;
  #failed = 0;

  constructor(account: WelstoryAccount) {
    this.#account = account;
  }

  /** @throws OperatorError why a login could not be made, also while none is tried */
  async send(send: Send): Promise<HttpAnswer> {
    const { username, password, deviceId, hasSeveralProxies } = this.#account;
    this.#checkFailure();
    try {
      // What finds the way is sent through one proxy after the other; a login is sent once, since 403 may refuse it.
      if (hasSeveralProxies) await send('/session', { headers: deviceHeaders(deviceId) });
      const answer = await send('/login', {
        method: 'POST',
        headers: { ...deviceHeaders(deviceId), 'x-autologin': 'N' },
        body: new URLSearchParams({ username, password, 'remember-me': 'false' }),
      });
      this.#failed = 0;
      return answer;
    } catch (error) {
      if (!(error instanceof MenuError) || error.code === 'closed' || error.code === 'aborted') throw error;
      throw this.#failedWith(error);
    }
  }

  #failedWith(error: MenuError): MenuError {
    const { clock, maxAttempts } = this.#account;
    this.#failed += 1;
    if (this.#failed < maxAttempts) return error;
    this.#failed = 0;
    this.#failure = { error, untilMs: clock.nowMs() + PAUSE_MS };
    return noLoginError(error, PAUSE_MS);
  }

  /** The cause of the last failure is what is told while no login is tried. */
  #checkFailure(): void {
    if (this.#failure === undefined) return;
    const waitMs = this.#failure.untilMs - this.#account.clock.nowMs();
    if (waitMs > 0) throw noLoginError(this.#failure.error, waitMs);
    this.#failure = undefined;
  }
}
