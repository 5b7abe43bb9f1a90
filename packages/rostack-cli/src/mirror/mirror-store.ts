import {
  type FollowState,
  MemoryStateStore,
  type StateStore,
  type StateUpdate,
  type StoredRecord,
  UsageError,
} from 'rostack-client';
import { parseTrustedJson } from 'rostack-core';
import type { MirrorTarget } from './mirror-target.ts';

/** A batch is written when it has this many events, or is this old. */
const MAX_EVENTS = 1_000;
const MAX_AGE_MS = 100;

interface Batch {
  readonly records: Map<string, StoredRecord | undefined>;
  cursor: string;
  eventId: string | undefined;
  events: number;
}

/**
 * Writes what a follow stores into a table, many events in one transaction with their cursor. What a crash loses is lost together with
 * its cursor, so it comes again. What is stored under other keys is part of a snapshot, and is kept next to the table.
 */
export class MirrorStore implements StateStore, AsyncDisposable {
  readonly #target: MirrorTarget;
  readonly #key: string;
  readonly #onFailure: (error: unknown) => void;
  #batch: Batch | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Writes run one after the other. */
  #writing: Promise<unknown> = Promise.resolve();

  /**
   * @param key of the state that the table holds
   * @param onFailure called when a batch could not be written, so that the follow ends even if no more events come
   */
  constructor(target: MirrorTarget, key: string, onFailure: (error: unknown) => void) {
    this.#target = target;
    this.#key = key;
    this.#onFailure = onFailure;
  }

  load(key: string): Promise<FollowState | undefined> {
    return key === this.#key ? this.#target.load() : this.#next(() => this.#part(key));
  }

  async replace(key: string, state: FollowState): Promise<void> {
    if (key !== this.#key) return this.#next(() => this.#putPart(key, state));
    await this.flush();
    await this.#target.replace(state);
  }

  async update(key: string, update: StateUpdate): Promise<void> {
    if (key !== this.#key) return this.#next(() => this.#updatePart(key, update));
    const { cursor, eventId, put, remove } = update;
    const batch = this.#batch ?? { records: new Map(), cursor, eventId, events: 0 };
    this.#batch = batch;
    if (remove !== undefined) batch.records.set(remove, undefined);
    if (put !== undefined) batch.records.set(put.id, put);
    batch.cursor = cursor;
    batch.eventId = eventId;
    batch.events += 1;
    if (batch.events >= MAX_EVENTS) await this.flush();
    else this.#timer ??= setTimeout(() => void this.flush().catch(this.#onFailure), MAX_AGE_MS);
  }

  async remove(key: string): Promise<void> {
    if (key !== this.#key) return this.#next(() => this.#target.putPart(key, undefined));
    throw new UsageError('a mirror keeps its state in the table: drop the table to forget it');
  }

  /** Writes what is waiting. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#batch;
    this.#batch = undefined;
    // After a failure nothing more is written: the cursor must not move past what is missing.
    if (batch !== undefined) this.#writing = this.#writing.then(() => this.#target.apply(batch));
    await this.#writing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // To see a failure, call `flush` first.
    await this.flush().catch(() => {});
  }

  async #part(key: string): Promise<FollowState | undefined> {
    const text = await this.#target.part(key);
    return text === undefined ? undefined : (parseTrustedJson(text) as FollowState);
  }

  #putPart(key: string, state: FollowState): Promise<void> {
    return this.#target.putPart(key, JSON.stringify({ ...state, records: [...state.records] }));
  }

  async #updatePart(key: string, update: StateUpdate): Promise<void> {
    const store = new MemoryStateStore();
    const before = await this.#part(key);
    if (before !== undefined) await store.replace(key, before);
    await store.update(key, update);
    const after = await store.load(key);
    if (after !== undefined) await this.#putPart(key, after);
  }

  /** Runs an action after all earlier ones, so that each call is one step. */
  #next<R>(action: () => Promise<R>): Promise<R> {
    const done = this.#writing.then(action);
    this.#writing = done;
    return done;
  }
}
