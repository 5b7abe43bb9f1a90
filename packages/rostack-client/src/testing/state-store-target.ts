import type { StateStore } from '../state/state-store.ts';

/** How the checks make your state store. `T` is what holds the store, or the store itself. */
export interface StateStoreTarget<T> {
  /** Makes an empty one; called for each check. */
  readonly open: () => T | Promise<T>;
  /** The store of what was opened. */
  readonly store: (opened: T) => StateStore;
  /** Closes it and opens what it has kept, as the next process does. Without it, what a store keeps is not checked. */
  readonly reopen?: (opened: T) => T | Promise<T>;
  /**
   * Opens a second one over what the first keeps, as another process does; it is also closed by `close`. Without it, `claim` is not
   * checked.
   */
  readonly openSecond?: (opened: T) => T | Promise<T>;
  /**
   * Frees what was opened; called at the end of each check.
   * @default nothing
   */
  readonly close?: (opened: T) => unknown;
}
