import type { JsonObject, SortKey } from 'rostack-core';
import type { JsonApi } from '../list/json-api.ts';
import type { StateHandle } from '../state/state-handle.ts';
import type { StateScope, StateStore } from '../state/state-store.ts';
import type { ResourceEvent } from './subscription/resource-event.ts';
import type { Subscription } from './subscription/subscription.ts';

/** Where a follow continues: after a cursor, and after an event if there was one. */
export interface ResumePoint {
  readonly cursor: string;
  readonly seen: string | undefined;
}

/** A consistent snapshot, and the event position that it was taken at. */
export interface Snapshot {
  /** By the text of their ids. The reader hands the map over, and does not change it any more. */
  readonly records: Map<string, JsonObject>;
  /** `resource_version` by id, of records that an event has brought. */
  readonly versions?: ReadonlyMap<string, string>;
  readonly cursor: string;
  /** Of the newest event in it; undefined if there is none. */
  readonly eventId: string | undefined;
  /** What the view sorts by. */
  readonly order: readonly SortKey[];
  /** Whether everything that matches is in it; if not, these are the first records of the order. */
  readonly isWhole: boolean;
}

/** What a reader of snapshots works with. */
export interface SnapshotContext {
  readonly api: JsonApi;
  readonly resource: string;
  readonly filter: JsonObject | undefined;
  /** The fields that the server is asked for; undefined: whole records. */
  readonly fields: readonly string[] | undefined;
  readonly maxRecords: number;
  /** Where the follow keeps its state. */
  readonly place: StateHandle;
  readonly scope: StateScope;
  /** How many records the set held before. */
  readonly heldRecords: number;
  idOf(record: JsonObject): string;
  /** Compares a record with the id that its event gives. @throws RecordError if the id is not where it was expected */
  checkId(id: string, record: JsonObject): Promise<void>;
  order(signal: AbortSignal): Promise<readonly SortKey[]>;
  subscribe(place: ResumePoint, signal: AbortSignal): Subscription<JsonObject>;
  /** The record that an event is about; undefined if it has been deleted since. */
  recordOf(event: ResourceEvent<JsonObject>, signal: AbortSignal): Promise<JsonObject | undefined>;
  /** Reads one chain of pages. */
  readChain(onPage: (records: number) => void): Promise<Snapshot>;
  /** Milliseconds that only go forward. */
  nowMs(): number;
}

/** How a follow reads its snapshots; `parallelSnapshot` of `rostack-client/snapshot` makes one. */
export interface SnapshotReader {
  /**
   * Reads a whole snapshot, with the event position that it can be followed from.
   * @throws ClientError
   */
  read(context: SnapshotContext, signal: AbortSignal): Promise<Snapshot>;
  /** Where a follow without a store keeps the parts of a snapshot while it is read. */
  createStore(): StateStore;
  /** Removes what it has kept in the store, once the snapshot is stored and followed. */
  forget(place: StateHandle): Promise<void>;
}
