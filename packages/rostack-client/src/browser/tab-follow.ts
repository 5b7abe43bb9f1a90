import type { JsonObject } from 'rostack-core';
import {
  aFunction,
  anObject,
  aSignal,
  aText,
  expecting,
  listOf,
  objectWith,
  optional,
  optionsOf,
  wholeNumber,
} from 'rostack-core/client';
import type { RostackClient } from '../client.ts';
import { ClientError, checkUsage, UsageError } from '../error/errors.ts';
import type { FollowOptions } from '../follow/follow.ts';
import { followKey } from '../follow/follow-key.ts';
import { followView } from '../follow/follow-view.ts';
import { SYSTEM_CLOCK } from '../platform/clock.ts';
import { Waker } from '../platform/waker.ts';
import { aRecordId } from '../resource/record-ids.ts';
import { retry, retryDelayAfter, retryRules } from '../retry/retry.ts';
import { IndexedDbStateStore } from './indexeddb-state-store.ts';
import { NoticeChannel } from './state-notice.ts';
import { storeOrder } from './stored-order.ts';
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
  resource: aText,
  filter: optional(anObject),
  sort: optional(listOf(aText)),
  limit: optional(wholeNumber(1)),
  margin: optional(wholeNumber(0)),
  fields: optional(listOf(aText)),
  snapshot: optional(objectWith('read', 'createStore', 'forget')),
  key: optional(aText),
  recordId: optional(aRecordId),
  onLead: optional(aFunction),
  signal: optional(aSignal),
});

/** The longest delay that a server may ask for before its discovery is known. */
const MAX_SERVER_DELAY_MS = 300_000;

/**
 * A follow that all tabs of an origin share: one of them holds the connection and writes the state, all mirror it. When that tab is
 * closed or crashes, the browser gives its lock to another one, which continues from the stored cursor.
 */
export class TabFollow<T = JsonObject> implements AsyncIterable<TabChange<T>>, AsyncDisposable {
  readonly #options: TabFollowOptions;
  readonly #key: string;
  readonly #ending = new AbortController();
  readonly #mirror: TabMirror<T>;
  #isLeader = false;

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
    return this.#isLeader;
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

  /** Waits for the lock, which the browser passes on when its holder ends. Then leads until this tab closes. */
  async #standBy(): Promise<void> {
    const { signal } = this.#ending;
    try {
      await navigator.locks.request(
        `rostack-client:${this.#options.store.name}:${this.#key}:leader`,
        { signal },
        () => this.#lead(signal),
      );
    } catch (error) {
      if (!signal.aborted) this.#mirror.fail(error);
    }
  }

  async #lead(signal: AbortSignal): Promise<void> {
    const { store, resource, onLead } = this.#options;
    this.#isLeader = true;
    onLead?.();
    let isLive = false;
    const channel = new NoticeChannel(store.name, this.#key, (notice) => {
      if (notice.kind === 'ask') channel.send({ kind: 'status', isLive });
    });
    try {
      const client = await this.#connect(signal);
      const onAbort = (): void => void client.close();
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        const follow = client.follow(resource, this.#followOptions(signal));
        await storeOrder(store, this.#key, await follow.order());
        // The mirror gets the changes from the store, here as in every other tab.
        await follow.run(({ kind }) => {
          if (kind !== 'live') return;
          isLive = true;
          channel.send({ kind: 'status', isLive });
        });
      } finally {
        signal.removeEventListener('abort', onAbort);
        await client.close();
      }
    } finally {
      channel.close();
      this.#isLeader = false;
    }
  }

  #followOptions(signal: AbortSignal): FollowOptions<JsonObject> {
    const { resource: _resource, connect: _connect, onLead: _onLead, ...options } = this.#options;
    return { ...options, key: this.#key, signal };
  }

  #connect(signal: AbortSignal): Promise<RostackClient> {
    const waker = new Waker();
    waker.listen(signal);
    return retry(
      async () => {
        signal.throwIfAborted();
        return this.#options.connect();
      },
      (error, failures) => {
        if (!(error instanceof ClientError)) throw error;
        const rules = retryRules(undefined, MAX_SERVER_DELAY_MS);
        return waker.wait(SYSTEM_CLOCK, retryDelayAfter(rules, error, failures, Math.random()), signal);
      },
    );
  }
}
