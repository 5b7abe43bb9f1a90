import type { DBSchema } from 'idb';
import type { StateScope, StoredRecord } from '../state/state-store.ts';

/** What is kept of a state apart from its records. */
export interface Header {
  readonly scope: StateScope;
  readonly cursor: string;
  readonly eventId: string | undefined;
  /** Which records belong to it. A new snapshot is written under the next number, which is put here once the snapshot is whole. */
  readonly generation: number;
  /** Counts the steps, so that other tabs notice a missed one. Starts at the time, so that a state made again gets higher numbers. */
  readonly revision: number;
  /** How many records belong to it; undefined in a state of an older release. */
  readonly size?: number | undefined;
}

/** Key of a record: key of the state, generation, id. */
type RecordKey = [key: string, generation: number, id: string];

export interface States extends DBSchema {
  states: { key: string; value: Header };
  records: { key: RecordKey; value: StoredRecord };
}
