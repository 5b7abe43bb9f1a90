import { LRUCache } from 'lru-cache';
import { MenuError } from '../../domain/menu-error.ts';
import type { Clock } from '../../http/clock.ts';
import { type LeaseHolder, withLease } from '../../store/hold-lease.ts';
import { type EntryKey, formatEntryKey } from '../../store/menu-store.ts';
import type { Age } from './freshness.ts';

/** How one kind of entry is kept. */
export interface EntryKind<T> {
  readonly encode: (value: T) => string;
  /** Undefined for text of another format: it counts as absent. */
  readonly decode: (body: string) => T | undefined;
  readonly age: (value: T) => Age;
}

export interface Loaded<T> {
  readonly value: T;
  /** Called once the value is kept; not if another process kept its own first. */
  readonly onKept?: () => void;
}

/** Reads a new value from the operator; `before` is what is kept now. */
export type Load<T> = (before: T | undefined) => Promise<Loaded<T>>;

export interface CacheAnswer<T> {
  /** Undefined if nothing is kept and nothing came in time. */
  readonly value: T | undefined;
  /** Too old to be shown without saying so, and no newer one came in time. */
  readonly overdue: boolean;
  /** A newer one was on its way when the wait ended. */
  readonly pending: boolean;
}

export interface EntryCacheOptions {
  readonly lease: LeaseHolder;
  /** Wait before a failed load of something that is kept is tried again, in ms. */
  readonly retryMs: number;
  readonly closing: AbortSignal;
  readonly onBackgroundError: (error: unknown) => void;
  /** Called for an entry that this process rewrote, or found rewritten by another. */
  readonly onRevision: (key: EntryKey) => void;
}

interface Loading<T> {
  readonly loaded: Promise<T>;
  readonly sinceMs: number;
}

interface Kept<T> {
  readonly value: T;
  readonly revision: number;
}

/** The last load of an entry, if it failed. */
export interface Failure {
  readonly error: unknown;
  /** When a question may begin the next load, in ms since the epoch. */
  readonly retryAtMs: number;
}

/** Of encoded text, about 10 KB a day and 15 KB in memory: enough for what people ask for, not for all that is prefetched. */
const MAX_HOT_CHARACTERS = 4 * 1024 * 1024;
/** Of the entries that were loaded last. */
const MAX_FAILURES = 1_000;
const POLL_MS = 100;

/**
 * Stale-while-revalidate over a shared store. One process at a time loads a key, and the others wait for what it writes;
 * within a process, one load serves every caller. Fresh entries come from memory without asking the store.
 */
export class EntryCache {
  readonly #lease: LeaseHolder;
  readonly #clock: Clock;
  readonly #closing: AbortSignal;
  readonly #onBackgroundError: (error: unknown) => void;
  readonly #onRevision: (key: EntryKey) => void;
  readonly #hot = new LRUCache<string, Kept<unknown>>({ maxSize: MAX_HOT_CHARACTERS });
  readonly #failures = new LRUCache<string, Failure>({ max: MAX_FAILURES });
  readonly #loading = new Map<string, Loading<unknown>>();
  readonly #beginning = new Map<string, Promise<Loading<unknown>>>();
  readonly #retryMs: number;

  constructor({ lease, retryMs, closing, onBackgroundError, onRevision }: EntryCacheOptions) {
    this.#retryMs = retryMs;
    this.#onBackgroundError = onBackgroundError;
    this.#onRevision = onRevision;
    this.#lease = lease;
    this.#clock = lease.clock;
    this.#closing = closing;
  }

  /** Why the last load failed; undefined if it did not. */
  failure(key: EntryKey): Failure | undefined {
    return this.#failures.get(formatEntryKey(key));
  }

  /** What is kept, of any age. */
  async peek<T>(key: EntryKey, kind: EntryKind<T>): Promise<T | undefined> {
    const kept = await this.#kept(key, kind);
    return kept.value;
  }

  /**
   * A load that failed is not tried again for a while if something is kept.
   *
   * @param deadlineMs how long a load may have taken before nobody waits for it any more; with Infinity, until it ends
   * @param admit called before a load that is not under way yet; if it throws a MenuError, the answer is what is kept
   * @throws what the load and `admit` throw, when nothing usable is kept
   */
  async get<T>(
    key: EntryKey,
    kind: EntryKind<T>,
    load: Load<T>,
    deadlineMs: number,
    admit?: () => Promise<void>,
  ): Promise<CacheAnswer<T>> {
    const { value } = await this.#kept(key, kind);
    const nowMs = this.#clock.nowMs();
    const age = value === undefined ? undefined : kind.age(value);
    if (age !== undefined && nowMs < age.freshUntilMs) return { value, overdue: false, pending: false };
    const usable = age !== undefined && nowMs < age.usableUntilMs;
    const paused = nowMs < (this.failure(key)?.retryAtMs ?? 0) && !this.#loading.has(formatEntryKey(key));
    if (value !== undefined && paused) return { value, overdue: !usable, pending: false };
    let loading: Loading<T>;
    try {
      loading = await this.#begin(key, kind, load, admit);
    } catch (error) {
      if (value === undefined || !(error instanceof MenuError)) throw error;
      return { value, overdue: !usable, pending: false };
    }
    if (usable) {
      this.#watch(loading.loaded);
      return { value, overdue: false, pending: true };
    }
    try {
      const loaded = await this.#within(loading, deadlineMs);
      return loaded === undefined
        ? { value, overdue: true, pending: true }
        : { value: loaded.value, overdue: false, pending: false };
    } catch (error) {
      if (value === undefined || !(error instanceof MenuError)) throw error;
      return { value, overdue: true, pending: false };
    }
  }

  /**
   * Loads the key unless it is fresh or being loaded; every process gets what the loading one keeps.
   * @param hot whether the value stays in memory beyond the store
   */
  refresh<T>(key: EntryKey, kind: EntryKind<T>, load: Load<T>, hot = true): Promise<T> {
    return this.#start(key, kind, load, hot).loaded;
  }

  /** Stores a value without asking an operator, unless another process writes at the same time. */
  async put<T>(key: EntryKey, kind: EntryKind<T>, value: T): Promise<void> {
    const stored = await this.#lease.store.read(key);
    await this.#lease.store.write(key, kind.encode(value), stored?.revision ?? 0);
  }

  /** Waits for the loads under way, so that none of them outlives the store. */
  async settle(): Promise<void> {
    await Promise.allSettled([...this.#loading.values()].map(({ loaded }) => loaded));
  }

  #start<T>(key: EntryKey, kind: EntryKind<T>, load: Load<T>, hot: boolean): Loading<T> {
    const name = formatEntryKey(key);
    const under = this.#loading.get(name);
    // The key's kind fixes T: one name is only ever loaded as one type.
    if (under !== undefined) return under as Loading<T>;
    const loaded = this.#load(name, key, kind, load, hot)
      .then((value) => {
        this.#failures.delete(name);
        return value;
      })
      .catch((error: unknown) => {
        this.#failures.set(name, { error, retryAtMs: this.#clock.nowMs() + this.#retryMs });
        throw error;
      })
      .finally(() => this.#loading.delete(name));
    const loading = { loaded, sinceMs: this.#clock.nowMs() };
    this.#loading.set(name, loading);
    return loading;
  }

  /** The load under way, or a new one if the first caller is admitted; if it is refused, the next caller asks for itself. */
  async #begin<T>(
    key: EntryKey,
    kind: EntryKind<T>,
    load: Load<T>,
    admit: (() => Promise<void>) | undefined,
  ): Promise<Loading<T>> {
    const name = formatEntryKey(key);
    for (let under = this.#beginning.get(name); under !== undefined; under = this.#beginning.get(name)) {
      const begun = await under.catch(() => undefined);
      // As in #start: the name fixes the type.
      if (begun !== undefined) return begun as Loading<T>;
    }
    if (admit === undefined || this.#loading.has(name)) return this.#start(key, kind, load, true);
    const beginning = admit().then(() => this.#start(key, kind, load, true));
    this.#beginning.set(name, beginning);
    try {
      return await beginning;
    } finally {
      this.#beginning.delete(name);
    }
  }

  async #load<T>(name: string, key: EntryKey, kind: EntryKind<T>, load: Load<T>, hot: boolean): Promise<T> {
    for (;;) {
      const held = await withLease(this.#lease, `read:${name}`, () =>
        this.#loadAlone(name, key, kind, load, hot),
      );
      if (held !== undefined) return held.value;
      await this.#clock.sleep(POLL_MS, this.#closing);
      if (this.#closing.aborted) throw new MenuError('closed', 'The service was closed.');
      const kept = await this.#fromStore<T>(name, key, kind, hot);
      if (kept.value !== undefined && this.#isFresh(kept.value, kind)) return kept.value;
    }
  }

  async #loadAlone<T>(
    name: string,
    key: EntryKey,
    kind: EntryKind<T>,
    load: Load<T>,
    hot: boolean,
  ): Promise<T> {
    const before = await this.#fromStore<T>(name, key, kind, hot);
    if (before.value !== undefined && this.#isFresh(before.value, kind)) return before.value;
    const { value, onKept } = await load(before.value);
    const body = kind.encode(value);
    const revision = await this.#lease.store.write(key, body, before.revision);
    if (revision === undefined) return (await this.#fromStore<T>(name, key, kind, hot)).value ?? value;
    if (hot || this.#hot.has(name)) this.#hot.set(name, { value, revision }, { size: body.length });
    this.#tell(() => this.#onRevision(key));
    this.#tell(onKept);
    return value;
  }

  #isFresh<T>(value: T, kind: EntryKind<T>): boolean {
    return this.#clock.nowMs() < kind.age(value).freshUntilMs;
  }

  /** An error in a listener must not spoil the answer. */
  #tell(onKept: (() => void) | undefined): void {
    try {
      onKept?.();
    } catch (error) {
      this.#onBackgroundError(error);
    }
  }

  async #kept<T>(key: EntryKey, kind: EntryKind<T>): Promise<{ value: T | undefined }> {
    const name = formatEntryKey(key);
    // As in #start: the name fixes the type.
    const hot = this.#hot.get(name) as Kept<T> | undefined;
    if (hot !== undefined && this.#isFresh(hot.value, kind)) return hot;
    return this.#fromStore(name, key, kind, true);
  }

  /** The value in memory is used while the store has the same revision, and when the store cannot be read. */
  async #fromStore<T>(
    name: string,
    key: EntryKey,
    kind: EntryKind<T>,
    keepHot: boolean,
  ): Promise<{ value: T | undefined; revision: number }> {
    const stored = await this.#lease.store.read(key);
    const hot = this.#hot.get(name) as Kept<T> | undefined;
    if (stored === undefined) {
      return this.#lease.store.status === 'down' && hot !== undefined
        ? hot
        : { value: undefined, revision: 0 };
    }
    if (hot?.revision === stored.revision) return hot;
    const value = kind.decode(stored.body);
    if (value !== undefined && keepHot) {
      this.#hot.set(name, { value, revision: stored.revision }, { size: stored.body.length });
    }
    if (hot !== undefined) this.#tell(() => this.#onRevision(key));
    return { value, revision: stored.revision };
  }

  /** A load that nobody waits for any more must neither fail unnoticed nor end the process. */
  #watch(loading: Promise<unknown>): void {
    loading.catch((error: unknown) => {
      if (!(error instanceof MenuError)) this.#onBackgroundError(error);
    });
  }

  /** Undefined if the load takes longer than the deadline since it began: nobody waits twice for the same load. */
  async #within<T>(
    { loaded, sinceMs }: Loading<T>,
    deadlineMs: number,
  ): Promise<{ readonly value: T } | undefined> {
    if (deadlineMs === Number.POSITIVE_INFINITY) return { value: await loaded };
    const waitMs = sinceMs + deadlineMs - this.#clock.nowMs();
    if (waitMs <= 0) {
      this.#watch(loaded);
      return undefined;
    }
    const settled = new AbortController();
    try {
      return await Promise.race([
        loaded.then((value) => ({ value })),
        this.#clock.sleep(waitMs, settled.signal).then(() => undefined),
      ]);
    } finally {
      settled.abort();
      this.#watch(loaded);
    }
  }
}
