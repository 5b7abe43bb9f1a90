import { MenuError, type MenuErrorCode, OperatorError } from '../domain/menu-error.ts';
import { statusError } from '../http/answer-error.ts';
import type { Clock } from '../http/clock.ts';
import { saysMaintenance } from '../http/maintenance-notice.ts';
import type { Send } from '../http/operator-http.ts';
import type { HttpAnswer } from '../http/send-request.ts';

const PAUSE_MS = 60_000;
/** An operator that answers logins with 429 or 5xx has more of them to bear: a single one after each of these. */
const UNAVAILABLE_PAUSES_MS = [PAUSE_MS, 2 * 60_000, 5 * 60_000, 15 * 60_000] as const;
const ANSWERED: ReadonlySet<MenuErrorCode> = new Set(['operator_unavailable', 'operator_rate_limited']);

/** An account of Welstory Plus, and how it is logged in to. */
export interface WelstoryAccount {
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
  readonly deviceId: string;
  readonly clock: Clock;
  /** How often a login that could not be made is tried at once. */
  readonly maxAttempts: number;
}

/** What every request of the account is sent with. */
export function deviceHeaders(deviceId: string): Readonly<Record<string, string>> {
  return { 'x-device-id': deviceId, 'user-agent': 'Welplus', accept: 'application/json' };
}

/** The logins of an account; one that could not be made is tried a few times, then not for a minute or more. */
export class WelstoryLogins {
  readonly #account: WelstoryAccount;
  /** The login that could not be made, as it is told until the next one. */
  #failure: { readonly error: MenuError; readonly untilMs: number } | undefined;
  #failed = 0;
  /** In a row, after logins that were answered. */
  #pauses = 0;

  constructor(account: WelstoryAccount) {
    this.#account = account;
  }

  /** @throws OperatorError why a login could not be made, also while none is tried */
  async send(send: Send): Promise<HttpAnswer> {
    const { username, password, deviceId, clock } = this.#account;
    this.#checkFailure();
    try {
      const answer = await send('/login', {
        method: 'POST',
        headers: { ...deviceHeaders(deviceId), 'x-autologin': 'N' },
        body: new URLSearchParams({ username, password, 'remember-me': 'false' }),
      });
      const unavailable = (answer.status === 429 || answer.status >= 500) && !saysMaintenance(answer);
      const error = unavailable ? statusError('welstory', answer, clock.nowMs()) : undefined;
      if (error !== undefined) throw error;
      this.#failed = 0;
      this.#pauses = 0;
      return answer;
    } catch (error) {
      if (!(error instanceof MenuError) || error.code === 'closed' || error.code === 'aborted') throw error;
      throw this.#failedWith(error);
    }
  }

  #failedWith(error: MenuError): MenuError {
    const { clock, maxAttempts } = this.#account;
    this.#failed += 1;
    if (this.#failed < (this.#pauses > 0 ? 1 : maxAttempts)) return error;
    this.#failed = 0;
    this.#pauses = ANSWERED.has(error.code) ? Math.min(this.#pauses + 1, UNAVAILABLE_PAUSES_MS.length) : 0;
    const waitMs = Math.max(UNAVAILABLE_PAUSES_MS[this.#pauses - 1] ?? PAUSE_MS, error.retryAfterMs ?? 0);
    this.#failure = { error, untilMs: clock.nowMs() + waitMs };
    return failureError(error, waitMs);
  }

  /** The cause of the last failure is what is told while no login is tried. */
  #checkFailure(): void {
    if (this.#failure === undefined) return;
    const waitMs = this.#failure.untilMs - this.#account.clock.nowMs();
    if (waitMs > 0) throw failureError(this.#failure.error, waitMs);
    this.#failure = undefined;
  }
}

function failureError(error: MenuError, retryAfterMs: number): OperatorError {
  const message = `The login could not be made: ${error.message}`;
  return new OperatorError('welstory', error.code, message, { cause: error, retryAfterMs });
}
