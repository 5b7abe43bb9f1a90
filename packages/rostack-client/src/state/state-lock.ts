import { warn } from '../connection/platform/platform.ts';
import { StateStoreError, UsageError } from '../http/error/errors.ts';
import { reasonOf } from '../http/error/reason.ts';
import type { StateStore } from './state-store.ts';

/** The keys that are in use by follows of this process, by store. */
const holds = new WeakMap<StateStore, Map<string, StateLock>>();

/** A key that is in use by one follow, so that no other follow mixes its state with it. */
export class StateLock {
  readonly #store: StateStore;
  readonly #key: string;
  readonly #gone = Promise.withResolvers<void>();
  #letGo: (() => unknown) | undefined;
  #isLeaving = false;

  private constructor(store: StateStore, key: string) {
    this.#store = store;
    this.#key = key;
  }

  /**
   * Takes a key. If the follow that has it is about to leave, this waits for it.
   * @throws UsageError `invalid_options` when another follow has it
   * @throws StateStoreError `state_store_failed`
   */
  static async take(store: StateStore, key: string): Promise<StateLock> {
    const byKey = holds.get(store) ?? new Map<string, StateLock>();
    holds.set(store, byKey);
    for (let present = byKey.get(key); present !== undefined; present = byKey.get(key)) {
      if (!present.#isLeaving) throw inUse(key, 'in this process');
      await present.#gone.promise;
    }
    const hold = new StateLock(store, key);
    byKey.set(key, hold);
    try {
      await hold.#claim();
      return hold;
    } catch (error) {
      await hold.release();
      throw error;
    }
  }

  /** Announces that the key will be free soon: others who want it wait. */
  leave(): void {
    this.#isLeaving = true;
  }

  async release(): Promise<void> {
    const letGo = this.#letGo;
    this.#letGo = undefined;
    try {
      await letGo?.();
    } catch (error) {
      warn(`a state store failed to let go of the key ${this.#key}`, error);
    }
    const byKey = holds.get(this.#store);
    if (byKey?.get(this.#key) === this) byKey.delete(this.#key);
    this.#gone.resolve();
  }

  async #claim(): Promise<void> {
    if (this.#store.claim === undefined) return;
    let letGo: unknown;
    try {
      letGo = await this.#store.claim(this.#key);
    } catch (cause) {
      throw new StateStoreError(`the state store failed to claim the key ${this.#key}: ${reasonOf(cause)}`, {
        cause,
      });
    }
    if (letGo === undefined) throw inUse(this.#key, 'in another process, or through another store');
    if (typeof letGo !== 'function') {
      throw new StateStoreError(`claim of the state store returned no function for the key ${this.#key}`);
    }
    this.#letGo = letGo as () => unknown;
  }
}

const inUse = (key: string, where: string): UsageError =>
  new UsageError(
    `the key ${JSON.stringify(key)} of the state store is in use by another follow ${where}: close that one first, or pass this one a key of its own`,
  );
