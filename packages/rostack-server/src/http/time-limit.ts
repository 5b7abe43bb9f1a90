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
  /** Slots that are used again: a set that changes with every request would leave the collector a chain of old tables. */
  readonly #waiting: (Waiting | undefined)[] = [];
  readonly #free: number[] = [];
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
      const slot = this.#free.pop() ?? this.#waiting.length;
      const waiting: Waiting = {
        deadlineMs: performance.now() + this.#timeoutMs,
        expire: () => {
          reject(
            new SourceUnavailableError(`The record source did not answer within ${this.#timeoutMs} ms.`),
          );
        },
      };
      this.#waiting[slot] = waiting;
      this.#start();
      promise.then(
        (value) => {
          this.#leave(slot, waiting);
          resolve(value);
        },
        (error: unknown) => {
          this.#leave(slot, waiting);
          reject(error);
        },
      );
    });
  }

  #leave(slot: number, waiting: Waiting): void {
    if (this.#waiting[slot] !== waiting) return;
    this.#waiting[slot] = undefined;
    this.#free.push(slot);
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
    for (const [slot, waiting] of this.#waiting.entries()) {
      if (waiting === undefined || waiting.deadlineMs > nowMs) continue;
      this.#leave(slot, waiting);
      waiting.expire();
    }
    if (this.#free.length < this.#waiting.length) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
