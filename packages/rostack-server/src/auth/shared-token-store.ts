import type { JsonObject } from 'rostack-core';

/** What the server stores of a shared token. */
export interface SharedTokenRecord {
  /** Public id, as in the token's text. */
  readonly tokenId: string;
  /** SHA-256 of the token, 32 bytes. */
  readonly verifier: Uint8Array;
  /** The token's principal, as the operator names it; clients only see an id derived from it. */
  readonly subject: string;
  /** Permission names bound to the token (protocol section 3). */
  readonly grants: readonly string[];
  /** Further claims about the principal, for row rules. @default none */
  readonly claims?: JsonObject | undefined;
  /** Time in ms since the epoch from which the token is no longer valid. */
  readonly expiresAtMs?: number | undefined;
  /** Time in ms since the epoch at which it was revoked. */
  readonly revokedAtMs?: number | undefined;
}

/** Stores the records of shared tokens. `rostack-server/testing` has checks for implementations. */
export interface SharedTokenStore {
  /** The record of a token id, even if revoked or expired; rejects if the store cannot answer. */
  find(tokenId: string): Promise<SharedTokenRecord | undefined>;
}

/** Keeps token records in memory: for tests and for tokens from a configuration. */
export class MemorySharedTokenStore implements SharedTokenStore {
  readonly #records = new Map<string, SharedTokenRecord>();

  constructor(records: Iterable<SharedTokenRecord> = []) {
    for (const record of records) this.put(record);
  }

  /** Adds a record, or replaces the one with the same token id. */
  put(record: SharedTokenRecord): void {
    this.#records.set(record.tokenId, record);
  }

  /** Marks a token as revoked from `nowMs` on; false if there is none with that id. */
  revoke(tokenId: string, nowMs: number): boolean {
    const record = this.#records.get(tokenId);
    if (record === undefined) return false;
    this.put({ ...record, revokedAtMs: nowMs });
    return true;
  }

  async find(tokenId: string): Promise<SharedTokenRecord | undefined> {
    return this.#records.get(tokenId);
  }
}
