import { MenuError, OperatorError } from '../domain/menu-error.ts';
import { isHtml, parseJson, statusError } from '../http/answer-error.ts';
import type { Clock } from '../http/clock.ts';
import type { HttpAnswer, HttpRequest } from '../http/send-request.ts';
import type { ReadOptions } from '../operator/operator.ts';

const REFRESH_BEFORE_MS = 5 * 60_000;
const PAUSE_AFTER_FAILED_LOGIN_MS = 60_000;

/** True for valid header text; the error that refuses anything else would quote it. */
function isHeaderText(text: string): boolean {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text);
}

export interface WelstorySessionOptions {
  readonly username: string;
  readonly password: string;
  readonly clock: Clock;
  /** Sends one request through the lane, without a session. */
  readonly send: (path: string, request: HttpRequest, options: ReadOptions) => Promise<HttpAnswer>;
  readonly retrying: <T>(attempt: () => Promise<T>) => Promise<T>;
}

/** The account's token: one login at a time, renewed before it expires; after a failed login, none for a minute. */
export class WelstorySession {
  readonly #options: WelstorySessionOptions;
  #token: string | undefined;
  #expiresAtMs = Number.POSITIVE_INFINITY;
  #pausedUntilMs = 0;
  #inFlight: Promise<string> | undefined;

  constructor(options: WelstorySessionOptions) {
    this.#options = options;
  }

  /** @throws OperatorError `login_failed`, `login_paused` */
  async token(options: ReadOptions): Promise<string> {
    const { clock } = this.#options;
    if (this.#token !== undefined && clock.nowMs() < this.#expiresAtMs - REFRESH_BEFORE_MS)
      return this.#token;
    this.#inFlight ??= this.#renew(options).finally(() => {
      this.#inFlight = undefined;
    });
    return this.#inFlight;
  }

  /** Forgets the token unless it was already replaced. */
  invalidate(token: string): void {
    if (this.#token === token) this.#token = undefined;
  }

  async #renew(options: ReadOptions): Promise<string> {
    const request: ReadOptions =
      options.exclusively === undefined ? {} : { exclusively: options.exclusively };
    const current = this.#token;
    const refreshed = current === undefined ? undefined : await this.#refresh(current, request);
    return this.#keep(refreshed ?? (await this.#login(request)));
  }

  #keep(token: string): string {
    this.#token = token;
    this.#expiresAtMs = jwtExpiryMs(token) ?? Number.POSITIVE_INFINITY;
    return token;
  }

  /** Undefined if only a new login helps. */
  async #refresh(token: string, options: ReadOptions): Promise<string | undefined> {
    try {
      const answer = await this.#options.send('/session', { headers: { authorization: token } }, options);
      if (answer.status !== 200 || isHtml(answer)) return undefined;
      const value = parseJson('welstory', answer);
      const renewed = typeof value === 'object' && value !== null && 'data' in value ? value.data : undefined;
      return typeof renewed === 'string' && isJwt(renewed) ? renewed : undefined;
    } catch (error) {
      if (error instanceof MenuError && error.code !== 'closed') return undefined;
      throw error;
    }
  }

  async #login(options: ReadOptions): Promise<string> {
    const { clock } = this.#options;
    const waitMs = this.#pausedUntilMs - clock.nowMs();
    if (waitMs > 0) {
      throw new OperatorError(
        'welstory',
        'login_paused',
        'The last login failed; waiting before the next one.',
        {
          retryAfterMs: waitMs,
        },
      );
    }
    try {
      return await this.#options.retrying(() => this.#attemptLogin(options));
    } catch (error) {
      if (!(error instanceof MenuError) || error.code === 'closed') throw error;
      this.#pausedUntilMs = clock.nowMs() + PAUSE_AFTER_FAILED_LOGIN_MS;
      if (error.code === 'login_failed') throw error;
      throw new OperatorError('welstory', 'login_paused', `The login failed: ${error.message}`, {
        cause: error,
        retryAfterMs: PAUSE_AFTER_FAILED_LOGIN_MS,
      });
    }
  }

  async #attemptLogin(options: ReadOptions): Promise<string> {
    const { username, password, clock } = this.#options;
    const answer = await this.#options.send(
      '/login',
      {
        method: 'POST',
        headers: { 'x-autologin': 'N' },
        body: new URLSearchParams({ username, password, 'remember-me': 'false' }),
      },
      options,
    );
    const token = answer.headers.get('authorization');
    // Some logins redirect to a page: the token is in the answer that redirects.
    if (answer.status >= 200 && answer.status < 400 && token !== null && isHeaderText(token)) return token;
    if (answer.status === 429 || answer.status >= 500) {
      const error = statusError('welstory', answer, clock.nowMs());
      if (error !== undefined) throw error;
    }
    if (answer.status === 200 && answer.body.trim() === '') {
      throw new OperatorError('welstory', 'operator_answer_empty', 'The login was answered with nothing.');
    }
    throw new OperatorError(
      'welstory',
      'login_failed',
      'The operator refused the login: check the user name and the password.',
    );
  }
}

/**
 * When the token ends (`exp`, RFC 7519 section 4.1.4), milliseconds since the epoch; undefined if it does not say.
 * Nothing is verified: the token is the operator's, and only its age matters here.
 */
function jwtExpiryMs(authorization: string): number | undefined {
  const payload = authorization.split(' ').at(-1)?.split('.')[1];
  if (payload === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    const exp = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : undefined;
    return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}

/** True for text that has the shape of a token, with or without a scheme before it. */
function isJwt(text: string): boolean {
  return /^(?:[A-Za-z]+ )?[\w-]+\.[\w-]+\.[\w-]*$/.test(text);
}
