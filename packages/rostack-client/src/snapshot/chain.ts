import type { JsonObject, JsonScalar } from 'rostack-core';
import { ResponseError } from '../error/errors.ts';
import type { StoredRecord } from '../store/state-store.ts';
import { type Bound, boundOf, compareBounds, type Range } from './range.ts';

/** A range that was read, and the event position that it was read at. */
export interface ReadRange {
  readonly range: Range;
  readonly cursor: string;
  readonly records: readonly StoredRecord[];
}

/** How far one chain of pages, sorted by the field of its range, has come. */
export class Chain {
  readonly #fieldOf: (record: JsonObject) => JsonScalar | undefined;
  readonly #type: string;
  readonly #ids = new Set<string>();
  #from: Bound | undefined;
  #records: StoredRecord[] = [];
  #samples: Bound[] = [];
  #cursor: string | undefined;
  #last: JsonScalar | undefined;
  #isInOrder = true;
  pages = 0;

  /** @param last the last value in the order of the whole snapshot: comparisons match values of its type only */
  constructor(
    range: Range,
    last: Bound | undefined,
    fieldOf: (record: JsonObject) => JsonScalar | undefined,
  ) {
    this.#from = range.from;
    this.#type = typeof last;
    this.#fieldOf = fieldOf;
  }

  /** @throws ResponseError for what cannot belong to one chain */
  take(records: readonly StoredRecord[], cursor: string | undefined): void {
    if (cursor === undefined) throw new ResponseError('the resource has no event_cursor');
    this.#cursor = cursor;
    this.pages += 1;
    this.#samples = [];
    for (const stored of records) {
      if (this.#ids.has(stored.id)) throw new ResponseError(`a snapshot holds the record ${stored.id} twice`);
      this.#ids.add(stored.id);
      this.#records.push(stored);
      const value = this.#fieldOf(stored.record);
      if (compareBounds(this.#last, value) > 0) this.#isInOrder = false;
      this.#last = value;
      const sample = boundOf(value);
      if (sample !== undefined) this.#samples.push(sample);
    }
  }

  /** Values of the newest page. */
  get samples(): readonly Bound[] {
    return this.#samples;
  }

  /** Every record below it was read; of those that have just this value perhaps not all. Undefined where nobody can tell. */
  get reached(): Bound | undefined {
    const value = boundOf(this.#last);
    if (!this.#isInOrder || value === undefined || typeof value !== this.#type) return undefined;
    return compareBounds(this.#from, value) < 0 ? value : undefined;
  }

  /** Hands over what was read since the last time, which is everything up to `to`. */
  cut(to: Bound | undefined): ReadRange | undefined {
    if (this.#cursor === undefined) return undefined;
    const part = { range: { from: this.#from, to }, cursor: this.#cursor, records: this.#records };
    this.#from = to;
    this.#records = [];
    return part;
  }
}
