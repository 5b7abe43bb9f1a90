import { SharedTurn } from '../../database.ts';

interface Asked {
  /** Begins, then reads. Does not throw. */
  readonly run: (begin: () => void) => void;
  /** Whether it reads more than once. */
  readonly needsSnapshot: boolean;
}

/** The connection, as far as its transactions go. */
export interface Transactions {
  readonly isOpen: () => boolean;
  readonly begin: () => void;
  /** Does not throw. */
  readonly end: () => void;
}

/**
 * Reads of one connection. Those that are asked for together run together: what SQLite needs is at hand when one read follows another, and
 * the file is locked once for all of them.
 */
export class SharedReads {
  readonly #transactions: Transactions;
  readonly #turn: SharedTurn;
  #turnEndMs = 0;
  #asked: Asked[] = [];

  /** @param maxTurnMs how long the reads of one turn of the event loop may take; those that are left go on in the next one */
  constructor(transactions: Transactions, maxTurnMs: number) {
    this.#transactions = transactions;
    this.#turn = new SharedTurn(() => {
      this.#turnEndMs = performance.now() + maxTurnMs;
    });
  }

  /** @param needsSnapshot whether the work reads more than once @throws whatever the work throws */
  run<T>(work: () => T, needsSnapshot: boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = (begin: () => void) => {
        try {
          begin();
          resolve(work());
        } catch (error) {
          reject(error);
        }
      };
      this.#asked.push({ run, needsSnapshot });
      if (this.#asked.length === 1) void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    do {
      // Waits for a microtask at least, so that reads which are asked for right after this one join it.
      await (performance.now() < this.#turnEndMs ? undefined : this.#turn.next());
      this.#runSome();
    } while (this.#asked.length > 0);
  }

  #runSome(): void {
    const { isOpen, begin, end } = this.#transactions;
    const asked = this.#asked;
    const isShared = asked.length > 1 || asked[0]?.needsSnapshot === true;
    let done = 0;
    for (const { run } of asked) {
      run(() => {
        // A read that failed may have rolled it back.
        if (isShared && !isOpen()) begin();
      });
      done += 1;
      if (performance.now() >= this.#turnEndMs) break;
    }
    if (isOpen()) end();
    this.#asked = asked.slice(done);
  }
}
