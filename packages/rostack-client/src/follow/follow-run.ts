import type { JsonObject } from 'rostack-core';
import { hasCode } from 'rostack-core/client';
import { loadLaterParts } from '../connection/platform/platform.ts';
import { RefusalCount } from '../connection/retry/retry.ts';
import {
  RecordError,
  SnapshotRefusedError,
  type StateGoneError,
  SubscriptionError,
} from '../http/error/errors.ts';
import { isSameScope, type StateKeeper } from '../state/state-keeper.ts';
import type { StateScope, StoredRecord } from '../state/state-store.ts';
import type { FollowChange, SnapshotChange } from './follow-change.ts';
import type { FollowSource } from './follow-source.ts';
import type { RecordSet, SetStep } from './record-set.ts';
import type { ResumePoint, Snapshot } from './snapshot-reader.ts';
import type { ResourceEvent } from './subscription/resource-event.ts';

export type Changes<T> = AsyncGenerator<FollowChange<T>, void, undefined>;

/** How long a gateway may refuse the cursors of new snapshots. */
export interface RefusalLimits {
  /** Snapshots in a row. */
  readonly maxRefusedSnapshots: number;
  /** How long `cursor_unavailable` may last even after that many, in milliseconds. */
  readonly maxLagMs: number;
}

export interface FollowRunOptions<T> {
  readonly source: FollowSource;
  readonly states: StateKeeper;
  /** Where the parts of a snapshot are kept while it is read. */
  readonly readingPlace: StateKeeper;
  readonly set: RecordSet<T>;
  readonly limits: RefusalLimits;
  /** Where older releases kept the state; undefined: nowhere. */
  readonly olderKey: string | undefined;
  readonly signal: AbortSignal;
}

/** How following from one cursor ended. */
interface Stretch {
  readonly liveForMs: number;
  /** The gateway took the cursor: events came, or there were none. */
  readonly isTaken: boolean;
  /** Why the gateway can no longer continue from the cursor; undefined if the set needs records that no event brings. */
  readonly error: unknown;
}

/** Keeps a set and its stored state up to date, and yields each change. A change is stored when the next one is asked for. */
export class FollowRun<T> {
  readonly #options: FollowRunOptions<T>;
  /** Snapshots in a row whose cursor the gateway refused. */
  readonly #refusals = new RefusalCount();
  /** Whether a set was yielded, or was stored, before. */
  #hasState = false;
  /** Whether records of the set have ids that no event gave: from where the id was looked for. */
  #isAssumed = false;
  /** Why the set has to be read again under other ids; undefined: it has not. */
  #moved: RecordError | undefined;

  constructor(options: FollowRunOptions<T>) {
    this.#options = options;
  }

  /** @throws ClientError; the signal's reason */
  async *changes(scope: StateScope): Changes<T> {
    const { source, signal } = this.#options;
    let place = yield* this.#restore(scope);
    let lost: unknown;
    let reason: 'replaced' | 'shifted' = 'replaced';
    for (let failures = 0; ; failures += 1) {
      const isFresh = place === undefined;
      if (place === undefined) {
        // The first new snapshot after an interruption is taken immediately.
        if (failures > 1) await source.pause(lost, failures - 1, signal);
        try {
          place = yield* this.#takeSnapshot(reason);
        } catch (error) {
          // The snapshot could not be put together from its parts, or what was stored of it is gone.
          if (!isGone(error)) {
            if (!needsSnapshot(error)) throw error;
            this.#noteRefused(error);
          }
          lost = error;
          continue;
        }
      }
      const { liveForMs, isTaken, error }: Stretch = yield* this.#followFrom(place);
      place = undefined;
      lost = error;
      reason = error === undefined ? 'shifted' : 'replaced';
      // A window that runs short is not a failure: the next snapshot is taken without a wait.
      if (error === undefined) failures = -1;
      else if (liveForMs >= source.healthyAfterMs) failures = 0;
      if (isTaken) this.#refusals.reset();
      else if (isFresh) this.#noteRefused(error);
    }
  }

  /** @throws SnapshotRefusedError when another snapshot would be pointless */
  #noteRefused(error: unknown): void {
    const { source, limits } = this.#options;
    const { count, forMs } = this.#refusals.add(source.nowMs());
    // A node that lags behind the one that served the snapshot refuses its cursor too, until it has caught up.
    const isLag = error instanceof SubscriptionError && error.code === 'cursor_unavailable';
    if (count < limits.maxRefusedSnapshots || (isLag && forMs < limits.maxLagMs)) return;
    throw new SnapshotRefusedError(count, error);
  }

  /** @returns where to continue, or undefined if a snapshot is needed */
  async *#restore(scope: StateScope): AsyncGenerator<FollowChange<T>, ResumePoint | undefined, undefined> {
    const { source, states, olderKey, signal } = this.#options;
    const state = await states.restore(scope, olderKey);
    if (state === undefined) return undefined;
    const records = new Map(Array.from(state.records, ({ id, record }) => [id, record]));
    if (source.ids.isOpen) (await loadLaterParts()).learnIds(source.ids, records);
    this.#isAssumed = records.size > 0;
    const order = await source.order(signal);
    const { cursor, eventId } = state;
    const change = this.#restoreSet({ records, cursor, eventId, order, isWhole: false });
    if (change === undefined) return undefined;
    this.#hasState = true;
    if (!isSameScope(scope, state.scope)) return undefined;
    yield change;
    return { cursor, seen: eventId };
  }

  /** Undefined if the schema refuses a stored record, which an older schema allowed: then a new snapshot is needed. */
  #restoreSet(snapshot: Snapshot): SnapshotChange<T> | undefined {
    try {
      return this.#options.set.replace('restored', snapshot);
    } catch (error) {
      if (error instanceof RecordError) return undefined;
      throw error;
    }
  }

  async *#takeSnapshot(
    reason: 'replaced' | 'shifted',
  ): AsyncGenerator<FollowChange<T>, ResumePoint, undefined> {
    const { source, states, readingPlace, set, signal } = this.#options;
    const request = { place: readingPlace, heldRecords: set.records.size };
    this.#moved = undefined;
    const snapshot = await source.snapshot(request, signal);
    const { cursor, eventId } = snapshot;
    this.#isAssumed = snapshot.records.size > 0;
    const scope = await source.scope(signal);
    yield set.replace(this.#hasState ? reason : 'initial', snapshot);
    this.#hasState = true;
    await states.replace({ scope, cursor, eventId, records: storedRecords(snapshot) });
    return { cursor, seen: eventId };
  }

  /** Follows until the server can no longer continue from the cursor. */
  async *#followFrom(place: ResumePoint): AsyncGenerator<FollowChange<T>, Stretch, undefined> {
    const { source, states, readingPlace, signal } = this.#options;
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
          if (!(yield* this.#process(message.value))) return { liveForMs: 0, isTaken, error: this.#moved };
        } else if (message.value.kind === 'bookmark') {
          await states.update({ cursor: message.value.cursor, eventId: undefined });
        } else if (message.value.kind === 'caught_up') {
          if (liveAtMs === undefined) await source.forgetReading(readingPlace);
          liveAtMs ??= source.nowMs();
          yield { kind: 'live' };
        }
      }
    } catch (gone) {
      if (!isGone(gone)) throw gone;
      return { liveForMs: liveAtMs === undefined ? 0 : source.nowMs() - liveAtMs, isTaken, error: gone };
    } finally {
      void subscription.close();
    }
  }

  /** @returns false, without yielding or storing anything, if the set needs a snapshot to continue */
  async *#process(event: ResourceEvent<JsonObject>): AsyncGenerator<FollowChange<T>, boolean, undefined> {
    const { states } = this.#options;
    const { cursor, eventId } = event;
    const step = await this.#step(event);
    if (step === undefined) return false;
    const { change, put, remove } = step;
    if (change !== undefined) yield change;
    // In this order a follow can continue from each state in between: a window may be larger than it has to be.
    if (put !== undefined || remove.length === 0) await states.update({ cursor, eventId, put });
    for (const id of remove) await states.update({ cursor, eventId, remove: id });
    return true;
  }

  async #step(event: ResourceEvent<JsonObject>): Promise<SetStep<T> | undefined> {
    const { source, set, signal } = this.#options;
    const { ids } = source;
    const { resourceId: id } = event;
    if (event.transition === 'delete') {
      if (!ids.isOpen || set.records.has(id)) return set.remove(event);
      const { isNamedIn } = await loadLaterParts();
      if (!isNamedIn(id, set.records)) return set.remove(event);
      ids.doubt();
      return this.#readAgain();
    }
    const record = await source.recordOf(event, signal);
    if (record === undefined) return { change: undefined, remove: [] };
    if (ids.has(id, record)) return set.put(event, record);
    (await loadLaterParts()).moveIds(ids, id, record);
    return this.#isAssumed ? this.#readAgain() : set.put(event, record);
  }

  #readAgain(): undefined {
    this.#moved = new RecordError('the id of the records is not where it was expected');
  }
}

/** One by one, as the store asks for them. */
function* storedRecords({ records, versions }: Snapshot): Generator<StoredRecord, void, undefined> {
  for (const [id, record] of records) yield { id, record, version: versions?.get(id) };
}

const isGone = (error: unknown): boolean => hasCode<StateGoneError>(error, 'state_gone');

function needsSnapshot(error: unknown): boolean {
  return (
    error instanceof SubscriptionError &&
    (error.code === 'cursor_unavailable' || error.code === 'cursor_scope_mismatch')
  );
}
