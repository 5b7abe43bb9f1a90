import type { JsonObject, JsonScalar } from 'rostack-core';
import { ResponseError } from '../../http/error/errors.ts';
import { RecordTwiceError } from '../../list/record-ids.ts';
import { type Bound, boundOf, compareBounds, type Range } from './range.ts';

/** A range that was read, and the event position that it was read at. */
export interface ReadRange {
  readonly range: Range;
  readonly cursor: string;
  readonly records: readonly JsonObject[];
}

export interface ChainOptions {
  readonly range: Range;
  /** The last value in the order of the whole snapshot: comparisons only match values of its type. */
  readonly last: Bound | undefined;
  readonly fieldOf: (record: JsonObject) => JsonScalar | undefined;
  readonly idOf: (record: JsonObject) => string;
  /** The records of all chains, by id: each record is put here as it comes. */
  readonly all: Map<string, JsonObject>;
}

/** How far one chain of pages, sorted by the field of its range, has come. */
export class Chain {
  readonly #options: ChainOptions;
  readonly #records: JsonObject[] = [];
  /** Ids of this chain's records. Only made if one of them is in `all` already, which is rare. */
  #ids: Set<string> | undefined;
  #from: Bound | undefined;
  /** How many records were handed over. */
  #cut = 0;
  #page: readonly JsonObject[] = [];
  #cursor: string | undefined;
  #last: JsonScalar | undefined;
  #isInOrder = true;
  pages = 0;

  constructor(options: ChainOptions) {
    this.#options = options;
    this.#from = options.range.from;
  }

  /** @throws ResponseError for what cannot belong to one chain */
  take(records: readonly JsonObject[], cursor: string | undefined): void {
    if (cursor === undefined) throw new ResponseError('the resource has no event_cursor');
    this.#cursor = cursor;
    this.pages += 1;
    this.#page = records;
    const { all, idOf, fieldOf } = this.#options;
    for (const record of records) {
      const id = idOf(record);
      const { size } = all;
      all.set(id, record);
      if (all.size === size && this.#has(id)) throw new RecordTwiceError(id);
      this.#ids?.add(id);
      this.#records.push(record);
      const value = fieldOf(record);
      if (compareBounds(this.#last, value) > 0) this.#isInOrder = false;
      this.#last = value;
    }
  }

  #has(id: string): boolean {
    this.#ids ??= new Set(this.#records.map(this.#options.idOf));
    return this.#ids.has(id);
  }

  /** The values of the newest page. */
  get samples(): readonly Bound[] {
    const values = this.#page.map((record) => boundOf(this.#options.fieldOf(record)));
    return values.filter((value) => value !== undefined);
  }

  /** Every record below it was read, but perhaps not every record with exactly this value. Undefined if this cannot be decided. */
  get reached(): Bound | undefined {
    const value = boundOf(this.#last);
    if (!this.#isInOrder || value === undefined || typeof value !== typeof this.#options.last)
      return undefined;
    return compareBounds(this.#from, value) < 0 ? value : undefined;
  }

  /** Hands over what was read since the last call, which is everything up to `to`. */
  cut(to: Bound | undefined): ReadRange | undefined {
    if (this.#cursor === undefined) return undefined;
    const records = this.#records.slice(this.#cut);
    const part = { range: { from: this.#from, to }, cursor: this.#cursor, records };
    this.#from = to;
    this.#cut = this.#records.length;
    return part;
  }
}
