import type { ListPage } from './list-options.ts';

/**
 * The records of one consistent chain of pages, read as they are asked for; every iteration begins a chain of its own.
 * A chain lives about 15 minutes from page to page: when its cursor expires the iteration throws `PageCursorExpiredError`, and the caller
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
   * Undefined before, and where the resource has no events.
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

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.records;
  }
}
