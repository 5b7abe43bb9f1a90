import type { JsonObject, SortKey } from 'rostack-core';
import {
  aFunction,
  anInteger,
  anObject,
  aSignal,
  aString,
  listOf,
  objectWith,
  optional,
  optionsOf,
} from 'rostack-core/client';
import { loadFilters, loadLaterParts } from '../connection/platform/platform.ts';
import { checkUsage, UsageError } from '../http/error/errors.ts';
import { aRecordId, type RecordIdOption, type RecordSchema } from '../list/record-ids.ts';
import { type StateKeeper, UnstoredState } from '../state/state-keeper.ts';
import type { StateStore } from '../state/state-store.ts';
import type { FollowChange } from './follow-change.ts';
import { type Changes, FollowRun, type FollowRunOptions, type RefusalLimits } from './follow-run.ts';
import type { FollowSource } from './follow-source.ts';
import { type FollowView, keyOf } from './follow-view.ts';
import { FollowedSet, type FollowedSetOptions } from './followed-set.ts';
import type { RecordSet } from './record-set.ts';
import type { SnapshotReader } from './snapshot-reader.ts';

/** Which records a follow holds, in what form, and where it keeps them. */
export interface FollowOptions<T> {
  /** Which records (protocol section 6); the resource has to advertise `event_filtering`. @default all */
  readonly filter?: JsonObject;
  /**
   * Keeps the set in order: sortable fields as JSON Pointers, `-` in front for descending; ties by id.
   * @default in no order
   */
  readonly sort?: readonly string[];
  /**
   * Shows only the first records of the order, which needs `sort`; at least 1. When others leave, what takes their place
   * comes as a separate change.
   * @default all
   */
  readonly limit?: number;
  /**
   * Records that are held beyond `limit`, at least 0. This many may leave before the list has to be read again.
   * @default as many as `limit`
   */
  readonly margin?: number;
  /** Fields to keep, as JSON Pointers; the id and the fields of `sort` come with them. @default all */
  readonly fields?: readonly string[];
  /** Where the set and its cursor are kept. @default memory */
  readonly store?: StateStore;
  /**
   * Names the state in the store. One follow uses it at a time: a second one gets a UsageError.
   * @default the resource, a hash of the filter, and the view, see `Follow.key`
   */
  readonly key?: string;
  /**
   * How whole snapshots are read, such as `parallelSnapshot()` of `rostack-client/snapshot`: in several ranges at once, and continued
   * after a restart. Not used with `limit`.
   * @default one chain of pages, from the start each time
   */
  readonly snapshot?: SnapshotReader;
  /**
   * Where the id of a record is: a JSON Pointer such as `/deviceId`, or a function that returns it, a string or an integer. The set is kept
   * by its text.
   * @default its member `id`; where there is none, what the server's own events and look-ups show to be the id
   */
  readonly recordId?: RecordIdOption;
  /** Validates each record. @default records are taken as they come */
  readonly schema?: RecordSchema<T>;
  /**
   * Called when a snapshot or a look-up failed with a temporary error, or a snapshot has to be taken again: the next attempt
   * follows after `retryInMs`. Errors that it throws are shown as warnings of the platform and end nothing. For connections
   * there is `ClientOptions.onStatus`.
   * @default not called
   */
  readonly onWaiting?: (error: unknown, retryInMs: number) => void;
  /**
   * Called when the connection that events come on is lost: the set may be out of date until the next `live`. In a page that is visible, a
   * silent server is asked after 4 s whether it is there. It may throw, as `onWaiting` may.
   * @default not called
   */
  readonly onLost?: () => void;
  /**
   * Ends the follow when it is aborted: the iteration throws the signal's reason.
   * @default none
   */
  readonly signal?: AbortSignal;
}

export const followOptions = optionsOf<FollowOptions<unknown>>({
  filter: optional(anObject),
  sort: optional(listOf(aString)),
  limit: optional(anInteger(1)),
  margin: optional(anInteger(0)),
  fields: optional(listOf(aString)),
  store: optional(objectWith('load', 'replace', 'update', 'remove')),
  key: optional(aString),
  snapshot: optional(objectWith('read', 'createStore', 'forget')),
  recordId: optional(aRecordId),
  schema: optional(objectWith('safeParse')),
  onWaiting: optional(aFunction),
  onLost: optional(aFunction),
  signal: optional(aSignal),
});

/** What a follow needs besides the caller's options. */
export interface FollowSetup {
  readonly resource: string;
  readonly source: FollowSource;
  readonly view: FollowView | undefined;
  readonly limits: RefusalLimits;
  /** Aborted when the client is closed. */
  readonly life: AbortSignal;
}

/**
 * Holds the records of one resource that match a filter, or the first of them, and yields each change in order: a snapshot first, then
 * one change per event.
 * A change counts as processed when the next one is asked for; only then is it stored, together with its cursor. What was
 * not processed when the process ends comes again (at least once).
 * @see protocol section 8
 */
export class Follow<T, EventName extends string = string>
  implements AsyncIterableIterator<FollowChange<T, EventName>, undefined, undefined>, AsyncDisposable
{
  readonly #options: FollowOptions<T>;
  readonly #setup: FollowSetup;
  /** Undefined until the code that makes it is loaded. */
  #set: RecordSet<T> | undefined;
  #key: string | undefined;
  readonly #ending = new AbortController();
  readonly #signal: AbortSignal;
  readonly #generator: Changes<T>;
  #states: StateKeeper | undefined;
  /** Calls of `next` under way. */
  #pending = 0;
  #isOver = false;
  #closing = Promise.resolve();
  #isIterated = false;

  /** Use `RostackClient.follow`. */
  constructor(options: FollowOptions<T>, setup: FollowSetup) {
    const { signal } = options;
    this.#options = options;
    this.#setup = setup;
    const { resource, view } = setup;
    if (options.key !== undefined || options.filter === undefined) {
      this.#key = options.key ?? keyOf(resource, undefined, view);
    }
    if (view === undefined) this.#set = new FollowedSet(this.#setOptions());
    this.#signal = AbortSignal.any([this.#ending.signal, setup.life, ...(signal ? [signal] : [])]);
    this.#generator = this.#changes();
  }

  /** The set by id, in the order of `sort`, as of the newest change that was returned. */
  get records(): ReadonlyMap<string, T> {
    return this.#set?.records ?? NO_RECORDS;
  }

  /** The stored cursor: after the last processed change, or a bookmark that is newer. Undefined before the first snapshot is stored. */
  get cursor(): string | undefined {
    return this.#states?.cursor;
  }

  /**
   * Names the state in the store: the option, or the resource and a hash of the filter's normal form, such as `stations~all`;
   * with `sort`, `limit` or `fields` these as well. A hash is known from the first change on; before that, the key is undefined.
   */
  get key(): string | undefined {
    return this.#key;
  }

  /**
   * The keys of `sort` as the server compares them, by the schema of its records; none without `sort`.
   * @throws SortError of rostack-core, ClientError; the signal's reason
   */
  order(): Promise<readonly SortKey[]> {
    return this.#setup.source.order(this.#signal);
  }

  /**
   * The next change; asking for it says that the previous one was processed.
   * @throws SubscriptionError, HttpProblemError, RecordError and others; the signal's reason
   * @see https://github.com/rostack/rostack/blob/main/docs/libraries/client-api.md#errors
   */
  async next(): Promise<IteratorResult<FollowChange<T, EventName>, undefined>> {
    this.#pending += 1;
    try {
      const { done, value } = await this.#generator.next();
      if (done !== true) return { done: false, value: value as FollowChange<T, EventName> };
    } catch (error) {
      if (!this.#isOver) throw error;
    } finally {
      this.#pending -= 1;
      this.#leaveWhenIdle();
    }
    return { done: true, value: undefined };
  }

  /** Closes the follow; called when a loop is left. */
  async return(): Promise<IteratorResult<FollowChange<T, EventName>, undefined>> {
    await this.close();
    await this.#generator.return();
    return { done: true, value: undefined };
  }

  /**
   * The follow itself, for one loop.
   * @throws UsageError `invalid_options` the second time: two loops would share the changes, each missing some
   */
  [Symbol.asyncIterator](): this {
    if (this.#isIterated) {
      throw new UsageError('a Follow is read by one loop, once: call follow again for another one');
    }
    this.#isIterated = true;
    return this;
  }

  /**
   * Calls `onChange` for each change and waits for it; ends when the follow is closed.
   * @throws UsageError `invalid_options` when the callback is not a function; what `next` and the callback throw
   */
  async run(onChange: (change: FollowChange<T, EventName>) => void | Promise<void>): Promise<void> {
    checkUsage(aFunction, onChange, 'onChange');
    for await (const change of this) await onChange(change);
  }

  /** Ends the iteration; the change being processed is not stored. */
  close(): Promise<void> {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#ending.abort();
      this.#closing = this.#generator.return().then(
        () => {},
        () => {},
      );
    }
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async *#changes(): Changes<T> {
    this.#signal.throwIfAborted();
    const { key } = this.#options;
    const { source, resource, view, limits } = this.#setup;
    const scope = await source.scope(this.#signal);
    this.#key ??= await this.#hashedKey();
    this.#set ??= await this.#windowSet();
    const { states, readingPlace } = await this.#takePlaces(this.#key);
    this.#states = states;
    const run = new FollowRun({
      source,
      states,
      readingPlace,
      set: this.#set,
      limits,
      // Older releases used the resource's name alone as key.
      olderKey: key === undefined && view === undefined ? resource : undefined,
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

  async #hashedKey(): Promise<string> {
    const { filterHash } = await loadFilters();
    return keyOf(this.#setup.resource, filterHash(this.#options.filter as JsonObject), this.#setup.view);
  }

  async #takePlaces(key: string): Promise<Pick<FollowRunOptions<T>, 'states' | 'readingPlace'>> {
    const { store, snapshot } = this.#options;
    const kept = store ?? snapshot?.createStore();
    if (kept === undefined) {
      const states = new UnstoredState();
      return { states, readingPlace: states };
    }
    const { StateHandle } = await loadLaterParts();
    const readingPlace = await StateHandle.take(kept, key);
    // Without a store the set is only kept in memory, once.
    return { states: store === undefined ? new UnstoredState() : readingPlace, readingPlace };
  }

  async #windowSet(): Promise<RecordSet<T>> {
    const { WindowSet } = await loadLaterParts();
    const { source, view } = this.#setup;
    return new WindowSet(this.#setOptions(), view as FollowView, () => source.ids.pointer);
  }

  #setOptions(): FollowedSetOptions<T> {
    const { schema, filter } = this.#options;
    const { resource, view } = this.#setup;
    return { schema, resource, isFiltered: filter !== undefined || view?.limit !== undefined };
  }

  /** A consumer that never asks again must not block the key for others. */
  #leaveWhenIdle(): void {
    if (this.#pending === 0 && this.#signal.aborted) void this.#states?.leave(this.#signal.reason);
  }
}

const NO_RECORDS = new Map<string, never>();
