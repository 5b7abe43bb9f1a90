import { StoreUnavailableError } from '../errors/index.ts';
import type { Database, Work } from './database.ts';

/** What keeps a store from writing. */
export interface WriteFault {
  /** Time since the first of the failures, in ms. */
  readonly forMs: number;
  /** Time since the latest one, in ms. */
  readonly agoMs: number;
  /** The latest one. */
  readonly error: StoreUnavailableError;
}

/** Tracks whether writes to a database work: a failure counts until something that needs room was written. */
export class WriteHealth {
  readonly #database: Database;
  #failing: { readonly sinceMs: number; atMs: number; error: StoreUnavailableError } | undefined;

  /** Records each failed write whose cause is the database itself, whoever requested it. */
  constructor(database: Database) {
    this.#database = database;
    const write = database.write.bind(database);
    database.write = async <T>(work: () => Work<T>): Promise<T> => {
      try {
        return await write(work);
      } catch (error) {
        if (error instanceof StoreUnavailableError) this.#fail(error);
        throw error;
      }
    };
  }

  /** Undefined while writes work, as far as is known from attempts or from the database itself. */
  get fault(): WriteFault | undefined {
    const { fault } = this.#database;
    if (fault !== undefined && this.#failing === undefined) this.#fail(fault);
    if (this.#failing === undefined) return undefined;
    const { sinceMs, atMs, error } = this.#failing;
    const nowMs = performance.now();
    return { forMs: nowMs - sinceMs, agoMs: nowMs - atMs, error };
  }

  /** Records that something that needs room was written. */
  succeeded(): void {
    this.#failing = undefined;
  }

  #fail(error: StoreUnavailableError): void {
    const atMs = performance.now();
    this.#failing = { sinceMs: this.#failing?.sinceMs ?? atMs, atMs, error };
  }
}
