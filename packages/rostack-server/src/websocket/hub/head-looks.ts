import type { Head, RecordSource } from 'rostack-core';

/** Looks at the head of a log for many who ask at once: at most one look runs, and one waits for it. */
export class HeadLooks {
  readonly #source: RecordSource;
  #running: Promise<unknown> = Promise.resolve();
  #waiting: Promise<Head> | undefined;

  constructor(source: RecordSource) {
    this.#source = source;
  }

  /**
   * The head as of some moment after the call.
   * @throws SourceUnavailableError when the source cannot be reached
   */
  look(): Promise<Head> {
    this.#waiting ??= this.#lookNext();
    return this.#waiting;
  }

  async #lookNext(): Promise<Head> {
    await this.#running;
    this.#waiting = undefined;
    const looking = this.#source.head();
    this.#running = looking.catch(() => {});
    return looking;
  }
}
