import type { AuthenticationResult, Authenticator } from 'rostack-server';
import type { Random } from 'test-support/random';
import { PERMISSIONS } from '../../follows/post.ts';
import type { SimProcess } from '../time/sim-process.ts';

const GRANTS: ReadonlySet<string> = new Set(Object.keys(PERMISSIONS));

/** Hands out tokens that expire, and says what they are worth. */
export class TokenDesk {
  readonly #revoked = new Set<string>();
  #issued = 0;
  /** How long a token lives, in ms; changed while faults last. */
  lifetimeMs = 3_600_000;
  /** Probability that nobody can tell what a token is worth. */
  failure = 0;

  issue(principal: string, wallMs: number): string {
    this.#issued += 1;
    return `${principal}.${this.#issued}.${wallMs + this.lifetimeMs}`;
  }

  /** True once tokens were short-lived or revoked, until peace has come. */
  isStrict = false;

  /** Revokes all tokens that were handed out so far. */
  revokeAll(): void {
    this.isStrict = true;
    for (let number = 1; number <= this.#issued; number += 1) this.#revoked.add(String(number));
  }

  authenticator(process: SimProcess, random: Random): Authenticator {
    const judge = async (token: string, nowMs: number): Promise<AuthenticationResult> => {
      const fails = random.chance(this.failure);
      await process.wait(random.int(0, 2));
      if (fails) return { kind: 'unavailable', retryAfterMs: 100 };
      const [principal = '', number = '', expiresAt = ''] = token.split('.');
      const expiresAtMs = Number(expiresAt);
      if (this.#revoked.has(number)) return { kind: 'refused', reason: 'revoked' };
      if (!(nowMs < expiresAtMs)) return { kind: 'refused', reason: 'expired' };
      return {
        kind: 'authenticated',
        credential: {
          principal: { id: principal, method: 'shared_token', permissions: GRANTS },
          expiresAtMs,
          credentialId: token,
        },
      };
    };
    return {
      method: 'shared_token',
      authenticate: judge,
      recheck: ({ credentialId = '' }, nowMs) => judge(credentialId, nowMs),
    };
  }
}
