import { setImmediate } from 'node:timers/promises';
import type { StoreUnavailableError } from '../errors/index.ts';
import type { AppConnections } from './app-connections.ts';
import type { Dialect } from './dialect/dialect.ts';
import type { Query, Row } from './dialect/query.ts';
import type { Once } from './dialect/sql.ts';

/** Sends a query without waiting for its rows; made by `send`. */
export interface Sending {
  readonly kind: 'send';
  readonly query: Query;
}

/** Waits for the rows of a query that was sent. */
export interface Receiving {
  readonly kind: 'receive';
  readonly sending: Sending;
}

export type Step = Query | Sending | Receiving;

/** A unit of work: a generator of steps, so that one code runs synchronously on SQLite and asynchronously on PostgreSQL. */
export type Work<T> = Generator<Step, T, readonly Row[]>;

/** A read in several steps, each of which waits for its turn among the long reads. */
export interface LongRead {
  /** On the clock of `performance.now()`; no step begins after it. */
  readonly deadlineMs: number;
  /** What its steps have taken so far, without waiting. */
  spentMs: number;
}

/** Connections to PostgreSQL, the one that listens for hints not counted. */
export interface PoolStatus {
  /** Open connections, used or idle. */
  readonly total: number;
  /** Connections that nothing uses now. */
  readonly idle: number;
  /** Units of work that wait for a connection. */
  readonly waiting: number;
  /** The most that may be open. */
  readonly max: number;
}

/** A database that runs units of work. */
export interface Database {
  readonly dialect: Dialect;
  readonly appConnections: AppConnections;
  /** Undefined where there is one connection only. */
  readonly pool: PoolStatus | undefined;
  /** Prepared statements that are kept; undefined for a pool. */
  readonly statements: number | undefined;
  /** What keeps it from writing, as far as that is known without a query. */
  readonly fault: StoreUnavailableError | undefined;
  /**
   * Runs the work on one consistent snapshot.
   * @throws SourceUnavailableError when the database cannot answer, or not in time
   */
  transaction<T>(work: () => Work<T>): Promise<T>;
  /**
   * As `transaction`, for one step of a read that is not over in a moment. Only a few run at a time, where they hold up neither this process
   * nor, by taking all connections, other reads.
   * @throws SourceUnavailableError also when the read's time is over before its turn comes
   * @throws OverTimeError when it is over in the middle of the step
   */
  backgroundRead<T>(read: LongRead, work: () => Work<T>): Promise<T>;
  /** How long a step of a long read should take. */
  readonly longStepMs: number;
  /**
   * Runs one statement on a snapshot of its own: no transaction, one round trip. It stays prepared, so there should be few of its kind.
   * @throws SourceUnavailableError as `transaction`
   * @throws OverTimeError when the rows that it tests take longer than `maxMs`, where that would hold up this process
   */
  query<T extends object = Row>(query: Once, maxMs?: number): Promise<readonly T[]>;
  /**
   * Runs the work in one transaction; what the work throws rolls it back.
   * @throws StoreUnavailableError when the database cannot be written
   * @throws StoreReadOnlyError when it is a replica
   */
  write<T>(work: () => Work<T>): Promise<T>;
  /**
   * As `write`, for one query: where a network is between, its transaction is sent at once, so that no lock is held meanwhile.
   * @throws StoreUnavailableError, StoreReadOnlyError as `write`
   */
  writeOne<T extends object = Row>(query: Query): Promise<readonly T[]>;
  /**
   * Runs queries with settings of their own, each on a snapshot of its own, in one transaction that is sent at once: when this process hangs,
   * it holds no lock. Returns the rows of each. Undefined where transactions have no settings.
   * @param settings what `set local` takes, such as `row_security = off`
   * @throws SourceUnavailableError when the database cannot answer, or not within the time of a write
   */
  queryWith?(queries: readonly Once[], settings: readonly string[]): Promise<readonly (readonly Row[])[]>;
  /** Calls back when other processes may have written to these resources (undefined: to any): a hint. Returns how to stop. */
  watch(onHint: (resources: readonly string[] | undefined) => void): () => void;
  /**
   * Calls back when a note was written into the inbox of a sleeping leader, with the attachment's number; undefined: it may be any. That
   * may come late, or never: leaders poll as well.
   */
  watchInboxes(onNote: (attachment: number | undefined) => void): InboxWatch;
  /** Tells other processes that these resources have new changes; may be lost. */
  hint(resources: readonly string[]): void;
  /** Identifies the database by where it is stored; undefined if that cannot be found out. */
  origin(): Promise<string | undefined>;
  /**
   * Copies the database to a new file, marked so that opening it for the first time starts a new epoch.
   * @throws StoreOptionsError where the server has a tool for that, or the file exists
   * @throws StoreUnavailableError if the file cannot be written
   */
  backUp(file: string): Promise<void>;
  close(): Promise<void>;
}

/** While inboxes are watched. */
export interface InboxWatch {
  /** Whether notes are heard now, so that a leader may sleep. */
  readonly isHeard: boolean;
  /** Whether every write of others is told, whatever table it changed. @default false */
  readonly tellsAll?: boolean;
  readonly stop: () => void;
}

/** Runs a query inside a unit of work: `const rows = yield* run<Shape>(query)`. */
export function* run<T extends object = Row>(query: Query): Work<readonly T[]> {
  return (yield query) as readonly T[];
}

/**
 * Sends a query and goes on while the server is at it. Queries run in the order in which they were handed over; when one fails, those
 * behind it fail too, and the work ends with the first failure where it waits next, at its end at the latest.
 */
export function* send(query: Query): Work<Sending> {
  const sending: Sending = { kind: 'send', query };
  yield sending;
  return sending;
}

/** The rows of a query that was sent in this unit of work. */
export function* receive<T extends object = Row>(sending: Sending): Work<readonly T[]> {
  return (yield { kind: 'receive', sending }) as readonly T[];
}

/**
 * The next turn of the event loop. Those who wait for the same one go on together, each step of all before the next step of any: then the
 * processor still has at hand what the step needs.
 */
export class SharedTurn {
  readonly #onBegin: () => void;
  #next: Promise<void> | undefined;

  /** @param onBegin called before the first of them goes on */
  constructor(onBegin: () => void = () => {}) {
    this.#onBegin = onBegin;
  }

  next(): Promise<void> {
    this.#next ??= setImmediate().then(() => {
      this.#next = undefined;
      this.#onBegin();
    });
    return this.#next;
  }
}

const NO_ROWS: readonly Row[] = [];

/** Drives work whose queries run at once; what one throws is thrown into the work, where it waits for that query. */
export function driveSync<T>(work: Work<T>, run: (query: Query) => readonly Row[]): T {
  const sent = new Map<Sending, readonly Row[]>();
  const take = (step: Step): readonly Row[] => {
    if (step.kind === 'receive') return sent.get(step.sending) ?? NO_ROWS;
    if (step.kind !== 'send') return run(step);
    sent.set(step, run(step.query));
    return NO_ROWS;
  };
  let step = work.next();
  while (step.done !== true) {
    let rows: readonly Row[];
    try {
      rows = take(step.value);
    } catch (error) {
      step = work.throw(error);
      continue;
    }
    step = work.next(rows);
  }
  return step.value;
}

/** As `driveSync`, one query after the other. */
export async function drive<T>(work: Work<T>, run: (query: Query) => Promise<readonly Row[]>): Promise<T> {
  const sent = new Map<Sending, readonly Row[]>();
  const take = async (step: Step): Promise<readonly Row[]> => {
    if (step.kind === 'receive') return sent.get(step.sending) ?? NO_ROWS;
    if (step.kind !== 'send') return run(step);
    sent.set(step, await run(step.query));
    return NO_ROWS;
  };
  let step = work.next();
  while (step.done !== true) {
    let rows: readonly Row[];
    try {
      rows = await take(step.value);
    } catch (error) {
      step = work.throw(error);
      continue;
    }
    step = work.next(rows);
  }
  return step.value;
}
