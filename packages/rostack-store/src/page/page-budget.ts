import { SourceUnavailableError } from 'rostack-core';

/** Bounds the time of one page. */
export class PageBudget {
  readonly #deadlineMs: number;
  readonly #timeoutMs: number;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    this.#deadlineMs = performance.now() + timeoutMs;
  }

  /**
   * To be called before each piece of work.
   * @throws SourceUnavailableError when the time is used up
   */
  check(): void {
    if (performance.now() > this.#deadlineMs) {
      throw new SourceUnavailableError(
        `the page was not complete after ${this.#timeoutMs} ms: filter by fewer or other fields`,
      );
    }
  }
}
