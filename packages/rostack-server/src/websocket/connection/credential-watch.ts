import type {
  AuthenticationMethod,
  AuthenticationResult,
  Awaitable,
  Credential,
} from '../../auth/authenticator.ts';
import type { AuthenticatorSet } from '../../auth/authenticator-set.ts';
import type { GatewayHooks } from '../../options/gateway-hooks.ts';
import type { RateLimiter } from '../../rate-limit/rate-limit.ts';
import { takePoint } from '../../rate-limit/rate-limiter.ts';
import type { Clock } from '../options/clock.ts';
import type { VerificationResult } from '../session/session-input.ts';
import type { SessionEffect } from '../session/session-state.ts';

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

const RETRY_MS = 1_000;

/** What verifying a credential needs from the gateway. */
export interface VerifyingGateway {
  readonly authenticators: AuthenticatorSet;
  readonly clock: Clock;
  readonly hooks: Pick<GatewayHooks, 'onAlarm'>;
  /** Counts failed authentications; undefined if they are not counted. */
  readonly rateLimiter: RateLimiter | undefined;
}

/** What verifying a credential needs from the connection. */
export interface VerifyingConnection {
  readonly address: string;
  /** Whether it has been closed. */
  readonly isGone: () => boolean;
  /** Takes one of the principal's places; false if none is left. */
  readonly claim: (principalId: string) => Awaitable<boolean>;
  /** Called when a credential was refused; `isLimited` is whether too many were refused for its address. */
  readonly refused: (refusal: Extract<AuthenticationResult, { kind: 'refused' }>, isLimited: boolean) => void;
}

/** Verifies a token with the authenticators of its method; a refusal counts against the address of the connection. */
export async function verify(
  { authenticators, clock, hooks, rateLimiter }: VerifyingGateway,
  { method, token }: Extract<SessionEffect, { kind: 'verify' }>,
  { address, isGone, claim, refused }: VerifyingConnection,
): Promise<VerificationResult> {
  try {
    const result = await authenticators.authenticate({ method, token, address, isGone }, clock.wallMs());
    if (result.kind === 'refused') {
      const waitMs = await takePoint(rateLimiter, 'failure', address || undefined, (error) =>
        hooks.onAlarm?.({ kind: 'rate_limiter_fault', error }),
      );
      refused(result, waitMs > 0);
      return waitMs > 0 ? { kind: 'rate_limited', retryAfterMs: waitMs } : result;
    }
    return result.kind === 'authenticated' && !(await claim(result.credential.principal.id))
      ? { kind: 'too_many_connections', retryAfterMs: RETRY_MS }
      : result;
  } catch (error) {
    hooks.onAlarm?.({ kind: 'authenticator_fault', method, error });
    return { kind: 'unavailable', retryAfterMs: RETRY_MS };
  }
}
