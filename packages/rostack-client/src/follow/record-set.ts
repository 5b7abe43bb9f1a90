import type { JsonObject } from 'rostack-core';
import type { StoredRecord } from '../state/state-store.ts';
import type { FollowChange, SnapshotChange } from './follow-change.ts';
import type { Snapshot } from './snapshot-reader.ts';
import type { ResourceEvent } from './subscription/resource-event.ts';

/** What an event does to a set. */
export interface SetStep<T> {
  /** Undefined if it changes nothing that is shown. */
  readonly change: FollowChange<T> | undefined;
  readonly put?: StoredRecord | undefined;
  /** Ids of records that are no longer held. */
  readonly remove: readonly string[];
}

/** The records that a follow holds, and those of them that it shows. */
export interface RecordSet<T> {
  /** What is shown, by the text of the ids, as of the newest change. */
  readonly records: ReadonlyMap<string, T>;
  /** Replaces the whole set. @throws RecordError when a record does not pass, and then nothing is replaced */
  replace(reason: SnapshotChange<T>['reason'], snapshot: Snapshot): SnapshotChange<T>;
  /** @returns undefined if the rest can only be known from another snapshot. @throws RecordError */
  put(event: ResourceEvent<unknown>, value: JsonObject): SetStep<T> | undefined;
  /** @returns undefined if the rest can only be known from another snapshot */
  remove(event: ResourceEvent<unknown>): SetStep<T> | undefined;
}
