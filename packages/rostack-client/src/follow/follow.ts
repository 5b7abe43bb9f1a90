import { aFunction, hashFilter, parseFilter } from 'rostack-core';
import { RecordError, SnapshotRefusedError, SubscriptionError, UsageError } from '../error/index.ts';
import { checkUsage } from '../options/check-usage.ts';
import { followKey } from '../store/follow-key.ts';
import { MemoryStateStore } from '../store/memory-state-store.ts';
import { StatePlace } from '../store/state-place.ts';
import type { FollowState, StateScope, StoredRecord } from '../store/state-store.ts';
import { eventRecord } from './event-record.ts';
import type { FollowBackend, FollowedEvent, FollowPlace } from './follow-backend.ts';
import type { FollowChange, SnapshotChange } from './follow-change.ts';
import type { FollowOptions } from './follow-options.ts';
import { FollowedSet } from './followed-set.ts';
import { readSnapshot } from './read-snapshot.ts';

/** What became of following from one cursor. */
interface Stretch {
  readonly liveForMs: number;
  /** The gateway took the cursor: events came, or there were none. */
  readonly isTaken: boolean;
}

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
  readonly #resource: string;
  readonly #set: FollowedSet<T>;
  readonly #ending = new AbortController();
  readonly #signal: AbortSignal;
  readonly #generator: Changes<T>;
  #states: StatePlace | undefined;
  /** Calls of `next` under way. */
  #pending = 0;
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
    this.#resource = resource;
    this.#set = new FollowedSet({ schema, recordId, resource, isFiltered: filter !== undefined });
    this.#signal = AbortSignal.any([this.#ending.signal, backend.life, ...(signal ? [signal] : [])]);
    this.#generator = this.#changes();
  }

  /** The set by id, as of the newest change given out. */
  get records(): ReadonlyMap<string, T> {
    return this.#set.records;
  }

  /**
   * Names the state in the store: the option, or the resource and a hash of the filter's normal form, such as `stations~all`.
   * @throws FilterError of rostack-core
   */
  get key(): string {
    return this.#options.key ?? followKey(this.#resource, this.#options.filter);
  }

  /** @throws SubscriptionError, HttpProblemError, RecordError and others (see README); the signal's reason */
  async next(): Promise<IteratorResult<FollowChange<T>, undefined>> {
    this.#pending += 1;
    try {
      const { done, value } = await this.#generator.next();
      if (done !== true) return { done: false, value };
    } catch (error) {
      if (!this.#isOver) throw error;
    } finally {
      this.#pending -= 1;
      this.#leaveWhenIdle();
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
    checkUsage(aFunction, onChange, 'onChange');
    for await (const change of this) await onChange(change);
  }

  /** Ends the iteration; what is being processed stays unstored. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ending.abort();
    void this.#generator.return().catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async *#changes(): Changes<T> {
    this.#signal.throwIfAborted();
    const scope = await this.#scope();
    const states = await StatePlace.take(this.#options.store ?? new MemoryStateStore(), this.key);
    this.#states = states;
    const onEnd = (): void => {
      states.announceLeave();
      this.#leaveWhenIdle();
    };
    this.#signal.addEventListener('abort', onEnd, { once: true });
    try {
      yield* this.#keepUp(states, scope);
    } finally {
      this.#signal.removeEventListener('abort', onEnd);
      await states.leave(this.#signal.reason);
    }
  }

  /** A consumer that never asks again must not keep the key from others. */
  #leaveWhenIdle(): void {
    if (this.#pending === 0 && this.#signal.aborted) void this.#states?.leave(this.#signal.reason);
  }

  async *#keepUp(states: StatePlace, scope: StateScope): Changes<T> {
    let place = yield* this.#restore(states, scope);
    let refusals = 0;
    let refusedSinceMs = 0;
    for (let failures = 0; ; failures += 1) {
      const isFresh = place === undefined;
      if (place === undefined) {
        if (failures > 1) await this.#backend.pause(this.#lost, failures - 1, this.#signal);
        place = { cursor: yield* this.#takeSnapshot(states), seen: undefined };
      }
      const { liveForMs, isTaken } = yield* this.#followFrom(states, place);
      place = undefined;
      const isHealthy = liveForMs >= this.#backend.healthyAfterMs();
      if (isHealthy) failures = 0;
      if (isTaken) refusals = 0;
      else if (isFresh) refusals += 1;
      if (refusals === 0) continue;
      const nowMs = this.#backend.nowMs();
      if (refusals === 1) refusedSinceMs = nowMs;
      // A node that lags behind the one that gave the snapshot refuses its cursor too, until it has caught up.
      const mayPass = isLag(this.#lost) && nowMs - refusedSinceMs < this.#backend.maxLagMs;
      if (refusals >= this.#backend.maxRefusedSnapshots && !mayPass) {
        throw new SnapshotRefusedError(refusals, this.#lost);
      }
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
  async *#restore(
    states: StatePlace,
    scope: StateScope,
  ): AsyncGenerator<FollowChange<T>, FollowPlace | undefined, undefined> {
    const state = (await states.load()) ?? (await this.#adopt(states, scope));
    if (state === undefined) return undefined;
    checkSameData(states.key, scope, state.scope);
    const stored = new Map(Array.from(state.records, (record) => [record.id, record]));
    const change = this.#restoreSet(stored, state.cursor);
    if (change === undefined) return undefined;
    this.#hasState = true;
    if (!sameScope(scope, state.scope)) return undefined;
    yield change;
    return { cursor: state.cursor, seen: state.eventId };
  }

  /** Older releases used the resource's name alone as key: what is there moves, if it is the same set and nobody uses it. */
  async #adopt(states: StatePlace, scope: StateScope): Promise<FollowState | undefined> {
    const { key, store } = this.#options;
    if (key !== undefined || store === undefined) return undefined;
    const older = await StatePlace.take(store, this.#resource).catch((error: unknown) => {
      if (error instanceof UsageError) return undefined;
      throw error;
    });
    try {
      const state = await older?.load();
      if (state === undefined || !sameScope(scope, state.scope)) return undefined;
      await states.replace(state);
      await older?.remove();
      return state;
    } finally {
      await older?.leave(undefined);
    }
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

  async *#takeSnapshot(states: StatePlace): AsyncGenerator<FollowChange<T>, string, undefined> {
    const { records, cursor } = await readSnapshot(this.#backend, this.#set, this.#signal);
    const scope = await this.#scope();
    const reason: SnapshotChange<T>['reason'] = this.#hasState ? 'replaced' : 'initial';
    yield this.#set.replace(reason, records, cursor);
    this.#hasState = true;
    const state: FollowState = { scope, cursor, eventId: undefined, records: records.values() };
    await states.replace(state);
    return cursor;
  }

  /** Follows until the server can no longer go on from the cursor. */
  async *#followFrom(
    states: StatePlace,
    place: FollowPlace,
  ): AsyncGenerator<FollowChange<T>, Stretch, undefined> {
    const subscription = await this.#backend.subscribe(place, this.#signal);
    let liveAtMs: number | undefined;
    let isTaken = false;
    try {
      for (;;) {
        const message = await subscription.next().catch((error: unknown) => {
          if (!needsSnapshot(error)) throw error;
          this.#lost = error;
          return undefined;
        });
        if (message?.value === undefined) {
          const nowMs = this.#backend.nowMs();
          return { liveForMs: nowMs - (liveAtMs ?? nowMs), isTaken };
        }
        isTaken = true;
        if (message.value.kind === 'event') {
          yield* this.#process(states, message.value);
        } else if (message.value.kind === 'caught_up') {
          liveAtMs ??= this.#backend.nowMs();
          yield { kind: 'live' };
        }
      }
    } finally {
      subscription.close();
    }
  }

  async *#process(states: StatePlace, event: FollowedEvent): Changes<T> {
    const { resourceId: id, cursor, eventId } = event;
    if (event.transition === 'delete') {
      yield this.#set.remove(event);
      await states.update({ cursor, eventId, remove: id });
      return;
    }
    const record = await eventRecord(this.#backend, event, this.#options.filter, this.#signal);
    if (record !== undefined) yield this.#set.put(event, record);
    const put = record && { id, record, version: event.resourceVersion };
    await states.update({ cursor, eventId, put });
  }
}

/** Whether a node that is behind others would say the same. */
function isLag(error: unknown): boolean {
  return error instanceof SubscriptionError && error.code === 'cursor_unavailable';
}

function needsSnapshot(error: unknown): boolean {
  return (
    error instanceof SubscriptionError &&
    (error.code === 'cursor_unavailable' || error.code === 'cursor_scope_mismatch')
  );
}

/** Records of something else under the key are a mistake of whoever chose it, not an older state of this follow. */
function checkSameData(key: string, wanted: StateScope, found: StateScope): void {
  const isSame = found.resource === wanted.resource && found.implementationId === wanted.implementationId;
  if (isSame) return;
  throw new UsageError(
    `the state store holds ${found.resource} of ${found.implementationId} under the key ${JSON.stringify(key)}, not ${wanted.resource} of ${wanted.implementationId}: give this follow a key of its own, or remove that state`,
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
