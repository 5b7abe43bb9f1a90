import { SourceUnavailableError } from 'rostack-core';
import type { Database, LongRead, Work } from '../database/database.ts';
import { OverTimeError } from '../database/time-bound.ts';

/** What a piece of work gave. */
export interface TimedValue<T> {
  readonly value: T;
  /** How often it would have fitted in the time that such a piece should take. */
  readonly speed: number;
}

/** The reads of one page: at first at once, and when the page turns out to be a long one, in turn with others. */
export class PageReads implements LongRead {
  readonly deadlineMs: number;
  spentMs = 0;
  readonly #database: Database;
  readonly #timeoutMs: number;
  readonly #briefMs: number;

  constructor(database: Database, timeoutMs: number, briefMs: number) {
    this.#database = database;
    this.#timeoutMs = timeoutMs;
    this.#briefMs = briefMs;
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
    const speedOf = (wantedMs: number) => wantedMs / (performance.now() - startedMs);
    if (this.spentMs < this.#briefMs) {
      try {
        const value = await this.#database.readBriefly(this.#briefMs, timed);
        return { value, speed: speedOf(this.#briefMs) };
      } catch (error) {
        if (!(error instanceof OverTimeError)) throw error;
      } finally {
        this.spentMs += performance.now() - startedMs;
      }
    }
    const value = await this.#database.readLong(this, timed).catch((error: unknown) => {
      throw error instanceof OverTimeError ? this.#late() : error;
    });
    return { value, speed: speedOf(this.#database.longStepMs) };
  }

  #late(): SourceUnavailableError {
    return new SourceUnavailableError(
      `the page was not complete after ${this.#timeoutMs} ms: filter by fewer or other fields`,
    );
  }
}
