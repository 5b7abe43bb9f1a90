import { hashFilter, parseFilter } from 'rostack-core';
import { RecordError, StateStoreError, SubscriptionError } from '../error/index.ts';
import { MemoryStateStore } from '../store/memory-state-store.ts';
import type { FollowState, StateScope, StateStore, StoredRecord } from '../store/state-store.ts';
import { eventRecord } from './event-record.ts';
import type { FollowBackend, FollowedEvent, FollowPlace } from './follow-backend.ts';
import type { FollowChange, SnapshotChange } from './follow-change.ts';
import type { FollowOptions } from './follow-options.ts';
import { FollowedSet } from './followed-set.ts';
import { readSnapshot } from './read-snapshot.ts';

type Changes<T> = AsyncGenerator<FollowChange<T>, void, undefined>;

/**
 * Holds the records of one resource that match a filter, and tells each change in order: a snapshot first, then one change per event.
 * A change counts as processed when the next one is asked for; then, and not before, it is stored together with its cursor. What was
 * not processed when the process ends comes again (at least once).
 * @see protocol section 8
 */
export class Follow<T>
  implements AsyncIterableIterator<FollowChange<T>, undefined, undefined>, AsyncDisposable
{
  readonly #backend: FollowBackend;
  readonly #options: FollowOptions<T>;
  readonly #store: StateStore;
  readonly #key: string;
  readonly #set: FollowedSet<T>;
  readonly #ending = new AbortController();
  readonly #signal: AbortSignal;
  readonly #generator: Changes<T>;
  #isOver = false;
  /** Whether a set was told, or stored, before. */
  #hasState = false;
  /** Why the newest subscription ended. */
  #lost: unknown;

  /** Use `RostackClient.follow`. */
  constructor(resource: string, options: FollowOptions<T>, backend: FollowBackend) {
    const { schema, recordId, filter, signal } = options;
    this.#backend = backend;
    this.#options = options;
    this.#store = options.store ?? new MemoryStateStore();
    this.#key = options.key ?? resource;
    this.#set = new FollowedSet({ schema, recordId, resource, isFiltered: filter !== undefined });
    this.#signal =
      signal === undefined ? this.#ending.signal : AbortSignal.any([signal, this.#ending.signal]);
    this.#generator = this.#changes();
  }

  /** The set by id, as of the newest change given out. */
  get records(): ReadonlyMap<string, T> {
    return this.#set.records;
  }

  /** @throws SubscriptionError, HttpProblemError, RecordError and others (see README); the signal's reason */
  async next(): Promise<IteratorResult<FollowChange<T>, undefined>> {
    try {
      const { done, value } = await this.#generator.next();
      if (done !== true) return { done: false, value };
    } catch (error) {
      if (!this.#isOver) throw error;
    }
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<FollowChange<T>, undefined>> {
    this.close();
    await this.#generator.return();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Calls back for each change, waits for the callback, and goes on; ends when the follow is closed. */
  async run(onChange: (change: FollowChange<T>) => void | Promise<void>): Promise<void> {
    for await (const change of this) await onChange(change);
  }

  /** Ends the iteration; what is being processed stays unstored. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ending.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async *#changes(): Changes<T> {
    this.#signal.throwIfAborted();
    let place = yield* this.#restore(await this.#scope());
    for (let failures = 0; ; failures += 1) {
      if (place === undefined) {
        if (failures > 1) await this.#backend.pause(this.#lost, failures - 1, this.#signal);
        place = { cursor: yield* this.#takeSnapshot(), seen: undefined };
      }
      const liveForMs = yield* this.#followFrom(place);
      place = undefined;
      if (liveForMs >= this.#backend.healthyAfterMs()) failures = 0;
    }
  }

  async #scope(): Promise<StateScope> {
    const { document, resource } = await this.#backend.describe(this.#signal);
    const { filter } = this.#options;
    return {
      implementationId: document.implementation.id,
      apiVersion: document.implementation.api_version,
      resource: resource.name,
      filter: filter === undefined ? undefined : hashFilter(parseFilter(filter)),
    };
  }

  /** @returns where to go on, or undefined where a snapshot is needed */
  async *#restore(scope: StateScope): AsyncGenerator<FollowChange<T>, FollowPlace | undefined, undefined> {
    const state = await this.#access(() => this.#store.load(this.#key));
    if (state === undefined) return undefined;
    const stored = new Map(Array.from(state.records, (record) => [record.id, record]));
    const change = this.#restoreSet(stored, state.cursor);
    if (change === undefined) return undefined;
    this.#hasState = true;
    if (!sameScope(scope, state.scope)) return undefined;
    yield change;
    return { cursor: state.cursor, seen: state.eventId };
  }

  /** Records that an older schema let pass make room for a new snapshot. */
  #restoreSet(stored: ReadonlyMap<string, StoredRecord>, cursor: string): SnapshotChange<T> | undefined {
    try {
      return this.#set.replace('restored', stored, cursor);
    } catch (error) {
      if (error instanceof RecordError) return undefined;
      throw error;
    }
  }

  async *#takeSnapshot(): AsyncGenerator<FollowChange<T>, string, undefined> {
    const { records, cursor } = await readSnapshot(this.#backend, this.#set, this.#signal);
    const scope = await this.#scope();
    const reason: SnapshotChange<T>['reason'] = this.#hasState ? 'replaced' : 'initial';
    yield this.#set.replace(reason, records, cursor);
    this.#hasState = true;
    const state: FollowState = { scope, cursor, eventId: undefined, records: records.values() };
    await this.#access(() => this.#store.replace(this.#key, state));
    return cursor;
  }

  /** Follows until the server can no longer go on from the cursor. @returns for how many milliseconds it was live */
  async *#followFrom(place: FollowPlace): AsyncGenerator<FollowChange<T>, number, undefined> {
    const subscription = await this.#backend.subscribe(place, this.#signal);
    let liveAtMs: number | undefined;
    try {
      for (;;) {
        const message = await subscription.next().catch((error: unknown) => {
          if (!needsSnapshot(error)) throw error;
          this.#lost = error;
          return undefined;
        });
        if (message?.value === undefined) return this.#backend.nowMs() - (liveAtMs ?? this.#backend.nowMs());
        if (message.value.kind === 'event') yield* this.#process(message.value);
        else if (message.value.kind === 'caught_up') {
          liveAtMs ??= this.#backend.nowMs();
          yield { kind: 'live' };
        }
      }
    } finally {
      subscription.close();
    }
  }

  async *#process(event: FollowedEvent): Changes<T> {
    const { resourceId: id, cursor, eventId } = event;
    if (event.transition === 'delete') {
      yield this.#set.remove(event);
      await this.#access(() => this.#store.update(this.#key, { cursor, eventId, remove: id }));
      return;
    }
    const record = await eventRecord(this.#backend, event, this.#options.filter, this.#signal);
    if (record !== undefined) yield this.#set.put(event, record);
    const put = record && { id, record, version: event.resourceVersion };
    await this.#access(() => this.#store.update(this.#key, { cursor, eventId, put }));
  }

  async #access<R>(action: () => Promise<R>): Promise<R> {
    try {
      return await action();
    } catch (error) {
      if (error instanceof StateStoreError) throw error;
      throw new StateStoreError(`the state store failed for the key ${this.#key}`, { cause: error });
    }
  }
}

function needsSnapshot(error: unknown): boolean {
  return (
    error instanceof SubscriptionError &&
    (error.code === 'cursor_unavailable' || error.code === 'cursor_scope_mismatch')
  );
}

function sameScope(a: StateScope, b: StateScope): boolean {
  return (
    a.implementationId === b.implementationId &&
    a.apiVersion === b.apiVersion &&
    a.resource === b.resource &&
    a.filter === b.filter
  );
}
