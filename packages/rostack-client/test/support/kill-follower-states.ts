import type { FollowState, StateUpdate, StoredRecord } from 'rostack-client';

/**
 * What a store has to hold after update number `n` of a run that began with the snapshot of run `run`: the cursor says both, so that
 * whoever reads a store knows all of its records.
 */
export function stateAfter(run: number, n: number): FollowState {
  const records = new Map<string, StoredRecord>();
  for (let index = 0; index < 30; index += 1) put(records, record(`r${index}`, run, 0));
  for (let number = 1; number <= n; number += 1) apply(records, updateOf(run, number));
  return {
    scope: { implementationId: 'i', apiVersion: '1', resource: 'stations', filter: undefined },
    cursor: `${run}.${n}`,
    eventId: n === 0 ? undefined : `${run}.${n}`,
    records: [...records.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

export function updateOf(run: number, n: number): StateUpdate {
  const id = `r${(n * 7) % 40}`;
  const cursor = `${run}.${n}`;
  if (n % 5 === 0) return { cursor, eventId: cursor, remove: id };
  if (n % 11 === 0) return { cursor, eventId: cursor };
  return { cursor, eventId: cursor, put: record(id, run, n) };
}

const record = (id: string, run: number, n: number): StoredRecord => ({
  id,
  version: n === 0 ? undefined : String(n),
  record: { id, run, n, text: 'x'.repeat((n * 37) % 500) },
});

const put = (records: Map<string, StoredRecord>, record: StoredRecord) => records.set(record.id, record);

function apply(records: Map<string, StoredRecord>, { put: added, remove }: StateUpdate): void {
  if (remove !== undefined) records.delete(remove);
  if (added !== undefined) put(records, added);
}
