import type { AuthenticationMethod } from 'rostack-core';
import { SHARED_TOKEN_SCHEME } from 'rostack-core/client';
import { CredentialsError, UsageError } from '../../http/error/errors.ts';
import { reasonOf } from '../../http/error/reason.ts';
import type { ClientClock } from '../platform/platform.ts';
import { RefusalCount } from '../retry/retry.ts';

/** What proves who the client is (protocol section 4). */
export interface Credential {
  /** `shared_token` or `oauth2`, one that the server advertises. */
  readonly method: AuthenticationMethod;
  /**
   * The token alone, without the name of its scheme. It is sent in a header field or the first message, never in a
   * URL.
   */
  readonly token: string;
}

/**
 * Why a credential is asked for: the first one, another one before the current one expires, or another one because the
 * server refused the current one.
 */
export type CredentialReason = 'initial' | 'expiring' | 'refused';

/** Gives credentials; called again whenever another one is needed, never twice at once. */
export type CredentialsCallback = (request: {
  readonly reason: CredentialReason;
  /** Aborted when the client is closed. */
  readonly signal: AbortSignal;
}) => Credential | Promise<Credential>;

/** One fixed credential, or a callback that gives and renews credentials. */
export type Credentials = Credential | CredentialsCallback;

/** RFC 6750 section 2.1 b64token, and every other visible character; no space, so that nothing can follow the token. */
const TOKEN = /^[\x21-\x7e]{1,16384}$/;

/** @throws UsageError `invalid_options`; its message never holds the token */
export function checkCredential(credential: Credential): Credential {
  if (typeof credential !== 'object' || credential === null) {
    throw new UsageError(
      "there are no credentials: pass { method: 'shared_token', token } or { method: 'oauth2', token } after the URL, or a callback that gives one of these",
    );
  }
  if (credential.method !== 'oauth2' && credential.method !== 'shared_token') {
    throw new UsageError('the method of a credential is neither "oauth2" nor "shared_token"');
  }
  if (typeof credential.token !== 'string' || !TOKEN.test(credential.token)) {
    throw new UsageError('a token is 1 to 16,384 visible ASCII characters');
  }
  return credential;
}

/** Value of the `Authorization` header field. */
export function authorizationOf({ method, token }: Credential): string {
  return `${method === 'oauth2' ? 'Bearer' : SHARED_TOKEN_SCHEME} ${token}`;
}

/** Keeps the current credential and renews it through the caller's callback, one call at a time. */
export class CredentialSource {
  readonly #credentials: Credentials;
  readonly #signal: AbortSignal;
  #present: Credential | undefined;
  #renewal: Promise<Credential> | undefined;

  /** @throws UsageError `invalid_options` for a credential that cannot be one */
  constructor(credentials: Credentials, signal: AbortSignal) {
    this.#credentials = credentials;
    this.#signal = signal;
    if (typeof credentials !== 'function') this.#present = checkCredential(credentials);
  }

  /** Whether the current credential can be replaced by another one. */
  get canRenew(): boolean {
    return typeof this.#credentials === 'function';
  }

  /** The current credential; asks for the first one if there is none yet. @throws CredentialsError */
  async current(): Promise<Credential> {
    return this.#present ?? this.#ask('initial');
  }

  /**
   * Another credential than the one that expires or was refused; the current one, if that one has already been replaced.
   * @throws CredentialsError
   */
  async renew(replaced: Credential, reason: CredentialReason): Promise<Credential> {
    if (this.#present !== undefined && this.#present.token !== replaced.token) return this.#present;
    return this.#ask(reason);
  }

  #ask(reason: CredentialReason): Promise<Credential> {
    this.#renewal ??= this.#call(reason).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #call(reason: CredentialReason): Promise<Credential> {
    if (typeof this.#credentials !== 'function') return this.#credentials;
    try {
      const credential = await this.#credentials({ reason, signal: this.#signal });
      this.#present = checkCredential(credential);
      return credential;
    } catch (error) {
      if (error instanceof UsageError) throw error;
      throw new CredentialsError(`the credentials callback failed: ${reasonOf(error)}`, { cause: error });
    }
  }
}

/** What a user of the credentials needs of the client's context. */
export interface CredentialContext {
  readonly credentials: CredentialSource;
  readonly platform: { readonly clock: ClientClock };
  readonly limits: { readonly maxRefusalMs: number };
}

/** Refusals in a row, each of a renewed credential, before trying again may be pointless. */
const MAX_REFUSALS = 3;

/** How one user of the credentials fares: the connections of one link, or the requests of one follow. */
export class CredentialUse {
  readonly #context: CredentialContext;
  readonly #refusals = new RefusalCount();
  #refused: Credential | undefined;

  constructor(context: CredentialContext) {
    this.#context = context;
  }

  get canRenew(): boolean {
    return this.#source.canRenew;
  }

  /**
   * The first credential of a connection, never the one that the gateway has just refused; or the one after the current one.
   * @throws CredentialsError, UsageError
   */
  async next(present: Credential | undefined): Promise<Credential> {
    if (present !== undefined) return this.#source.renew(present, 'expiring');
    const refused = this.#refused;
    if (refused === undefined) return this.#source.current();
    const renewed = await this.#source.renew(refused, 'refused');
    this.#refused = undefined;
    return renewed;
  }

  noteAccepted(): void {
    this.#refusals.reset();
  }

  /**
   * Counts the refusals in a row: credentials that can be renewed may be accepted the next time.
   * @param credential what was sent last, if this user asks for credentials itself
   * @returns whether another one may still be accepted
   */
  noteRefused(credential?: Credential): boolean {
    const { platform, limits } = this.#context;
    this.#refused = credential;
    const { count, forMs } = this.#refusals.add(platform.clock.monotonicMs());
    return this.canRenew && (count < MAX_REFUSALS || forMs < limits.maxRefusalMs);
  }

  get #source(): CredentialSource {
    return this.#context.credentials;
  }
}
