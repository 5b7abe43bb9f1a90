import { setTimeout as wait } from 'node:timers/promises';
import { type Change, type Head, type Position, SourceUnavailableError } from 'rostack-core';
import type { Store } from 'rostack-store';

const READ_CHANGES = 500;
const RETRY_MS = 50;

/** Keeps every change of a resource, also those that are pruned later. */
export class LogKeeper {
  readonly resource: string;
  readonly #store: Store;
  readonly #changes: Change[] = [];
  readonly start: Position;

  /** @param start the head of the log now, when the resource has no records */
  constructor(store: Store, resource: string, start: Position) {
    this.#store = store;
    this.resource = resource;
    this.start = start;
  }

  /** All changes after `start`. */
  get changes(): readonly Change[] {
    return this.#changes;
  }

  get position(): Position {
    return this.start + this.#changes.length;
  }

  /** Reads what is new; call it before anything is pruned. */
  async readToHead(): Promise<Head> {
    const source = this.#store.source(this.resource);
    const head = await patiently(() => source.head());
    while (this.position < head.position) {
      for (const change of await patiently(() => source.read(this.position, READ_CHANGES))) {
        if (change.position !== this.position + 1) {
          throw new Error(`${this.resource}: after ${this.position} the log goes on at ${change.position}`);
        }
        this.#changes.push(change);
      }
    }
    return head;
  }
}

/** Tries again while the database is away. */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const isAway =
        error instanceof SourceUnavailableError ||
        (error instanceof Error && 'code' in error && error.code === 'store_unavailable');
      if (!isAway) throw error;
    }
    await wait(RETRY_MS);
  }
}
