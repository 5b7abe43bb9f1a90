import { CredentialsError, UsageError } from '../../http/error/errors.ts';
import { reasonOf } from '../../http/error/reason.ts';
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
