import { CredentialsError, UsageError } from '../../http/error/errors.ts';
import { reasonOf } from '../../http/error/reason.ts';
import type { ClientClock } from '../platform/platform.ts';
import { RefusalCount } from '../retry/retry.ts';
import { type Credential, type CredentialReason, type Credentials, checkCredential } from './credential.ts';

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

export interface CredentialRefusalsOptions {
  readonly source: CredentialSource;
  readonly clock: ClientClock;
  /** How long credentials may be refused in a row, see `ClientLimits`. */
  readonly maxRefusalMs: number;
}

/** Refusals in a row, each of a renewed credential, before trying again may be pointless. */
const MAX_REFUSALS = 3;

/** Counts the refusals in a row. Credentials that can be renewed may be accepted the next time. */
export class CredentialRefusals {
  readonly #options: CredentialRefusalsOptions;
  readonly #refusals = new RefusalCount();

  constructor(options: CredentialRefusalsOptions) {
    this.#options = options;
  }

  noteAccepted(): void {
    this.#refusals.reset();
  }

  /** @returns whether another credential may still be accepted */
  noteRefused(): boolean {
    const { source, clock, maxRefusalMs } = this.#options;
    const { count, forMs } = this.#refusals.add(clock.monotonicMs());
    return source.canRenew && (count < MAX_REFUSALS || forMs < maxRefusalMs);
  }
}

/** The credentials for the connections of one link: never one that the gateway has just refused. */
export class GatewayCredentials {
  readonly #source: CredentialSource;
  readonly #refusals: CredentialRefusals;
  #refused: Credential | undefined;

  constructor(options: CredentialRefusalsOptions) {
    this.#source = options.source;
    this.#refusals = new CredentialRefusals(options);
  }

  get canRenew(): boolean {
    return this.#source.canRenew;
  }

  /** The first credential of a connection, or the one after the current one. @throws CredentialsError, UsageError */
  async next(present: Credential | undefined): Promise<Credential> {
    if (present !== undefined) return this.#source.renew(present, 'expiring');
    const refused = this.#refused;
    if (refused === undefined) return this.#source.current();
    const renewed = await this.#source.renew(refused, 'refused');
    this.#refused = undefined;
    return renewed;
  }

  noteAccepted(): void {
    this.#refusals.noteAccepted();
  }

  /** @param credential what was sent last @returns whether another one may still be accepted */
  noteRefused(credential: Credential | undefined): boolean {
    this.#refused = credential;
    return this.#refusals.noteRefused();
  }
}
