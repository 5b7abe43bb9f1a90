import type { JsonObject } from 'rostack-core';
import { isSameScope } from '../store/state-keeper.ts';
import type { StatePlace } from '../store/state-place.ts';
import type { StateScope, StoredRecord } from '../store/state-store.ts';
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
 * What has been read of a snapshot that is not whole yet, kept in the store: each part is a state of its own, with its records; a
 * further state, the index, has a record for each part. A part counts once it is in the index.
 */
export class SnapshotParts {
  /** Of the follow's state. */
  readonly #place: StatePlace;
  readonly #scope: StateScope;
  readonly #parts: SnapshotPart[] = [];
  readonly start: SnapshotStart;
  #next = 0;
  /** By id: of all parts, and what has been read for those that are not whole yet. */
  readonly records = new Map<string, JsonObject>();

  private constructor(place: StatePlace, scope: StateScope, start: SnapshotStart) {
    this.#place = place;
    this.#scope = scope;
    this.start = start;
  }

  /**
   * Takes up what is there of the same records; anything else makes room.
   * @param begin asks for what a new snapshot begins with
   * @throws StateStoreError; what `begin` throws
   */
  static async open(
    place: StatePlace,
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

  /** The positions that parts were read at, that of the start included. */
  get cursors(): ReadonlySet<string> {
    return new Set([this.start.cursor, ...this.#parts.map(({ cursor }) => cursor)]);
  }

  /** The ranges that are still to be read. */
  get missing(): readonly Range[] {
    return holesBetween(this.#parts.map(({ range }) => range));
  }

  /** Takes a part whose records are among `records` already; ranges do not overlap. @throws StateStoreError */
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

/** Forgets the parts of a snapshot, which is stored whole or begins again. @throws StateStoreError */
export async function forgetParts(place: StatePlace): Promise<void> {
  const index = await indexOf(place).load();
  if (index === undefined) return;
  const numbers = Array.from(index.records, ({ record }) => Number(record['number'] ?? -1));
  // Parts that a crash kept out of the index have one of the next numbers.
  const end = Math.max(...numbers, -1) + 1 + MAX_RANGES;
  for (let number = 0; number < end; number += 1) await partOf(place, number).remove();
  // The index last: it tells of the others.
  await indexOf(place).remove();
}

const indexOf = (place: StatePlace): StatePlace => place.beside('snapshot');
const partOf = (place: StatePlace, number: number): StatePlace => place.beside(`snapshot-${number}`);
