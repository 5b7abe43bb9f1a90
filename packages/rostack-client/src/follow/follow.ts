import {
  aFunction,
  anObject,
  aSignal,
  aText,
  hashFilter,
  type JsonObject,
  objectWith,
  optional,
  optionsOf,
  parseFilter,
  type RecordId,
} from 'rostack-core';
import { checkUsage } from '../error/errors.ts';
import type { RecordSchema } from '../resource/record-schema.ts';
import { MemoryStateStore } from '../store/memory-state-store.ts';
import { StatePlace } from '../store/state-place.ts';
import type { StateStore } from '../store/state-store.ts';
import type { FollowChange } from './follow-change.ts';
import { type Changes, FollowRun } from './follow-run.ts';
import type { FollowSource } from './follow-source.ts';
import { FollowedSet } from './followed-set.ts';
import { type RefusalLimits, SnapshotRefusals } from './snapshot-refusals.ts';

export interface FollowOptions<T> {
  /** Which records (protocol section 6); the resource has to advertise `event_filtering`. @default all */
  readonly filter?: JsonObject;
  /** Where the set and its cursor are kept. @default memory */
  readonly store?: StateStore;
  /**
   * Names the state in the store. One follow uses it at a time: a second one gets a UsageError.
   * @default the resource and a hash of the filter, see `Follow.key`
   */
  readonly key?: string;
  /** The id of a record, a string or an integer; the set is kept by its text. @default its member `id` */
  readonly recordId?: (record: JsonObject) => RecordId;
  /** Validates each record. @default records are taken as they come */
  readonly schema?: RecordSchema<T>;
  /**
   * Called when a snapshot or a look-up failed in a way that may pass, or has to be taken again: the next attempt follows after
   * `retryInMs`. What it throws is shown as a warning of the platform and ends nothing. For connections there is `ClientOptions.onStatus`.
   */
  readonly onWaiting?: (error: unknown, retryInMs: number) => void;
  readonly signal?: AbortSignal;
}

export const followOptions = optionsOf<FollowOptions<unknown>>({
  filter: optional(anObject),
  store: optional(objectWith('load', 'replace', 'update', 'remove')),
  key: optional(aText),
  recordId: optional(aFunction),
  schema: optional(objectWith('safeParse')),
  onWaiting: optional(aFunction),
  signal: optional(aSignal),
});

/** What a follow is made of besides the caller's options. */
export interface FollowSetup {
  readonly resource: string;
  readonly source: FollowSource;
  readonly limits: RefusalLimits;
  /** Aborted when the client is closed. */
  readonly life: AbortSignal;
}

/** Hexadecimal digits of a filter's hash in a key: 128 bits. */
const HASH_LENGTH = 32;

/**
 * Holds the records of one resource that match a filter, and tells each change in order: a snapshot first, then one change per event.
 * A change counts as processed when the next one is asked for; then, and not before, it is stored together with its cursor. What was
 * not processed when the process ends comes again (at least once).
 * @see protocol section 8
 */
export class Follow<T>
  implements AsyncIterableIterator<FollowChange<T>, undefined, undefined>, AsyncDisposable
{
  readonly #options: FollowOptions<T>;
  readonly #setup: FollowSetup;
  readonly #set: FollowedSet<T>;
  readonly #ending = new AbortController();
  readonly #signal: AbortSignal;
  readonly #generator: Changes<T>;
  #states: StatePlace | undefined;
  /** Calls of `next` under way. */
  #pending = 0;
  #isOver = false;

  /** Use `RostackClient.follow`. */
  constructor(options: FollowOptions<T>, setup: FollowSetup) {
    const { schema, recordId, filter, signal } = options;
    this.#options = options;
    this.#setup = setup;
    this.#set = new FollowedSet({
      schema,
      recordId,
      resource: setup.resource,
      isFiltered: filter !== undefined,
    });
    this.#signal = AbortSignal.any([this.#ending.signal, setup.life, ...(signal ? [signal] : [])]);
    this.#generator = this.#changes();
  }

  /** The set by id, as of the newest change given out. */
  get records(): ReadonlyMap<string, T> {
    return this.#set.records;
  }

  /** The stored cursor: after the last processed change, or a bookmark that is newer. Undefined before the first snapshot is stored. */
  get cursor(): string | undefined {
    return this.#states?.cursor;
  }

  /**
   * Names the state in the store: the option, or the resource and a hash of the filter's normal form, such as `stations~all`.
   * @throws FilterError of rostack-core
   */
  get key(): string {
    const { key, filter } = this.#options;
    const selection = filter === undefined ? 'all' : hashFilter(parseFilter(filter)).slice(0, HASH_LENGTH);
    return key ?? `${this.#setup.resource}~${selection}`;
  }

  /** @throws SubscriptionError, HttpProblemError, RecordError and others (see README); the signal's reason */
  async next(): Promise<IteratorResult<FollowChange<T>, undefined>> {
    this.#pending += 1;
    try {
      const { done, value } = await this.#generator.next();
      if (done !== true) return { done: false, value };
    } catch (error) {
      if (!this.#isOver) throw error;
    } finally {
      this.#pending -= 1;
      this.#leaveWhenIdle();
    }
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<FollowChange<T>, undefined>> {
    this.close();
    await this.#generator.return();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Calls back for each change, waits for the callback, and goes on; ends when the follow is closed. */
  async run(onChange: (change: FollowChange<T>) => void | Promise<void>): Promise<void> {
    checkUsage(aFunction, onChange, 'onChange');
    for await (const change of this) await onChange(change);
  }

  /** Ends the iteration; the change being processed is not stored. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ending.abort();
    void this.#generator.return().catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async *#changes(): Changes<T> {
    this.#signal.throwIfAborted();
    const { key, store } = this.#options;
    const { source, resource, limits } = this.#setup;
    const scope = await source.scope(this.#signal);
    const states = await StatePlace.take(store ?? new MemoryStateStore(), this.key);
    this.#states = states;
    const run = new FollowRun({
      source,
      states,
      set: this.#set,
      refusals: new SnapshotRefusals(limits),
      // Older releases used the resource's name alone as key.
      olderKey: key === undefined ? resource : undefined,
      signal: this.#signal,
    });
    const onEnd = (): void => {
      states.announceLeave();
      this.#leaveWhenIdle();
    };
    this.#signal.addEventListener('abort', onEnd, { once: true });
    try {
      yield* run.changes(scope);
    } finally {
      this.#signal.removeEventListener('abort', onEnd);
      await states.leave(this.#signal.reason);
    }
  }

  /** A consumer that never asks again must not keep the key from others. */
  #leaveWhenIdle(): void {
    if (this.#pending === 0 && this.#signal.aborted) void this.#states?.leave(this.#signal.reason);
  }
}
