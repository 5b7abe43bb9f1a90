import type { JsonObject } from 'rostack-core';
import {
  aFunction,
  anInteger,
  anObject,
  aSignal,
  aString,
  expecting,
  hasCode,
  listOf,
  objectWith,
  optional,
  optionsOf,
} from 'rostack-core/client';
import type { RostackClient } from '../client/client.ts';
import { QUIET_MS } from '../connection/link/probe-while-visible.ts';
import { persist } from '../connection/retry/persist.ts';
import type { FollowOptions } from '../follow/follow.ts';
import { followKey } from '../follow/follow-key.ts';
import { followView } from '../follow/follow-view.ts';
import { checkUsage, type StateGoneError, StateStoreError, UsageError } from '../http/error/errors.ts';
import { aRecordId } from '../list/record-ids.ts';
import { storeOrder } from '../state/stored-order.ts';
import { IndexedDbStateStore } from './indexeddb-state-store.ts';
import { LeaderWatch } from './leader-watch.ts';
import { LedStore } from './led-store.ts';
import { NoticeChannel } from './state-notice.ts';
import type { LeadLostError } from './tab-lead.ts';
import { type TabChange, TabMirror } from './tab-mirror.ts';

/** What the tabs of an origin follow together; give all of them the same. The leading tab reads snapshots. */
export interface TabFollowOptions
  extends Pick<
    FollowOptions<JsonObject>,
    'filter' | 'sort' | 'limit' | 'margin' | 'fields' | 'snapshot' | 'key' | 'recordId'
  > {
  /** The same database in all tabs. */
  readonly store: IndexedDbStateStore;
  /** Connects; called in the leading tab, for each attempt. The follow closes the client. */
  readonly connect: () => Promise<RostackClient>;
  /** Name of the resource. */
  readonly resource: string;
  /**
   * Called when this tab becomes the one that holds the connection.
   * @default not called
   */
  readonly onLead?: () => void;
  /**
   * Ends the follow of this tab when it is aborted.
   * @default none
   */
  readonly signal?: AbortSignal;
}

const tabFollowOptions = optionsOf<TabFollowOptions>({
  store: expecting('an IndexedDbStateStore', (value) => value instanceof IndexedDbStateStore),
  connect: aFunction,
  resource: aString,
  filter: optional(anObject),
  sort: optional(listOf(aString)),
  limit: optional(anInteger(1)),
  margin: optional(anInteger(0)),
  fields: optional(listOf(aString)),
  snapshot: optional(objectWith('read', 'createStore', 'forget')),
  key: optional(aString),
  recordId: optional(aRecordId),
  onLead: optional(aFunction),
  signal: optional(aSignal),
});

/** The time in which a tab holds the lock of the leading one. */
interface Term {
  /** Whether the lock was taken from a tab that is suspended. */
  readonly isTaken: boolean;
  /** Aborted at its end. */
  readonly ending: AbortController;
  /** This tab stands by again: another one has taken the lead, or there has to be a new snapshot. */
  isOver: boolean;
}

/**
 * A follow that all tabs of an origin share: one of them holds the connection and writes the state, all mirror it. When that tab is
 * closed or crashes, the browser gives its lock to another one, which continues from the stored cursor. A visible tab takes over from one
 * that is suspended and gives no sign of life for 6 s.
 */
export class TabFollow<T = JsonObject> implements AsyncIterable<TabChange<T>>, AsyncDisposable {
  readonly #options: TabFollowOptions;
  readonly #key: string;
  readonly #ending = new AbortController();
  readonly #mirror: TabMirror<T>;
  #term: Term | undefined;

  /** @throws UsageError `invalid_options`; FilterError of rostack-core */
  constructor(options: TabFollowOptions) {
    checkUsage(tabFollowOptions, options);
    const { locks } = navigator as { readonly locks?: LockManager };
    if (locks === undefined) {
      throw new UsageError('this page has no navigator.locks: serve it over https, or from localhost');
    }
    this.#options = options;
    const view = followView(options);
    this.#key = followKey(options.resource, options, view);
    this.#mirror = new TabMirror({ ...options, key: this.#key, view });
    if (options.signal?.aborted === true) void this.close();
    options.signal?.addEventListener('abort', () => void this.close(), {
      once: true,
      signal: this.#ending.signal,
    });
    void this.#standBy();
  }

  /** The set by id, in the order of `sort`, as of the newest change that was returned. */
  get records(): ReadonlyMap<string, T> {
    return this.#mirror.records;
  }

  /** Whether this tab holds the connection. */
  get isLeader(): boolean {
    return this.#term !== undefined;
  }

  /** A snapshot, then each change. One loop at a time. @throws what ended the follow, in the leading tab */
  [Symbol.asyncIterator](): AsyncGenerator<TabChange<T>, void, undefined> {
    return this.#mirror.changes();
  }

  /**
   * Calls `onChange` for each change and waits for it; ends when the follow is closed.
   * @throws UsageError `invalid_options` when the callback is not a function; what ended the follow, and what the
   *   callback throws
   */
  async run(onChange: (change: TabChange<T>) => void | Promise<void>): Promise<void> {
    checkUsage(aFunction, onChange, 'onChange');
    for await (const change of this) await onChange(change);
  }

  /** Leaves; if this tab led, another one takes over. */
  async close(): Promise<void> {
    this.#ending.abort();
    this.#mirror.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Waits for the lock, which the browser passes on when its holder ends, or takes it from a tab that is suspended. */
  async #standBy(): Promise<void> {
    const { signal } = this.#ending;
    let isTaken = false;
    while (!signal.aborted) {
      const turn = new AbortController();
      const onEnd = (): void => turn.abort();
      signal.addEventListener('abort', onEnd, { once: true });
      const term: Term = { isTaken, ending: new AbortController(), isOver: false };
      try {
        await this.#takeTurn(turn, term);
        return;
      } catch (error) {
        if (signal.aborted) return;
        // Without a leading tab the lock would have been given: so it is held by one that is suspended.
        isTaken = turn.signal.aborted && !term.isOver;
        const wasTaken = error instanceof DOMException && error.name === 'AbortError';
        if (!isTaken && !term.isOver && !wasTaken) {
          this.#mirror.fail(error);
          return;
        }
      } finally {
        signal.removeEventListener('abort', onEnd);
        this.#leave(term);
      }
    }
  }

  /** @throws an `AbortError` when the leading tab is silent, or when another one has taken the lock from this one */
  async #takeTurn(turn: AbortController, term: Term): Promise<void> {
    const { name } = this.#options.store;
    const lead = (): Promise<void> => {
      watch?.stop();
      return this.#lead(term);
    };
    const watch = term.isTaken
      ? undefined
      : new LeaderWatch({
          database: name,
          key: this.#key,
          onStale: () => this.#mirror.noteSilence(),
          onSilent: () => turn.abort(),
        });
    try {
      await navigator.locks.request(
        `rostack-client:${name}:${this.#key}:leader`,
        term.isTaken ? { steal: true } : { signal: turn.signal },
        lead,
      );
    } finally {
      watch?.stop();
    }
  }

  #leave(term: Term): void {
    term.ending.abort();
    if (this.#term === term) this.#term = undefined;
  }

  /** Begins another term if the state is gone, or a part of it: its follow takes a new snapshot. */
  async #check(term: Term): Promise<void> {
    const state = await this.#options.store.load(this.#key).catch((error: unknown) => {
      if (!hasCode<StateGoneError>(error, 'state_gone')) throw error;
    });
    if (state !== undefined) return;
    term.isOver = true;
    term.ending.abort();
  }

  async #lead(term: Term): Promise<void> {
    const { store, resource, onLead } = this.#options;
    const signal = AbortSignal.any([this.#ending.signal, term.ending.signal]);
    this.#term = term;
    onLead?.();
    let isLive = false;
    let client: RostackClient | undefined;
    let keepOrder = async (): Promise<void> => {};
    const channel = new NoticeChannel(store.name, this.#key, ({ kind }) => {
      if (kind === 'ask') {
        // A visible tab relies on this one, which may be in the background.
        client?.probe(QUIET_MS);
        tell(isLive);
      }
      // Before the set is live there need not be a state.
      if (kind === 'missing' && isLive) {
        void keepOrder()
          .then(() => this.#check(term))
          .then(() => tell(isLive))
          .catch(() => {});
      }
    });
    const tell = (isLiveNow: boolean): void => {
      isLive = isLiveNow;
      if (!signal.aborted) channel.send({ kind: 'status', isLive });
    };
    tell(false);
    try {
      const lead = await persist(() => store.lead(this.#key), signal);
      const connected = await persist(() => this.#options.connect(), signal);
      client = connected;
      const onAbort = (): void => void connected.close();
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        signal.throwIfAborted();
        const led = new LedStore(store, lead, term.isTaken);
        const options = { ...this.#followOptions(signal), store: led, onLost: () => tell(false) };
        const follow = connected.follow(resource, options);
        const order = await follow.order();
        keepOrder = () => storeOrder(store, this.#key, order);
        await keepOrder();
        // The mirror gets the changes from the store, here as in every other tab.
        await follow.run(async ({ kind }) => {
          // Where the state is gone, the order is as well.
          if (kind === 'snapshot') await keepOrder();
          if (kind === 'live') tell(true);
        });
      } finally {
        signal.removeEventListener('abort', onAbort);
        await connected.close();
      }
    } catch (error) {
      term.isOver ||= error instanceof StateStoreError && hasCode<LeadLostError>(error.cause, 'lead_lost');
      throw error;
    } finally {
      channel.close();
      this.#leave(term);
    }
  }

  #followOptions(signal: AbortSignal): FollowOptions<JsonObject> {
    const { resource: _resource, connect: _connect, onLead: _onLead, ...options } = this.#options;
    return { ...options, key: this.#key, signal };
  }
}
