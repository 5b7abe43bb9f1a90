import { LRUCache } from 'lru-cache';
import type { StoredField } from '../resource/field.ts';
import type { ResourceTables } from '../schema/tables.ts';
import { CachedIndex } from './cached-index.ts';
import type { IndexRun } from './index-run.ts';

/**
 * Keeps parts of indexes in memory, with the records they lead to, so that pages come out of them without the database. The runs of
 * an index hold for one position, so nothing in them can be out of date; when the head moves, those go that it has changed.
 */
export class RunCache {
  readonly #lru: LRUCache<IndexRun, CachedIndex>;
  readonly #indexes = new WeakMap<ResourceTables, Map<number, CachedIndex>>();

  /** @param maxBytes too few for one run: nothing is kept */
  constructor(maxBytes: number) {
    this.#lru = new LRUCache({
      maxSize: Math.max(1, maxBytes),
      dispose: (index, run, reason) => {
        if (reason === 'evict') index.drop(run);
      },
    });
  }

  get bytes(): number {
    return this.#lru.calculatedSize;
  }

  /** @param field undefined: the index of the ids */
  index(tables: ResourceTables, field: StoredField | undefined): CachedIndex {
    let indexes = this.#indexes.get(tables);
    if (indexes === undefined) {
      indexes = new Map();
      this.#indexes.set(tables, indexes);
    }
    const number = field?.number ?? 0;
    let index = indexes.get(number);
    if (index === undefined) {
      index = new CachedIndex(this.#lru, field);
      indexes.set(number, index);
    }
    return index;
  }
}
