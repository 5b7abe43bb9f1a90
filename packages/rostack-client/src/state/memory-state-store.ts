import { StateGoneError } from '../http/error/errors.ts';
import type { FollowState, StateScope, StateStore, StateUpdate, StoredRecord } from './state-store.ts';

interface Entry {
  readonly scope: StateScope;
  given: readonly StoredRecord[];
  /** Holds the records once there is an update: many states never have one. */
  byId: Map<string, StoredRecord> | undefined;
  cursor: string;
  eventId: string | undefined;
}

/** Keeps states until the process ends. */
export class MemoryStateStore implements StateStore {
  readonly #entries = new Map<string, Entry>();

  async load(key: string): Promise<FollowState | undefined> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const { scope, cursor, eventId, given, byId } = entry;
    return { scope, cursor, eventId, records: [...(byId?.values() ?? given)] };
  }

  async replace(key: string, { scope, cursor, eventId, records }: FollowState): Promise<void> {
    this.#entries.set(key, { scope, cursor, eventId, given: [...records], byId: undefined });
  }

  async update(key: string, { cursor, eventId, put, remove }: StateUpdate): Promise<void> {
    const entry = this.#entries.get(key);
    if (entry === undefined) throw new StateGoneError(`there is no state under the key ${key}`);
    entry.byId ??= new Map(entry.given.map((stored) => [stored.id, stored]));
    entry.given = [];
    if (remove !== undefined) entry.byId.delete(remove);
    if (put !== undefined) entry.byId.set(put.id, put);
    entry.cursor = cursor;
    entry.eventId = eventId;
  }

  async remove(key: string): Promise<void> {
    this.#entries.delete(key);
  }
}
