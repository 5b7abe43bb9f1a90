import type {
  AuthenticationMethod,
  AuthenticationResult,
  Authenticator,
  Credential,
} from '../../auth/authenticator.ts';
import type { Awaitable } from '../../awaitable.ts';

/** All authenticators of a gateway, several per method where tokens have several issuers. */
export class AuthenticatorSet {
  readonly #authenticators: readonly Authenticator[];

  constructor(authenticators: readonly Authenticator[]) {
    this.#authenticators = authenticators;
  }

  /** The first acceptance; else whether nobody can tell, or all refuse. */
  authenticate(method: AuthenticationMethod, token: string, nowMs: number): Promise<AuthenticationResult> {
    return this.#ask(method, (each) => each.authenticate(token, nowMs));
  }

  recheck(credential: Credential, nowMs: number): Promise<AuthenticationResult> {
    return this.#ask(credential.principal.method, (each) => each.recheck(credential, nowMs));
  }

  async #ask(
    method: AuthenticationMethod,
    ask: (authenticator: Authenticator) => Awaitable<AuthenticationResult>,
  ): Promise<AuthenticationResult> {
    let result: AuthenticationResult = { kind: 'refused', reason: 'unknown' };
    for (const authenticator of this.#authenticators) {
      if (authenticator.method !== method) continue;
      const next = await ask(authenticator);
      if (next.kind === 'authenticated') return next;
      if (result.kind === 'refused') result = next;
    }
    return result;
  }
}
