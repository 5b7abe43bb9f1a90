import type { JsonObject } from 'rostack-core';
import type { StoredRecord } from '../store/state-store.ts';

/** Records as a store takes them, each made on request. They can be iterated more than once. */
export class StoredRecords implements Iterable<StoredRecord> {
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
