import type { SharedTokenRecord, SharedTokenStore } from '../auth/shared-token-store.ts';

/** How the checks create and fill the token store under test. `T` is the object that holds the store, or the store itself. */
export interface SharedTokenStoreTarget<T> {
  /** Opens one without tokens; called for each check. */
  readonly open: () => T | Promise<T>;
  /** The store of what was opened. */
  readonly store: (opened: T) => SharedTokenStore;
  /** Adds a token that is not revoked; resolves when `find` can find it. */
  readonly add: (opened: T, record: SharedTokenRecord) => unknown;
  /** Revokes a token; resolves when `find` returns it as revoked. Without it revocation is not checked. */
  readonly revoke?: (opened: T, tokenId: string) => unknown;
  /** Makes the store's database unreachable. Without it outages are not checked. */
  readonly cutOff?: (opened: T) => unknown;
  /**
   * Frees what was opened; called at the end of each check.
   * @default nothing
   */
  readonly close?: (opened: T) => unknown;
}
