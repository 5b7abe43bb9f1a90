import { SharedTurn } from '../../database.ts';

interface Asked {
  /** Calls `begin`, then reads. Does not throw. */
  readonly run: (begin: () => void) => void;
  /** Whether it runs several statements. */
  readonly needsSnapshot: boolean;
}

/** The transactions of the connection. */
export interface Transactions {
  readonly isOpen: () => boolean;
  readonly begin: () => void;
  /** Does not throw. */
  readonly end: () => void;
}

/**
 * Batches the reads of one connection. Reads requested together run together: SQLite's caches stay warm, and the file is locked only once.
 */
export class SharedReads {
  readonly #transactions: Transactions;
  readonly #turn: SharedTurn;
  #turnEndMs = 0;
  #asked: Asked[] = [];

  /** @param maxTurnMs how long the reads of one turn of the event loop may take; the remaining ones run in the next turn */
  constructor(transactions: Transactions, maxTurnMs: number) {
    this.#transactions = transactions;
    this.#turn = new SharedTurn(() => {
      this.#turnEndMs = performance.now() + maxTurnMs;
    });
  }

  /** @param needsSnapshot whether the work runs several statements @throws whatever the work throws */
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
      // Waits for at least a microtask, so that reads requested right after this one join it.
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
        // A failed read may have rolled the transaction back.
        if (isShared && !isOpen()) begin();
      });
      done += 1;
      if (performance.now() >= this.#turnEndMs) break;
    }
    if (isOpen()) end();
    this.#asked = asked.slice(done);
  }
}
