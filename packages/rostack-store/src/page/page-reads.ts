import { SourceUnavailableError } from 'rostack-core';
import type { Database, LongRead, Work } from '../drivers/database.ts';
import { OverTimeError } from '../drivers/time-bound.ts';

/** A value, and how fast it was there. */
export interface TimedValue<T> {
  readonly value: T;
  /** How often it would have fitted in the time that such a piece should take. */
  readonly speed: number;
  readonly tookMs: number;
}

/** The slices of one page, each in its turn among those of others. */
export class PageReads implements LongRead {
  readonly deadlineMs: number;
  spentMs = 0;
  readonly #database: Database;
  readonly #timeoutMs: number;

  constructor(database: Database, timeoutMs: number) {
    this.#database = database;
    this.#timeoutMs = timeoutMs;
    this.deadlineMs = performance.now() + timeoutMs;
  }

  /**
   * Runs a piece of work on one consistent snapshot.
   * @throws SourceUnavailableError when the page's time is over
   */
  async read<T>(work: () => Work<T>): Promise<TimedValue<T>> {
    if (performance.now() > this.deadlineMs) throw this.#late();
    let startedMs = 0;
    const timed = () => {
      startedMs = performance.now();
      return work();
    };
    try {
      const value = await this.#database.backgroundRead(this, timed);
      const tookMs = performance.now() - startedMs;
      return { value, speed: this.#database.longStepMs / tookMs, tookMs };
    } catch (error) {
      throw error instanceof OverTimeError ? this.#late() : error;
    }
  }

  #late(): SourceUnavailableError {
    return new SourceUnavailableError(
      `the page was not complete after ${this.#timeoutMs} ms: filter by fewer or other fields`,
    );
  }
}
