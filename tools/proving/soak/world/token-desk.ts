import { createSharedToken } from 'rostack-server';
import type { Store } from 'rostack-store';
import { PERMISSIONS } from '../../follows/post.ts';
import { patiently } from './log-keeper.ts';

/** Hands out the tokens of the soak's clients, and takes them back. */
export class TokenDesk {
  readonly #store: Store;
  readonly #present = new Map<string, string>();
  /** How far the gateways' clocks are ahead. */
  clockOffsetMs = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** A new token of this principal; it lives that long by the gateways' clocks, or for good. */
  async issue(subject: string, lifetimeMs: number | undefined): Promise<string> {
    const { token, tokenId, verifier } = createSharedToken();
    const expiresAtMs = lifetimeMs === undefined ? undefined : Date.now() + this.clockOffsetMs + lifetimeMs;
    await patiently(() =>
      this.#store.tokens.add({ tokenId, verifier, subject, grants: Object.keys(PERMISSIONS), expiresAtMs }),
    );
    this.#present.set(subject, tokenId);
    return token;
  }

  /** Revokes the newest token of a principal. */
  async revoke(subject: string): Promise<void> {
    const tokenId = this.#present.get(subject);
    if (tokenId !== undefined) await patiently(() => this.#store.tokens.revoke(tokenId));
  }
}
