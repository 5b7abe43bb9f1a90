import { setImmediate as nextTurn } from 'node:timers/promises';
import { SourceUnavailableError } from 'rostack-core';

/** How long a page may hold the event loop before others get their turn. */
const MAX_TURN_MS = 5;

/** Bounds the cost of one page: time in all, and time without letting others run. */
export class PageBudget {
  readonly #deadlineMs: number;
  readonly #timeoutMs: number;
  #turnEndMs: number;

  constructor(timeoutMs: number) {
    const nowMs = performance.now();
    this.#timeoutMs = timeoutMs;
    this.#deadlineMs = nowMs + timeoutMs;
    this.#turnEndMs = nowMs + MAX_TURN_MS;
  }

  /**
   * To be awaited between two pieces of work.
   * @throws SourceUnavailableError when the time is used up
   */
  async pause(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs > this.#deadlineMs) {
      throw new SourceUnavailableError(
        `the page was not complete after ${this.#timeoutMs} ms: filter by fewer or other fields`,
      );
    }
    if (nowMs < this.#turnEndMs) return;
    await nextTurn();
    this.#turnEndMs = performance.now() + MAX_TURN_MS;
  }
}
