import type { JsonObject } from 'rostack-core';

/** One page of records, as it was read. */
export interface RecordPage {
  readonly records: readonly JsonObject[];
}

/**
 * Pages of one consistent chain: forward by reading, back within what was read. One page is read ahead, so that it is known
 * whether there is a next one.
 */
export class PageChain {
  readonly #source: AsyncIterator<RecordPage, void, undefined>;
  readonly #pages: RecordPage[] = [];
  #index = -1;
  #ended = false;

  constructor(pages: AsyncIterable<RecordPage, void, undefined>) {
    this.#source = pages[Symbol.asyncIterator]();
  }

  /** The page in view; undefined before the first `forward`. */
  get page(): RecordPage | undefined {
    return this.#pages[this.#index];
  }

  /** From 1; 0 before the first `forward`. */
  get number(): number {
    return this.#index + 1;
  }

  get hasPrevious(): boolean {
    return this.#index > 0;
  }

  get hasNext(): boolean {
    return this.#index + 1 < this.#pages.length;
  }

  /** Whether the page after the one in view is not known yet. */
  get isReadingAhead(): boolean {
    return !this.hasNext && !this.#ended;
  }

  /** Shows the next page. @throws what the source throws */
  async forward(): Promise<void> {
    if (!this.hasNext) await this.readAhead();
    if (this.hasNext) this.#index += 1;
  }

  /** Shows the page before, as it was read. */
  back(): void {
    if (this.hasPrevious) this.#index -= 1;
  }

  /** Reads one page more than is in view. @throws what the source throws */
  async readAhead(): Promise<void> {
    if (!this.isReadingAhead) return;
    const { done, value } = await this.#source.next();
    if (done === true) this.#ended = true;
    else this.#pages.push(value);
  }
}
