import { SourceUnavailableError } from 'rostack-core';
import type { LongRead } from './database.ts';

/** A read that has taken less time than this goes before those that have taken more. */
const YOUNG_MS = 50;

interface Waiting {
  readonly read: LongRead;
  readonly start: () => void;
  readonly refuse: (error: SourceUnavailableError) => void;
}

/**
 * Gives long reads their turns, a few at a time. Reads that have hardly begun go first, so that they need not wait for the end of long
 * ones; among the others, the one with the earliest deadline continues until it is complete, so that not all of them run out of time.
 */
export class LongReads {
  readonly #maxRunning: number;
  readonly #waiting = new Set<Waiting>();
  #running = 0;
  #isClosed = false;

  constructor(maxRunning: number) {
    this.#maxRunning = maxRunning;
  }

  /** @throws SourceUnavailableError when the read's time is over before its turn comes, or the database is closed */
  async run<T>(read: LongRead, step: () => Promise<T>): Promise<T> {
    await this.#turn(read);
    const startedMs = performance.now();
    try {
      return await step();
    } finally {
      read.spentMs += performance.now() - startedMs;
      // In between the read may ask for its next step, which competes with the waiting ones.
      setImmediate(() => {
        this.#running -= 1;
        this.#startNext();
      });
    }
  }

  /** Rejects waiting reads, and all later ones. */
  close(): void {
    this.#isClosed = true;
    this.#startNext();
  }

  #turn(read: LongRead): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.add({ read, start: resolve, refuse: reject });
      this.#startNext();
    });
  }

  #startNext(): void {
    for (const waiting of this.#waiting) {
      if (this.#isClosed) this.#refuse(waiting, 'the database is closed');
      else if (performance.now() > waiting.read.deadlineMs) {
        this.#refuse(waiting, 'the page was not complete in time: other reads came before it');
      }
    }
    while (this.#running < this.#maxRunning) {
      const [next] = [...this.#waiting].sort(byTurn);
      if (next === undefined) return;
      this.#waiting.delete(next);
      this.#running += 1;
      next.start();
    }
  }

  #refuse(waiting: Waiting, message: string): void {
    this.#waiting.delete(waiting);
    waiting.refuse(new SourceUnavailableError(message));
  }
}

function byTurn({ read: a }: Waiting, { read: b }: Waiting): number {
  const isYoungA = a.spentMs < YOUNG_MS;
  const isYoungB = b.spentMs < YOUNG_MS;
  if (isYoungA !== isYoungB) return isYoungA ? -1 : 1;
  return a.deadlineMs - b.deadlineMs;
}
