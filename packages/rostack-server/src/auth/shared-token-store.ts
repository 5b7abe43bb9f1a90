import type { JsonObject } from 'rostack-core';

/** What the server keeps of one shared token. */
export interface SharedTokenRecord {
  /** Public id, as in the token's text. */
  readonly tokenId: string;
  /** SHA-256 of the token, 32 bytes. */
  readonly verifier: Uint8Array;
  /** Whom the token speaks for, in the operator's words; clients only ever see an id derived from it. */
  readonly subject: string;
  /** Permission names bound to the token (protocol section 3). */
  readonly grants: readonly string[];
  /** What else is said of the principal, for row rules. @default nothing */
  readonly claims?: JsonObject | undefined;
  /** Time in ms since the epoch from which the token is no longer valid. */
  readonly expiresAtMs?: number | undefined;
  /** Time in ms since the epoch at which it was revoked. */
  readonly revokedAtMs?: number | undefined;
}

/** Where the records of shared tokens are kept. `rostack-server/testing` has checks of it. */
export interface SharedTokenStore {
  /** The record of a token id, revoked and expired ones included; rejects when the store cannot answer. */
  find(tokenId: string): Promise<SharedTokenRecord | undefined>;
}

/** Keeps token records in memory: for tests and for tokens that come with the configuration. */
export class MemorySharedTokenStore implements SharedTokenStore {
  readonly #records = new Map<string, SharedTokenRecord>();

  constructor(records: Iterable<SharedTokenRecord> = []) {
    for (const record of records) this.put(record);
  }

  /** Adds a record, or replaces the one of the same token id. */
  put(record: SharedTokenRecord): void {
    this.#records.set(record.tokenId, record);
  }

  /** Marks a token as revoked from `nowMs` on; false when there is none of that id. */
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
