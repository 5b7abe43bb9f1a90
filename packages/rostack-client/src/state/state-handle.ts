import type { JsonObject } from 'rostack-core';
import { hasCode } from 'rostack-core/client';
import { type StateGoneError, StateStoreError, UsageError } from '../http/error/errors.ts';
import { reasonOf } from '../http/error/reason.ts';
import { isSameScope, type StateKeeper } from './state-keeper.ts';
import { StateLock } from './state-lock.ts';
import type { FollowState, StateScope, StateStore, StateUpdate, StoredRecord } from './state-store.ts';

/** Where one follow keeps its state: a key that no other follow uses, and calls that fail with an error of this package. */
export class StateHandle implements StateKeeper {
  readonly key: string;
  readonly #store: StateStore;
  readonly #hold: StateLock;
  /** Shared by all places of one hold. */
  readonly #tenure: { left?: { readonly reason: unknown } };
  #cursor: string | undefined;

  private constructor(
    store: StateStore,
    key: string,
    hold: StateLock,
    tenure: { left?: { readonly reason: unknown } },
  ) {
    this.#store = store;
    this.key = key;
    this.#hold = hold;
    this.#tenure = tenure;
  }

  /** @throws UsageError `invalid_options` when the key is in use; StateStoreError */
  static async take(store: StateStore, key: string): Promise<StateHandle> {
    return new StateHandle(store, key, await StateLock.take(store, key), {});
  }

  /** A place for other data of the same follow, under a separate key. It can be used until this place is left. */
  beside(name: string): StateHandle {
    return new StateHandle(this.#store, `${this.key}~${name}`, this.#hold, this.#tenure);
  }

  /** The stored cursor; undefined before there is a state. */
  get cursor(): string | undefined {
    return this.#cursor;
  }

  async load(): Promise<FollowState | undefined> {
    return this.#call(async () => {
      const state: unknown = await this.#store.load(this.key);
      return state === undefined ? undefined : checkFollowState(state);
    });
  }

  /**
   * The state that a follow of a scope continues from. A state that older releases kept under another key moves here, if it is of the same
   * scope and not in use.
   * @throws UsageError `invalid_options` for a state of another resource or implementation
   */
  async restore(scope: StateScope, olderKey: string | undefined): Promise<FollowState | undefined> {
    const state = await this.load().catch((error: unknown) => {
      // What is gone cannot be continued from.
      if (!hasCode<StateGoneError>(error, 'state_gone')) throw error;
      return undefined;
    });
    if (state !== undefined) {
      checkSameData(this.key, scope, state.scope);
      this.#cursor = state.cursor;
      return state;
    }
    return olderKey === undefined ? undefined : this.#adopt(olderKey, scope);
  }

  async replace(state: FollowState): Promise<void> {
    await this.#call(() => this.#store.replace(this.key, state));
    this.#cursor = state.cursor;
  }

  async update(update: StateUpdate): Promise<void> {
    await this.#call(() => this.#store.update(this.key, update));
    this.#cursor = update.cursor;
  }

  remove(): Promise<void> {
    return this.#call(() => this.#store.remove(this.key));
  }

  /** The follow is about to end: others who want the key wait for `leave`. */
  announceLeave(): void {
    this.#hold.leave();
  }

  /** Releases the key. After this, every call fails with the reason. */
  async leave(reason: unknown): Promise<void> {
    if (this.#tenure.left !== undefined) return;
    this.#tenure.left = { reason };
    this.#hold.leave();
    await this.#hold.release();
  }

  async #adopt(olderKey: string, scope: StateScope): Promise<FollowState | undefined> {
    const older = await StateHandle.take(this.#store, olderKey).catch((error: unknown) => {
      if (error instanceof UsageError) return undefined;
      throw error;
    });
    try {
      const state = await older?.load();
      if (state === undefined || !isSameScope(scope, state.scope)) return undefined;
      await this.replace(state);
      await older?.remove();
      return state;
    } finally {
      await older?.leave(undefined);
    }
  }

  async #call<R>(action: () => Promise<R>): Promise<R> {
    if (this.#tenure.left !== undefined) throw this.#tenure.left.reason;
    try {
      return await action();
    } catch (error) {
      if (error instanceof StateStoreError) throw error;
      if (hasCode<StateGoneError>(error, 'state_gone')) throw error;
      throw new StateStoreError(`the state store failed for the key ${this.key}: ${reasonOf(error)}`, {
        cause: error,
      });
    }
  }
}

/** Records of something else under the key mean that the key was chosen wrongly; they are not an older state of this follow. */
function checkSameData(key: string, wanted: StateScope, found: StateScope): void {
  const isSame = found.resource === wanted.resource && found.implementationId === wanted.implementationId;
  if (isSame) return;
  throw new UsageError(
    `the state store has ${found.resource} of ${found.implementationId} under the key ${JSON.stringify(key)}, not ${wanted.resource} of ${wanted.implementationId}: pass this follow a key of its own, or remove that state`,
  );
}

/** Makes sure that what a store returned is a state. @throws StateStoreError `state_store_failed` */
function checkFollowState(value: unknown): FollowState {
  const { scope, cursor, eventId, records } = asObject(value);
  if (typeof cursor !== 'string' || cursor === '') throw noState('has no cursor');
  if (eventId !== undefined && typeof eventId !== 'string')
    throw noState('has an eventId that is not a string');
  if (typeof records !== 'object' || records === null || !(Symbol.iterator in records)) {
    throw noState('has no records');
  }
  const checked = Array.from(records as Iterable<unknown>, checkRecord);
  return { scope: checkScope(scope), cursor, eventId, records: checked };
}

function checkScope(value: unknown): StateScope {
  const { implementationId, apiVersion, resource, filter } = asObject(value);
  if (
    typeof implementationId !== 'string' ||
    typeof apiVersion !== 'string' ||
    typeof resource !== 'string' ||
    (filter !== undefined && typeof filter !== 'string')
  ) {
    throw noState('has no scope');
  }
  return { implementationId, apiVersion, resource, filter };
}

function checkRecord(value: unknown): StoredRecord {
  const { id, record, version } = asObject(value);
  if (typeof id !== 'string' || (version !== undefined && typeof version !== 'string')) {
    throw noState('has a record without id or version');
  }
  return { id, version, record: asObject(record) as JsonObject };
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  throw noState('has something else in place of an object');
}

const noState = (fault: string): StateStoreError =>
  new StateStoreError(`what the state store returned is not a state: it ${fault}`);
