import type { JsonObject } from 'rostack-core';
import { jsonEquals } from 'rostack-core/client';
import { type RecordSchema, readRecord } from '../list/record-ids.ts';
import type { CreatedChange, SnapshotChange } from './follow-change.ts';
import type { RecordSet, SetStep } from './record-set.ts';
import type { Snapshot } from './snapshot-reader.ts';
import type { ResourceEvent } from './subscription/resource-event.ts';

export interface FollowedSetOptions<T> {
  readonly schema: RecordSchema<T> | undefined;
  readonly resource: string;
  readonly isFiltered: boolean;
}

/** The whole set in no order: each record as the server gave it, and as the caller's type. */
export class FollowedSet<T> implements RecordSet<T> {
  readonly #options: FollowedSetOptions<T>;
  #given = new Map<string, JsonObject>();
  /** The same map as the given records unless a schema turns them into others: a large set is held only once. */
  #records = this.#given as ReadonlyMap<string, unknown> as Map<string, T>;
  /** A snapshot change shares the map, which must not change for it: before the first event after it, the set makes a copy. */
  #isShared = false;

  constructor(options: FollowedSetOptions<T>) {
    this.#options = options;
  }

  /** Changes with the set; a different map after a snapshot. */
  get records(): ReadonlyMap<string, T> {
    return this.#records;
  }

  replace(reason: SnapshotChange<T>['reason'], { records: given, cursor }: Snapshot): SnapshotChange<T> {
    const before = { given: this.#given, records: this.#records };
    const records = this.#parseAll(given);
    this.#given = given;
    this.#records = records;
    this.#isShared = true;
    const told = { kind: 'snapshot', reason, records, added: [], changed: [], removed: [], cursor } as const;
    if (reason === 'restored') return told;
    if (before.given.size === 0) {
      let all: SnapshotChange<T>['added'] | undefined;
      return {
        ...told,
        // A list of everything, made only on request.
        get added() {
          all ??= Array.from(records, ([id, one]) => ({ id, record: one }));
          return all;
        },
      };
    }
    const { added, changed, removed } = snapshotDifference(before.given, given);
    const record = (id: string): T => records.get(id) as T;
    const previous = (id: string): T => before.records.get(id) as T;
    return {
      ...told,
      added: added.map((id) => ({ id, record: record(id) })),
      changed: changed.map((id) => ({ id, record: record(id), previous: previous(id) })),
      removed: removed.map((id) => ({ id, previous: previous(id) })),
    };
  }

  put(event: ResourceEvent<unknown>, value: JsonObject): SetStep<T> {
    const { resourceId: id } = event;
    const record = this.#parse(id, value);
    const isHeld = this.#given.has(id);
    const previous = this.#records.get(id) as T;
    const put = { id, record: value, version: event.resourceVersion };
    this.#unshare();
    this.#given.set(id, value);
    this.#records.set(id, record);
    const change = isHeld
      ? ({ kind: 'updated', id, record, previous, event: changeEvent(event) } as const)
      : ({ kind: 'created', id, record, event: changeEvent(event) } as const);
    return { change, put, remove: [] };
  }

  remove(event: ResourceEvent<unknown>): SetStep<T> {
    const { resourceId: id } = event;
    const previous = this.#records.get(id);
    this.#unshare();
    this.#given.delete(id);
    this.#records.delete(id);
    const kind = this.#options.isFiltered ? 'left-or-deleted' : 'deleted';
    return { change: { kind, id, previous, event: changeEvent(event) }, remove: [id] };
  }

  #unshare(): void {
    if (!this.#isShared) return;
    this.#isShared = false;
    const records = new Map(this.#records);
    if (this.#options.schema === undefined)
      this.#given = records as ReadonlyMap<string, unknown> as Map<string, JsonObject>;
    this.#records = records;
  }

  #parseAll(given: Map<string, JsonObject>): Map<string, T> {
    if (this.#options.schema === undefined) return given as ReadonlyMap<string, unknown> as Map<string, T>;
    const records = new Map<string, T>();
    for (const [id, record] of given) records.set(id, this.#parse(id, record));
    return records;
  }

  #parse(id: string, record: JsonObject): T {
    const { schema, resource } = this.#options;
    return readRecord(schema, record, `the record ${id} of ${resource}`);
  }
}

export function changeEvent(event: ResourceEvent<unknown>): CreatedChange<unknown>['event'] {
  const { eventId, cursor, occurredAt, eventType, resourceVersion } = event;
  return { eventId, cursor, occurredAt, eventType, resourceVersion };
}

/** Ids of the differences between two sets of records. */
export interface SnapshotDifference {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Compares two sets by id and by value; the order of a record's members does not matter. */
export function snapshotDifference(
  before: ReadonlyMap<string, JsonObject>,
  after: ReadonlyMap<string, JsonObject>,
): SnapshotDifference {
  const added: string[] = [];
  const changed: string[] = [];
  for (const [id, record] of after) {
    const old = before.get(id);
    if (old === undefined) added.push(id);
    else if (!jsonEquals(old, record)) changed.push(id);
  }
  const removed = [...before.keys()].filter((id) => !after.has(id));
  return { added, changed, removed };
}
