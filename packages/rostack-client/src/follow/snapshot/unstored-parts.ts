import type { FollowState, StateStore, StateUpdate } from '../../state/state-store.ts';

/**
 * Where a follow without a store keeps the parts of a snapshot: as they are, since the records are in memory already. It only supports
 * what `SnapshotParts` does: records that can be iterated more than once, and updates that add a record.
 */
export class UnstoredParts implements StateStore {
  readonly #states = new Map<string, FollowState>();

  async load(key: string): Promise<FollowState | undefined> {
    return this.#states.get(key);
  }

  async replace(key: string, state: FollowState): Promise<void> {
    this.#states.set(key, state);
  }

  async update(key: string, { cursor, eventId, put }: StateUpdate): Promise<void> {
    const state = this.#states.get(key);
    if (state === undefined) throw new Error(`there is no state under the key ${key}`);
    const records = put === undefined ? state.records : [...state.records, put];
    this.#states.set(key, { ...state, cursor, eventId, records });
  }

  async remove(key: string): Promise<void> {
    this.#states.delete(key);
  }
}
