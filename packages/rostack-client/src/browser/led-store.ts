import type { FollowState, StateStore, StateUpdate } from '../state/state-store.ts';
import type { IndexedDbStateStore } from './indexeddb-state-store.ts';
import type { TabLead } from './tab-lead.ts';

/** The store of a tab that leads: nothing is written once another tab has taken the lead. */
export class LedStore implements StateStore {
  readonly #store: IndexedDbStateStore;
  readonly #lead: TabLead;
  readonly #isTaken: boolean;

  /** @param isTaken whether the tab took the lead from one that may still hold the key */
  constructor(store: IndexedDbStateStore, lead: TabLead, isTaken: boolean) {
    this.#store = store;
    this.#lead = lead;
    this.#isTaken = isTaken;
  }

  load(key: string): Promise<FollowState | undefined> {
    return this.#store.load(key);
  }

  replace(key: string, state: FollowState): Promise<void> {
    return this.#store.replace(key, state, this.#lead);
  }

  update(key: string, update: StateUpdate): Promise<void> {
    return this.#store.update(key, update, this.#lead);
  }

  remove(key: string): Promise<void> {
    return this.#store.remove(key, this.#lead);
  }

  claim(key: string): Promise<(() => void) | undefined> {
    return this.#store.claim(key, this.#isTaken);
  }
}
