import type { AuthenticationMethod, AuthenticationResult, Credential } from '../../auth/authenticator.ts';
import type { AuthenticatorSet } from '../../auth/authenticator-set.ts';
import type { Clock } from '../options/clock.ts';

/** Something that relies on a credential, such as a connection. */
export interface CredentialHolder {
  credentialRechecked(result: AuthenticationResult): void;
}

interface WatchedCredential {
  /** A key that is the same for connections with the same credential. */
  readonly key: unknown;
  credential: Credential;
  readonly holders: Set<CredentialHolder>;
}

export interface CredentialWatchOptions {
  readonly authenticators: AuthenticatorSet;
  readonly clock: Clock;
  readonly onFault: (method: AuthenticationMethod, error: unknown) => void;
}

const CONCURRENT_CHECKS = 16;

/** Rechecks the credentials of connections; connections with the same credential share a check. */
export class CredentialWatch {
  readonly #options: CredentialWatchOptions;
  readonly #watched = new Map<unknown, WatchedCredential>();
  readonly #held = new Map<CredentialHolder, WatchedCredential>();
  #isChecking = false;

  constructor(options: CredentialWatchOptions) {
    this.#options = options;
  }

  /** Watches a holder's credential instead of the one it had. */
  watch(holder: CredentialHolder, credential: Credential): void {
    this.release(holder);
    const { principal, credentialId } = credential;
    const key = credentialId === undefined ? holder : `${principal.method} ${credentialId}`;
    const watched = this.#watched.get(key) ?? { key, credential, holders: new Set() };
    watched.credential = credential;
    watched.holders.add(holder);
    this.#watched.set(key, watched);
    this.#held.set(holder, watched);
  }

  release(holder: CredentialHolder): void {
    const watched = this.#held.get(holder);
    if (watched === undefined) return;
    this.#held.delete(holder);
    watched.holders.delete(holder);
    if (watched.holders.size === 0) this.#watched.delete(watched.key);
  }

  /** Checks each credential once and notifies its holders; does nothing while an earlier check is running. */
  async check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const pending = [...this.#watched.values()].values();
    await Promise.all(Array.from({ length: CONCURRENT_CHECKS }, () => this.#checkAll(pending)));
    this.#isChecking = false;
  }

  async #checkAll(pending: Iterable<WatchedCredential>): Promise<void> {
    for (const watched of pending) {
      const result = await this.#recheck(watched.credential);
      const holders = [...watched.holders];
      for (const holder of holders) holder.credentialRechecked(result);
    }
  }

  async #recheck(credential: Credential): Promise<AuthenticationResult> {
    const { method } = credential.principal;
    const { authenticators, clock, onFault } = this.#options;
    try {
      return await authenticators.recheck(credential, clock.wallMs());
    } catch (error) {
      onFault(method, error);
      return { kind: 'unavailable', retryAfterMs: 1_000 };
    }
  }
}
