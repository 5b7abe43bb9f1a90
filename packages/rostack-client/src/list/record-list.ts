import type { JsonObject } from 'rostack-core';
import {
  anInteger,
  anObject,
  aSignal,
  aString,
  listOf,
  objectWith,
  optional,
  optionsOf,
} from 'rostack-core/client';
import type { RecordSchema } from './record-ids.ts';

/** Options of `RostackClient.list`. */
export interface ListOptions<T> {
  /** Which records (protocol section 6). @default all */
  readonly filter?: JsonObject;
  /** Sortable fields as JSON Pointers, `-` in front for descending. @default the server's order */
  readonly sort?: readonly string[];
  /** Fields to keep, as JSON Pointers. @default all */
  readonly fields?: readonly string[];
  /**
   * Records per page: 1 to the server's maximum.
   * @default the server's maximum, at most 1,000
   */
  readonly pageSize?: number;
  /** Validates each record. @default records are taken as they come */
  readonly schema?: RecordSchema<T>;
  /**
   * Ends the iteration when it is aborted, with the signal's reason.
   * @default none
   */
  readonly signal?: AbortSignal;
}

export const listOptions = optionsOf<ListOptions<unknown>>({
  filter: optional(anObject),
  sort: optional(listOf(aString)),
  fields: optional(listOf(aString)),
  pageSize: optional(anInteger(1)),
  schema: optional(objectWith('safeParse')),
  signal: optional(aSignal),
});

/** One page of a chain. */
export interface ListPage<T> {
  /** In the order of the list; at most `pageSize`. */
  readonly records: readonly T[];
  /** The same on every page of the chain; undefined if the resource has no events. */
  readonly eventCursor: string | undefined;
}

/**
 * The records of one consistent chain of pages, read as they are asked for; every iteration begins a new chain.
 * The cursor of a page is valid for about 15 minutes: when it expires the iteration throws `PageCursorExpiredError`, and the caller
 * decides whether to list again.
 * @see protocol section 5
 */
export class RecordList<T> implements AsyncIterable<T> {
  readonly #readPages: () => AsyncGenerator<ListPage<T>, void, undefined>;
  #eventCursor: string | undefined;

  /** Use `RostackClient.list`. */
  constructor(readPages: () => AsyncGenerator<ListPage<T>, void, undefined>) {
    this.#readPages = readPages;
  }

  /**
   * The event position of the newest chain, from its first page on: subscribing from there after the last page leaves no gap.
   * Undefined before that, and if the resource has no events.
   */
  get eventCursor(): string | undefined {
    return this.#eventCursor;
  }

  /** The same chain page by page. */
  async *pages(): AsyncGenerator<ListPage<T>, void, undefined> {
    for await (const page of this.#readPages()) {
      this.#eventCursor = page.eventCursor;
      yield page;
    }
  }

  /**
   * The records one by one, of a new chain of pages; the next page is read when it is needed.
   * @throws PageCursorExpiredError `page_cursor_expired`, and every error of a request
   * @see https://github.com/rostack/rostack/blob/main/docs/libraries/client-api.md#errors
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.records;
  }
}
