import type { JsonObject } from 'rostack-core';
import { RecordError, SubscriptionError } from '../error/errors.ts';
import { isSameScope, type StatePlace } from '../store/state-place.ts';
import type { StateScope, StoredRecord } from '../store/state-store.ts';
import type { ResourceEvent } from '../subscription/resource-event.ts';
import type { FollowChange, SnapshotChange } from './follow-change.ts';
import type { FollowPlace, FollowSource } from './follow-source.ts';
import type { FollowedSet } from './followed-set.ts';
import type { SnapshotRefusals } from './snapshot-refusals.ts';

export type Changes<T> = AsyncGenerator<FollowChange<T>, void, undefined>;

export interface FollowRunOptions<T> {
  readonly source: FollowSource;
  readonly states: StatePlace;
  readonly set: FollowedSet<T>;
  readonly refusals: SnapshotRefusals;
  /** Where older releases kept the state; undefined: nowhere. */
  readonly olderKey: string | undefined;
  readonly signal: AbortSignal;
}

/** What became of following from one cursor. */
interface Stretch {
  readonly liveForMs: number;
  /** The gateway took the cursor: events came, or there were none. */
  readonly isTaken: boolean;
  /** Why the gateway can no longer go on from the cursor. */
  readonly error: unknown;
}

/** Keeps a set and its stored state up to date, and tells each change. A change is stored when the next one is asked for. */
export class FollowRun<T> {
  readonly #options: FollowRunOptions<T>;
  /** Whether a set was told, or stored, before. */
  #hasState = false;

  constructor(options: FollowRunOptions<T>) {
    this.#options = options;
  }

  /** @throws ClientError; the signal's reason */
  async *changes(scope: StateScope): Changes<T> {
    const { source, refusals, signal } = this.#options;
    let place = yield* this.#restore(scope);
    let lost: unknown;
    for (let failures = 0; ; failures += 1) {
      const isFresh = place === undefined;
      if (place === undefined) {
        // The first new snapshot after an interruption is taken at once.
        if (failures > 1) await source.pause(lost, failures - 1, signal);
        place = { cursor: yield* this.#takeSnapshot(), seen: undefined };
      }
      const { liveForMs, isTaken, error } = yield* this.#followFrom(place);
      place = undefined;
      lost = error;
      if (liveForMs >= source.healthyAfterMs) failures = 0;
      if (isTaken) refusals.noteTaken();
      else if (isFresh) refusals.noteRefused(error, source.nowMs());
    }
  }

  /** @returns where to go on, or undefined where a snapshot is needed */
  async *#restore(scope: StateScope): AsyncGenerator<FollowChange<T>, FollowPlace | undefined, undefined> {
    const { states, olderKey } = this.#options;
    const state = await states.restore(scope, olderKey);
    if (state === undefined) return undefined;
    const stored = new Map(Array.from(state.records, (record) => [record.id, record]));
    const change = this.#restoreSet(stored, state.cursor);
    if (change === undefined) return undefined;
    this.#hasState = true;
    if (!isSameScope(scope, state.scope)) return undefined;
    yield change;
    return { cursor: state.cursor, seen: state.eventId };
  }

  /** Records that an older schema let pass make room for a new snapshot. */
  #restoreSet(stored: ReadonlyMap<string, StoredRecord>, cursor: string): SnapshotChange<T> | undefined {
    try {
      return this.#options.set.replace('restored', stored, cursor);
    } catch (error) {
      if (error instanceof RecordError) return undefined;
      throw error;
    }
  }

  async *#takeSnapshot(): AsyncGenerator<FollowChange<T>, string, undefined> {
    const { source, states, set, signal } = this.#options;
    const { records, cursor } = await source.snapshot((record) => set.idOf(record), signal);
    const scope = await source.scope(signal);
    yield set.replace(this.#hasState ? 'replaced' : 'initial', records, cursor);
    this.#hasState = true;
    await states.replace({ scope, cursor, eventId: undefined, records: records.values() });
    return cursor;
  }

  /** Follows until the server can no longer go on from the cursor. */
  async *#followFrom(place: FollowPlace): AsyncGenerator<FollowChange<T>, Stretch, undefined> {
    const { source, states, signal } = this.#options;
    const subscription = source.subscribe(place, signal);
    let liveAtMs: number | undefined;
    let isTaken = false;
    let error: unknown;
    try {
      for (;;) {
        const message = await subscription.next().catch((reason: unknown) => {
          if (!needsSnapshot(reason)) throw reason;
          error = reason;
          return undefined;
        });
        if (message?.value === undefined) {
          const nowMs = source.nowMs();
          return { liveForMs: nowMs - (liveAtMs ?? nowMs), isTaken, error };
        }
        isTaken = true;
        if (message.value.kind === 'event') {
          yield* this.#process(message.value);
        } else if (message.value.kind === 'bookmark') {
          await states.update({ cursor: message.value.cursor, eventId: undefined });
        } else if (message.value.kind === 'caught_up') {
          liveAtMs ??= source.nowMs();
          yield { kind: 'live' };
        }
      }
    } finally {
      subscription.close();
    }
  }

  async *#process(event: ResourceEvent<JsonObject>): Changes<T> {
    const { source, states, set, signal } = this.#options;
    const { resourceId: id, cursor, eventId } = event;
    if (event.transition === 'delete') {
      yield set.remove(event);
      await states.update({ cursor, eventId, remove: id });
      return;
    }
    const record = await source.recordOf(event, signal);
    if (record !== undefined) yield set.put(event, record);
    const put = record && { id, record, version: event.resourceVersion };
    await states.update({ cursor, eventId, put });
  }
}

function needsSnapshot(error: unknown): boolean {
  return (
    error instanceof SubscriptionError &&
    (error.code === 'cursor_unavailable' || error.code === 'cursor_scope_mismatch')
  );
}
