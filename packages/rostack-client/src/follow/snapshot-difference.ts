import { type JsonObject, jsonEquals } from 'rostack-core';
import type { StoredRecord } from '../store/state-store.ts';

/** Ids of what makes one set of records into another. */
export interface SnapshotDifference {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Compares two sets by id and by value; members of a record may stand in any order. */
export function snapshotDifference(
  before: ReadonlyMap<string, StoredRecord>,
  after: ReadonlyMap<string, StoredRecord>,
): SnapshotDifference {
  const added: string[] = [];
  const changed: string[] = [];
  for (const [id, { record }] of after) {
    const old: JsonObject | undefined = before.get(id)?.record;
    if (old === undefined) added.push(id);
    else if (!jsonEquals(old, record)) changed.push(id);
  }
  const removed = [...before.keys()].filter((id) => !after.has(id));
  return { added, changed, removed };
}
