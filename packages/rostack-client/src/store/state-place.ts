import { StateStoreError } from '../error/index.ts';
import { checkFollowState } from './check-follow-state.ts';
import { KeyHold } from './key-hold.ts';
import type { FollowState, StateStore, StateUpdate } from './state-store.ts';

/** Where one follow keeps its state: a key that it alone uses, and calls that fail with an error of this package. */
export class StatePlace {
  readonly key: string;
  readonly #store: StateStore;
  readonly #hold: KeyHold;
  #left: { readonly reason: unknown } | undefined;

  private constructor(store: StateStore, key: string, hold: KeyHold) {
    this.#store = store;
    this.key = key;
    this.#hold = hold;
  }

  /** @throws UsageError `invalid_options` when the key is in use; StateStoreError */
  static async take(store: StateStore, key: string): Promise<StatePlace> {
    return new StatePlace(store, key, await KeyHold.take(store, key));
  }

  async load(): Promise<FollowState | undefined> {
    return this.#call(async () => {
      const state: unknown = await this.#store.load(this.key);
      return state === undefined ? undefined : checkFollowState(state);
    });
  }

  replace(state: FollowState): Promise<void> {
    return this.#call(() => this.#store.replace(this.key, state));
  }

  update(update: StateUpdate): Promise<void> {
    return this.#call(() => this.#store.update(this.key, update));
  }

  remove(): Promise<void> {
    return this.#call(() => this.#store.remove(this.key));
  }

  /** The follow ends: whoever wants the key waits for `leave`. */
  announceLeave(): void {
    this.#hold.leave();
  }

  /** Lets go of the key; what is called from here on fails with the reason. */
  async leave(reason: unknown): Promise<void> {
    if (this.#left !== undefined) return;
    this.#left = { reason };
    this.#hold.leave();
    await this.#hold.release();
  }

  async #call<R>(action: () => Promise<R>): Promise<R> {
    if (this.#left !== undefined) throw this.#left.reason;
    try {
      return await action();
    } catch (error) {
      if (error instanceof StateStoreError) throw error;
      throw new StateStoreError(`the state store failed for the key ${this.key}`, { cause: error });
    }
  }
}
