import { setTimeout as wait } from 'node:timers/promises';
import type { JsonObject } from 'rostack-core';
import { type Store, type StoreChange, StoreUnavailableError } from 'rostack-store';
import type { Random } from 'test-support/random';
import { RESOURCES } from '../../follows/post.ts';
import { changedParcel, randomParcel } from '../data/parcel.ts';

const IDS = 60;
const BATCH_CHANGES = 6;
const PAUSE_MS = 100;

/** Puts, changes and deletes records at random, several per transaction and of both resources, until it is told to stop. */
export class Writer {
  readonly #store: Store;
  readonly #random: Random;
  readonly #turnstile: Turnstile;
  /** The records as this writer knows them; the other writer may have changed them. */
  readonly #records = new Map<string, JsonObject>();
  #turn = 0;

  constructor(store: Store, random: Random, turnstile: Turnstile) {
    this.#store = store;
    this.#random = random;
    this.#turnstile = turnstile;
  }

  /** A first population. */
  async populate(count: number): Promise<void> {
    for (let written = 0; written < count; written += BATCH_CHANGES) {
      await this.#apply(this.#random.many(BATCH_CHANGES, () => this.#put()));
    }
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#apply(this.#random.many(this.#random.int(1, BATCH_CHANGES), () => this.#change()));
      await wait(this.#random.int(1, PAUSE_MS));
    }
  }

  async #apply(changes: readonly StoreChange[]): Promise<void> {
    await this.#turnstile.pass(async () => {
      try {
        await this.#store.apply(changes);
      } catch (error) {
        // The database is away: only the log knows whether the batch was written.
        if (!(error instanceof StoreUnavailableError)) throw error;
      }
    });
  }

  #change(): StoreChange {
    return this.#random.chance(0.2) ? this.#remove() : this.#put();
  }

  #put(): StoreChange {
    const { resource, id, key } = this.#place();
    this.#turn += 1;
    const known = this.#records.get(key);
    const record =
      known === undefined || this.#random.chance(0.2)
        ? randomParcel(this.#random, id, this.#turn)
        : changedParcel(this.#random, known, this.#turn);
    this.#records.set(key, record);
    return { resource, op: 'put', record };
  }

  #remove(): StoreChange {
    const { resource, id, key } = this.#place();
    this.#records.delete(key);
    return { resource, op: 'delete', id };
  }

  #place(): { resource: string; id: string; key: string } {
    const resource = this.#random.chance(0.7) ? RESOURCES[0] : RESOURCES[1];
    const id = `p${this.#random.int(1, IDS)}`;
    return { resource, id, key: `${resource}/${id}` };
  }
}

/** Lets work pass until somebody needs a moment in which none is under way. */
export class Turnstile {
  readonly #underWay = new Set<Promise<void>>();
  #closed: Promise<void> | undefined;

  async pass(work: () => Promise<void>): Promise<void> {
    while (this.#closed !== undefined) await this.#closed;
    const working = work();
    this.#underWay.add(working);
    try {
      await working;
    } finally {
      this.#underWay.delete(working);
    }
  }

  /** Runs `work` while nothing else is under way. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.#closed !== undefined) await this.#closed;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed = promise;
    try {
      await Promise.allSettled(this.#underWay);
      return await work();
    } finally {
      this.#closed = undefined;
      resolve();
    }
  }
}
