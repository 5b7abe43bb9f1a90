import type { FollowState, StateScope, StateStore, StateUpdate, StoredRecord } from './state-store.ts';

interface Entry {
  readonly scope: StateScope;
  readonly records: Map<string, StoredRecord>;
  cursor: string;
  eventId: string | undefined;
}

/** Keeps states as long as the process lives. */
export class MemoryStateStore implements StateStore {
  readonly #entries = new Map<string, Entry>();

  async load(key: string): Promise<FollowState | undefined> {
    const entry = this.#entries.get(key);
    return entry && { ...entry, records: [...entry.records.values()] };
  }

  async replace(key: string, { scope, cursor, eventId, records }: FollowState): Promise<void> {
    const byId = new Map<string, StoredRecord>();
    for (const stored of records) byId.set(stored.id, stored);
    this.#entries.set(key, { scope, cursor, eventId, records: byId });
  }

  async update(key: string, { cursor, eventId, put, remove }: StateUpdate): Promise<void> {
    const entry = this.#entries.get(key);
    if (entry === undefined) throw new Error(`there is no state under the key ${key}`);
    if (remove !== undefined) entry.records.delete(remove);
    if (put !== undefined) entry.records.set(put.id, put);
    entry.cursor = cursor;
    entry.eventId = eventId;
  }

  async remove(key: string): Promise<void> {
    this.#entries.delete(key);
  }
}
