import type { SharedTokenRecord, SharedTokenStore } from '../auth/shared-token-store.ts';

/** How the checks make and fill the token store of somebody. `T` is what holds the store, or the store itself. */
export interface SharedTokenStoreTarget<T> {
  /** Makes one without tokens; called for each check. */
  readonly open: () => T | Promise<T>;
  /** The store of what was opened. */
  readonly store: (opened: T) => SharedTokenStore;
  /** Keeps a token that is not revoked; resolves when `find` has it. */
  readonly add: (opened: T, record: SharedTokenRecord) => unknown;
  /** Revokes a token; resolves when `find` says so. Without it nothing is checked of revocation. */
  readonly revoke?: (opened: T, tokenId: string) => unknown;
  /** Takes away what the store reads from. Without it nothing is checked of outages. */
  readonly cutOff?: (opened: T) => unknown;
  /**
   * Frees what was opened; called at the end of each check.
   * @default nothing
   */
  readonly close?: (opened: T) => unknown;
}
