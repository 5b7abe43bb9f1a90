import type { JsonObject } from 'rostack-core';
import type { StateHandle } from '../../state/state-handle.ts';
import { isSameScope } from '../../state/state-keeper.ts';
import type { StateScope, StoredRecord } from '../../state/state-store.ts';
import { type Bound, boundOf, holesBetween, type Range } from './range.ts';

/** How many parts may be written at once. */
export const MAX_RANGES = 16;

/** A range that was read, and the event position that it was read at. */
interface SnapshotPart {
  readonly number: number;
  readonly range: Range;
  readonly cursor: string;
}

/** What a snapshot begins with: the last value of the field, and the event position that it was read at. */
export interface SnapshotStart {
  readonly last: Bound | undefined;
  readonly cursor: string;
}

/**
 * What has been read of an incomplete snapshot, kept in the store. Each part is a separate state with its records. Another state, the
 * index, has a record for each part. A part counts once it is in the index.
 */
export class SnapshotParts {
  /** Where the follow keeps its state. */
  readonly #place: StateHandle;
  readonly #scope: StateScope;
  readonly #parts: SnapshotPart[] = [];
  readonly start: SnapshotStart;
  #next = 0;
  /** By id: the records of all parts, and those read so far for parts that are not complete. */
  readonly records = new Map<string, JsonObject>();

  private constructor(place: StateHandle, scope: StateScope, start: SnapshotStart) {
    this.#place = place;
    this.#scope = scope;
    this.start = start;
  }

  /**
   * Continues with stored parts of the same records; other parts are removed.
   * @param begin asks for what a new snapshot begins with
   * @throws StateStoreError; what `begin` throws
   */
  static async open(
    place: StateHandle,
    scope: StateScope,
    begin: () => Promise<SnapshotStart>,
  ): Promise<SnapshotParts> {
    const index = await indexOf(place).load();
    if (index !== undefined) {
      const entries = Array.from(index.records, ({ record }) => record);
      const { last } = entries.find(({ number }) => number === undefined) ?? {};
      const parts = new SnapshotParts(place, scope, { last: boundOf(last), cursor: index.cursor });
      if (isSameScope(index.scope, scope) && (await parts.#restore(entries))) return parts;
      await forgetParts(place);
    }
    const parts = new SnapshotParts(place, scope, await begin());
    const { last = null, cursor } = parts.start;
    const header = { id: 'last', record: { last }, version: undefined };
    await indexOf(place).replace({ scope, cursor, eventId: undefined, records: [header] });
    return parts;
  }

  /** The positions that parts were read at, including that of the start. */
  get cursors(): ReadonlySet<string> {
    return new Set([this.start.cursor, ...this.#parts.map(({ cursor }) => cursor)]);
  }

  /** The ranges that are still to be read. */
  get missing(): readonly Range[] {
    return holesBetween(this.#parts.map(({ range }) => range));
  }

  /** Stores a part whose records are in `records` already; ranges do not overlap. @throws StateStoreError */
  async add(range: Range, cursor: string, records: Iterable<StoredRecord>): Promise<void> {
    const number = this.#next;
    this.#next += 1;
    await partOf(this.#place, number).replace({ scope: this.#scope, cursor, eventId: undefined, records });
    const { from = null, to = null } = range;
    const put = { id: String(number), record: { number, from, to, cursor }, version: undefined };
    await indexOf(this.#place).update({ cursor: this.start.cursor, eventId: undefined, put });
    this.#parts.push({ number, range, cursor });
  }

  /** @returns whether all the parts are there */
  async #restore(entries: readonly JsonObject[]): Promise<boolean> {
    for (const { number, from, to, cursor } of entries) {
      if (typeof number !== 'number' || typeof cursor !== 'string') continue;
      const state = await partOf(this.#place, number).load();
      if (state?.cursor !== cursor) return false;
      this.#next = Math.max(this.#next, number + 1);
      this.#parts.push({ number, range: { from: boundOf(from), to: boundOf(to) }, cursor });
      for (const { id, record } of state.records) this.records.set(id, record);
    }
    return true;
  }
}

/** Removes the parts of a snapshot that is stored as a whole, or begins again. @throws StateStoreError */
export async function forgetParts(place: StateHandle): Promise<void> {
  const index = await indexOf(place).load();
  if (index === undefined) return;
  const numbers = Array.from(index.records, ({ record }) => Number(record['number'] ?? -1));
  // A part that a crash kept out of the index has one of the next numbers.
  const end = Math.max(...numbers, -1) + 1 + MAX_RANGES;
  for (let number = 0; number < end; number += 1) await partOf(place, number).remove();
  // The index goes last, because it lists the others.
  await indexOf(place).remove();
}

const indexOf = (place: StateHandle): StateHandle => place.beside('snapshot');
const partOf = (place: StateHandle, number: number): StateHandle => place.beside(`snapshot-${number}`);
