import { StateStoreError } from '../error/errors.ts';
import type { LiveChange, RecordChange, SnapshotChange } from '../follow/follow-change.ts';
import { snapshotDifference } from '../follow/followed-set.ts';
import type { StateUpdate, StoredRecord } from '../store/state-store.ts';
import type { IndexedDbStateStore } from './indexeddb-state-store.ts';
import { NoticeChannel, type StateNotice } from './state-notice.ts';

/** A record came into the set. */
export interface TabCreatedChange<T> {
  readonly kind: 'created';
  readonly id: string;
  readonly record: T;
}

/** A record of the set has changed. */
export interface TabUpdatedChange<T> extends RecordChange<T> {
  readonly kind: 'updated';
}

/** A record is no longer in the set. */
export interface TabRemovedChange<T> {
  readonly kind: 'removed';
  readonly id: string;
  readonly previous: T;
}

/** What a tab is told, in order: a snapshot with `restored`, or `initial` where nothing was stored yet, then what follows. */
export type TabChange<T> =
  | SnapshotChange<T>
  | TabCreatedChange<T>
  | TabUpdatedChange<T>
  | TabRemovedChange<T>
  | LiveChange;

/** Notices that wait for their consumer; with more, the state is read again. */
const MAX_WAITING = 1_024;

/** Holds what a state store holds, by what is told of its steps; where one was missed, it reads the state again. */
export class TabMirror<T> {
  readonly #store: IndexedDbStateStore;
  readonly #key: string;
  #stored = new Map<string, StoredRecord>();
  #records = new Map<string, T>();
  #waiting: StateNotice[] = [];
  #revision = 0;
  #hasState = false;
  #hasLooked = false;
  #isBehind = true;
  #isClosed = false;
  #failure: { readonly error: unknown } | undefined;
  #notify: (() => void) | undefined;

  constructor(store: IndexedDbStateStore, key: string) {
    this.#store = store;
    this.#key = key;
  }

  get records(): ReadonlyMap<string, T> {
    return this.#records;
  }

  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#notify?.();
  }

  close(): void {
    this.#isClosed = true;
    this.#notify?.();
  }

  /** @throws what `fail` was given; StateStoreError */
  async *changes(): AsyncGenerator<TabChange<T>, void, undefined> {
    // Before the state is read, so that no step is missed in between.
    const channel = new NoticeChannel(this.#store.name, this.#key, (notice) => this.#take(notice));
    this.#isBehind = true;
    try {
      channel.send({ kind: 'ask' });
      while (!this.#isClosed) {
        if (this.#failure !== undefined) throw this.#failure.error;
        if (this.#isBehind) {
          const snapshot = await this.#catchUp();
          if (snapshot !== undefined) yield snapshot;
          continue;
        }
        const notice = this.#waiting.shift();
        if (notice === undefined) {
          await new Promise<void>((resolve) => {
            this.#notify = resolve;
          });
          this.#notify = undefined;
          continue;
        }
        const change = this.#apply(notice);
        if (change !== undefined) yield change;
      }
    } finally {
      channel.close();
    }
  }

  #take(notice: StateNotice): void {
    if (notice.kind === 'ask') return;
    this.#waiting.push(notice);
    if (this.#waiting.length > MAX_WAITING) {
      this.#isBehind = true;
      this.#waiting = this.#waiting.filter(({ kind }) => kind === 'status').slice(-1);
    }
    this.#notify?.();
  }

  async #catchUp(): Promise<SnapshotChange<T> | undefined> {
    this.#isBehind = false;
    const state = await this.#store.load(this.#key).catch((cause: unknown) => {
      throw new StateStoreError(`the state store failed for the key ${this.#key}`, { cause });
    });
    const isFirstLook = !this.#hasLooked;
    this.#hasLooked = true;
    if (state === undefined || state.revision === this.#revision) return undefined;
    const reason = this.#hasState ? 'replaced' : isFirstLook ? 'restored' : 'initial';
    const after = new Map(Array.from(state.records, (record) => [record.id, record]));
    return this.#replace(reason, after, state);
  }

  #replace(
    reason: SnapshotChange<T>['reason'],
    after: Map<string, StoredRecord>,
    { revision, cursor }: { readonly revision: number; readonly cursor: string },
  ): SnapshotChange<T> {
    const before = { stored: this.#stored, records: this.#records };
    const records = new Map(Array.from(after, ([id, { record }]) => [id, record as T]));
    const { added, changed, removed } =
      reason === 'restored'
        ? { added: [], changed: [], removed: [] }
        : snapshotDifference(before.stored, after);
    this.#stored = after;
    this.#records = records;
    this.#revision = revision;
    this.#hasState = true;
    return {
      kind: 'snapshot',
      reason,
      records: new Map(records),
      added: added.map((id) => ({ id, record: records.get(id) as T })),
      changed: changed.map((id) => ({
        id,
        record: records.get(id) as T,
        previous: before.records.get(id) as T,
      })),
      removed: removed.map((id) => ({ id, previous: before.records.get(id) as T })),
      cursor,
    };
  }

  #apply(notice: StateNotice): TabChange<T> | undefined {
    if (notice.kind === 'status') return notice.isLive ? { kind: 'live' } : undefined;
    if (notice.kind === 'ask' || (this.#hasState && notice.revision <= this.#revision)) return undefined;
    if (notice.update === undefined || notice.revision !== this.#revision + 1) {
      this.#isBehind = true;
      return undefined;
    }
    this.#revision = notice.revision;
    return this.#applyUpdate(notice.update);
  }

  #applyUpdate({ put, remove }: StateUpdate): TabChange<T> | undefined {
    if (put !== undefined) {
      const { id } = put;
      const record = put.record as T;
      const isHeld = this.#stored.has(id);
      const previous = this.#records.get(id) as T;
      this.#stored.set(id, put);
      this.#records.set(id, record);
      return isHeld ? { kind: 'updated', id, record, previous } : { kind: 'created', id, record };
    }
    if (remove === undefined || !this.#stored.has(remove)) return undefined;
    const previous = this.#records.get(remove) as T;
    this.#stored.delete(remove);
    this.#records.delete(remove);
    return { kind: 'removed', id: remove, previous };
  }
}
