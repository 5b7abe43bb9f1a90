import { SourceUnavailableError } from 'rostack-core';

interface Waiting {
  readonly deadlineMs: number;
  readonly expire: () => void;
}

const MIN_TICK_MS = 5;
const MAX_TICK_MS = 250;

/** Ends waits that take too long. One timer looks after all of them: most waits end before a timer of their own would pay. */
export class TimeLimit {
  readonly #timeoutMs: number;
  readonly #waiting = new Set<Waiting>();
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /**
   * The value of a promise that settles in time, give or take a quarter of a second.
   * @throws SourceUnavailableError when it does not; what it gives later is dropped
   */
  race<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        deadlineMs: performance.now() + this.#timeoutMs,
        expire: () => {
          reject(
            new SourceUnavailableError(`The record source did not answer within ${this.#timeoutMs} ms.`),
          );
        },
      };
      this.#waiting.add(waiting);
      this.#start();
      promise.then(
        (value) => {
          this.#waiting.delete(waiting);
          resolve(value);
        },
        (error: unknown) => {
          this.#waiting.delete(waiting);
          reject(error);
        },
      );
    });
  }

  #start(): void {
    if (this.#timer !== undefined) return;
    const tickMs = Math.min(MAX_TICK_MS, Math.max(MIN_TICK_MS, this.#timeoutMs / 4));
    this.#timer = setInterval(() => {
      this.#tick();
    }, tickMs).unref();
  }

  #tick(): void {
    const nowMs = performance.now();
    for (const waiting of this.#waiting) {
      if (waiting.deadlineMs > nowMs) continue;
      this.#waiting.delete(waiting);
      waiting.expire();
    }
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
