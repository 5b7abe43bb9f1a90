import type { SortKey } from 'rostack-core';
import { hasCode } from 'rostack-core/client';
import type { FollowChange, LiveChange, RecordChange, SnapshotChange } from '../follow/follow-change.ts';
import type { FollowView } from '../follow/follow-view.ts';
import { FollowedSet } from '../follow/followed-set.ts';
import type { RecordSet } from '../follow/record-set.ts';
import type { ResourceEvent } from '../follow/subscription/resource-event.ts';
import { WindowSet } from '../follow/window-set.ts';
import { type StateGoneError, StateStoreError } from '../http/error/errors.ts';
import type { StateUpdate } from '../state/state-store.ts';
import { loadOrder } from '../state/stored-order.ts';
import type { IndexedDbStateStore, RevisedState } from './indexeddb-state-store.ts';
import { NoticeChannel, type StateNotice } from './state-notice.ts';

/** A record came into the set. */
export interface TabCreatedChange<T> {
  /** Distinguishes the change from others. */
  readonly kind: 'created';
  /** Text of the record's id. */
  readonly id: string;
  /** The record as it is now. */
  readonly record: T;
}

/** A record of the set has changed. */
export interface TabUpdatedChange<T> extends RecordChange<T> {
  /** Distinguishes the change from others. */
  readonly kind: 'updated';
}

/** A record is no longer in the set. */
export interface TabRemovedChange<T> {
  /** Distinguishes the change from others. Not every tab knows whether the record was deleted. */
  readonly kind: 'removed';
  /** Text of the record's id. */
  readonly id: string;
  /** The record as it last was in the set. */
  readonly previous: T;
}

/** The leading tab has lost its connection; the set may be out of date until the next `live`. */
export interface ReconnectingChange {
  /** Distinguishes the change from others. */
  readonly kind: 'reconnecting';
}

/** The leading tab gives no signs of life, as when it is suspended; the set may be out of date until the next `live`. */
export interface StaleChange {
  /** Distinguishes the change from others. */
  readonly kind: 'stale';
}

/**
 * The changes that a tab gets, in order: a snapshot with `restored`, or `initial` if nothing was stored yet, then what follows.
 * `reconnecting` and `stale` only come after `live`, and `live` after them.
 */
export type TabChange<T> =
  | SnapshotChange<T>
  | TabCreatedChange<T>
  | TabUpdatedChange<T>
  | TabRemovedChange<T>
  | LiveChange
  | ReconnectingChange
  | StaleChange;

/** What a tab tells itself: the leading one is silent, or is live and the state was read again for that. */
interface OwnNotice {
  readonly kind: 'silent' | 'looked';
}

/** How many notices may wait for their consumer; if there are more, the state is read again. */
const MAX_WAITING = 1_024;

export interface TabMirrorOptions {
  readonly store: IndexedDbStateStore;
  readonly key: string;
  readonly resource: string;
  readonly view: FollowView | undefined;
}

/** Mirrors a state store by the notices about its steps. If it missed one, it reads the state again. */
export class TabMirror<T> {
  readonly #store: IndexedDbStateStore;
  readonly #key: string;
  readonly #set: RecordSet<T>;
  readonly #isSorted: boolean;
  #channel: NoticeChannel | undefined;
  #waiting: (StateNotice | OwnNotice)[] = [];
  /** How far the set is, as it was told last. */
  #told: 'live' | 'reconnecting' | 'stale' | undefined;
  #revision = 0;
  #hasState = false;
  #hasLooked = false;
  #isBehind = true;
  /** The last look found no state, or none that can be shown. */
  #isLost = false;
  #isClosed = false;
  #failure: { readonly error: unknown } | undefined;
  #notify: (() => void) | undefined;

  constructor({ store, key, resource, view }: TabMirrorOptions) {
    this.#store = store;
    this.#key = key;
    this.#isSorted = (view?.sort.length ?? 0) > 0;
    const options = { schema: undefined, resource, isFiltered: false };
    // The state decides: everything in it is held here.
    const held = view && { ...view, fields: undefined, margin: Number.POSITIVE_INFINITY };
    this.#set = held === undefined ? new FollowedSet(options) : new WindowSet(options, held);
  }

  get records(): ReadonlyMap<string, T> {
    return this.#set.records;
  }

  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#notify?.();
  }

  /** The leading tab gives no signs of life. */
  noteSilence(): void {
    this.#waiting.push({ kind: 'silent' });
    this.#notify?.();
  }

  close(): void {
    this.#isClosed = true;
    this.#notify?.();
  }

  /** @throws what `fail` was given; StateStoreError */
  async *changes(): AsyncGenerator<TabChange<T>, void, undefined> {
    // Opened before the state is read, so that no step is missed in between.
    const channel = new NoticeChannel(this.#store.name, this.#key, (notice) => this.#take(notice));
    this.#channel = channel;
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
    if (notice.kind === 'ask' || notice.kind === 'missing') return;
    this.#waiting.push(notice);
    if (this.#waiting.length > MAX_WAITING) {
      this.#isBehind = true;
      this.#waiting = this.#waiting.filter(({ kind }) => kind === 'status').slice(-1);
    }
    this.#notify?.();
  }

  async #catchUp(): Promise<SnapshotChange<T> | undefined> {
    this.#isBehind = false;
    const [state, order] = await this.#load().catch((cause: unknown) => {
      throw new StateStoreError(`the state store failed for the key ${this.#key}`, { cause });
    });
    this.#isLost = state === undefined;
    // The leading tab knows whether there should be one.
    if (state === undefined) this.#channel?.send({ kind: 'missing' });
    const isFirstLook = !this.#hasLooked;
    this.#hasLooked = true;
    if (state === undefined || state.revision === this.#revision) return undefined;
    const reason = this.#hasState ? 'replaced' : isFirstLook ? 'restored' : 'initial';
    const { revision, cursor, eventId } = state;
    const records = new Map(Array.from(state.records, ({ id, record }) => [id, record]));
    this.#revision = revision;
    this.#hasState = true;
    return this.#set.replace(reason, { records, cursor, eventId, order, isWhole: true });
  }

  async #load(): Promise<[RevisedState | undefined, readonly SortKey[]]> {
    // The order is stored before the state, so it is read after it.
    try {
      const state = await this.#store.load(this.#key);
      const order = await loadOrder(this.#store, this.#key);
      if (state === undefined || !this.#isSorted || order.length > 0) return [state, order];
      // Without the order nobody knows how records compare.
      return [undefined, order];
    } catch (error) {
      if (!hasCode<StateGoneError>(error, 'state_gone')) throw error;
      return [undefined, []];
    }
  }

  #apply(notice: StateNotice | OwnNotice): TabChange<T> | undefined {
    if (notice.kind === 'silent') return this.#tell('stale');
    if (notice.kind === 'looked') return this.#tell('live');
    if (notice.kind === 'status') return this.#noteStatus(notice.isLive);
    if (notice.kind !== 'stored' || (this.#hasState && notice.revision <= this.#revision)) return undefined;
    if (notice.update === undefined || notice.revision !== this.#revision + 1) {
      this.#isBehind = true;
      return undefined;
    }
    this.#revision = notice.revision;
    return this.#applyUpdate(notice.update);
  }

  #noteStatus(isLive: boolean): TabChange<T> | undefined {
    if (isLive && this.#isLost) {
      // Something was stored by now, or is stored again.
      this.#isBehind = true;
      this.#waiting.unshift({ kind: 'looked' });
      return undefined;
    }
    return this.#tell(isLive ? 'live' : 'reconnecting');
  }

  #tell(kind: 'live' | 'reconnecting' | 'stale'): TabChange<T> | undefined {
    const isNews = kind !== this.#told && (kind === 'live' || this.#told !== undefined);
    if (!isNews) return undefined;
    this.#told = kind;
    return { kind };
  }

  #applyUpdate({ put, remove, cursor }: StateUpdate): TabChange<T> | undefined {
    const id = put?.id ?? remove;
    if (id === undefined) return undefined;
    const event = { ...NO_EVENT, resourceId: id, resourceVersion: put?.version ?? '', cursor };
    const change =
      put === undefined ? this.#set.remove(event)?.change : this.#set.put(event, put.record)?.change;
    return change && toTabChange(change);
  }
}

/** A step says what it did to the records, but nothing about its event. */
const NO_EVENT: Omit<ResourceEvent<never>, 'resourceId' | 'resourceVersion' | 'cursor'> = {
  kind: 'event',
  eventId: '',
  occurredAt: '',
  eventType: '',
  transition: 'update',
  data: undefined,
  detailUrl: undefined,
};

function toTabChange<T>(change: FollowChange<T>): TabChange<T> | undefined {
  switch (change.kind) {
    case 'created':
      return { kind: 'created', id: change.id, record: change.record };
    case 'updated':
      return { kind: 'updated', id: change.id, record: change.record, previous: change.previous };
    case 'deleted':
    case 'left-or-deleted': {
      const { id, previous } = change;
      return previous === undefined ? undefined : { kind: 'removed', id, previous };
    }
    default:
      return change;
  }
}
