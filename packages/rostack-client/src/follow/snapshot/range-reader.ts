import type { JsonObject, JsonScalar } from 'rostack-core';
import { PageCursorExpiredError, StateStoreError } from '../../http/error/errors.ts';
import { readPages } from '../../list/read-pages.ts';
import type { ListPage } from '../../list/record-list.ts';
import type { StoredRecord } from '../../state/state-store.ts';
import type { SnapshotContext } from '../snapshot-reader.ts';
import { Chain } from './chain.ts';
import { type Bound, type Range, rangeFilter } from './range.ts';
import type { SnapshotParts } from './snapshot-parts.ts';
import { splitPoints } from './split-range.ts';

/** Pages of one part: little is read again after a crash, and the store is not used too often. */
const PAGES_PER_PART = 10;
/** Pages that a chain reads before it is split, because each split begins new chains. */
const PAGES_BEFORE_SPLIT = 4;

export interface RangeReaderOptions {
  readonly context: SnapshotContext;
  readonly pointer: string;
  readonly fieldOf: (record: JsonObject) => JsonScalar | undefined;
  /** Chains of pages at once. */
  readonly ranges: number;
  readonly parts: SnapshotParts;
  /** Called with the number of records of each page. */
  readonly onRead: (records: number) => void;
}

/**
 * Reads what is missing of a snapshot in chains of pages, several at once. If chains have nothing to do, another one stops where it is,
 * and the rest of its range is divided among all of them.
 */
export class RangeReader {
  readonly #options: RangeReaderOptions;
  readonly #queue: Range[];
  readonly #idle: (() => void)[] = [];
  #active = 0;
  #failure: { readonly error: unknown } | undefined;

  constructor(options: RangeReaderOptions) {
    this.#options = options;
    this.#queue = [...options.parts.missing];
  }

  /** @throws ClientError; the signal's reason */
  async read(signal: AbortSignal): Promise<void> {
    const ending = new AbortController();
    const joined = AbortSignal.any([signal, ending.signal]);
    const work = async (): Promise<void> => {
      try {
        for (let range = await this.#next(); range !== undefined; range = await this.#next()) {
          await this.#readRange(range, joined);
          this.#active -= 1;
        }
      } catch (error) {
        this.#failure ??= { error };
        ending.abort(error);
      }
      this.#wake();
    };
    await Promise.all(Array.from({ length: this.#options.ranges }, work));
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Waits for a range; undefined when there are none left. */
  async #next(): Promise<Range | undefined> {
    for (;;) {
      const range = this.#queue.shift();
      if (this.#failure !== undefined) return undefined;
      if (range !== undefined) {
        this.#active += 1;
        return range;
      }
      if (this.#active === 0) return undefined;
      await new Promise<void>((resolve) => {
        this.#idle.push(resolve);
      });
    }
  }

  #wake(): void {
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #readRange(range: Range, signal: AbortSignal): Promise<void> {
    const { context, parts, fieldOf, onRead } = this.#options;
    const idOf = (record: JsonObject): string => context.idOf(record);
    const chain = new Chain({ range, last: parts.start.last, fieldOf, idOf, all: parts.records });
    try {
      for await (const { records, eventCursor } of this.#pages(range, chain, signal)) {
        chain.take(records, eventCursor);
        onRead(records.length);
        const { reached } = chain;
        if (reached === undefined) continue;
        const isDue = this.#idle.length > 0 && isSplitDue(range, chain.pages);
        const shares = isDue ? this.#shares({ from: reached, to: range.to }, chain.samples) : [];
        if (shares.length > 1 || chain.pages % PAGES_PER_PART === 0) await this.#store(chain, reached);
        if (shares.length > 1) return this.#enqueue(shares);
      }
    } catch (error) {
      const { reached } = chain;
      if (reached === undefined || signal.aborted || error instanceof StateStoreError) throw error;
      await this.#store(chain, reached);
      if (!(error instanceof PageCursorExpiredError)) throw error;
      // The pages were asked for too slowly: another chain reads the rest.
      return this.#enqueue([{ from: reached, to: range.to }]);
    }
    await this.#store(chain, range.to);
  }

  #pages(
    range: Range,
    chain: Chain,
    signal: AbortSignal,
  ): AsyncGenerator<ListPage<JsonObject>, void, undefined> {
    const { context, pointer } = this.#options;
    const { api, resource, fields } = context;
    const filter = rangeFilter(pointer, range, context.filter);
    return readPages<JsonObject>(api, resource, {
      signal,
      sort: [pointer],
      // Pages that a split would leave to others are not asked for in advance.
      readsAhead: () => this.#idle.length === 0 || !isSplitDue(range, chain.pages + 1),
      ...(filter === undefined ? {} : { filter }),
      ...(fields === undefined ? {} : { fields }),
    });
  }

  /** Divides a range among this chain and those that have nothing to do. */
  #shares({ from, to }: Range & { readonly from: Bound }, samples: readonly Bound[]): Range[] {
    const last = to ?? this.#options.parts.start.last;
    const points = last === undefined ? [] : splitPoints(from, last, this.#idle.length, samples);
    const ends = [...points, to];
    return ends.map((end, index) => ({ from: ends[index - 1] ?? from, to: end }));
  }

  async #store(chain: Chain, to: Bound | undefined): Promise<void> {
    const read = chain.cut(to);
    if (read === undefined) return;
    const { context, parts } = this.#options;
    const stored = new StoredRecords(read.records, (record) => context.idOf(record));
    await parts.add(read.range, read.cursor, stored);
  }

  #enqueue(ranges: readonly Range[]): void {
    this.#queue.push(...ranges);
    this.#wake();
  }
}

const isSplitDue = ({ from }: Range, pages: number): boolean =>
  from === undefined || pages >= PAGES_BEFORE_SPLIT;

/** Records as a store takes them, each made on request. They can be iterated more than once. */
class StoredRecords implements Iterable<StoredRecord> {
  readonly #records: readonly JsonObject[];
  readonly #idOf: (record: JsonObject) => string;

  constructor(records: readonly JsonObject[], idOf: (record: JsonObject) => string) {
    this.#records = records;
    this.#idOf = idOf;
  }

  *[Symbol.iterator](): Generator<StoredRecord, void, undefined> {
    for (const record of this.#records) yield { id: this.#idOf(record), record, version: undefined };
  }
}
