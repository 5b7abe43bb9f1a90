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

/** Connections to PostgreSQL, not counting the one that listens for hints. */
export interface PoolStatus {
  /** Open connections, used or idle. */
  readonly total: number;
  /** Connections that are idle. */
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
  /** Undefined for a database with a single connection. */
  readonly pool: PoolStatus | undefined;
  /** Number of cached prepared statements; undefined for a pool. */
  readonly statements: number | undefined;
  /** Why it cannot be written to, as far as that is known without a query. */
  readonly fault: StoreUnavailableError | undefined;
  /**
   * Runs the work on one consistent snapshot.
   * @throws SourceUnavailableError when the database cannot answer, or not in time
   */
  transaction<T>(work: () => Work<T>): Promise<T>;
  /**
   * As `transaction`, for one step of a long read. Only a few run at a time, where they neither block this process nor take all connections
   * from other reads.
   * @throws SourceUnavailableError also when the read's time is over before its turn comes
   * @throws OverTimeError when it is over in the middle of the step
   */
  backgroundRead<T>(read: LongRead, work: () => Work<T>): Promise<T>;
  /** How long a step of a long read should take. */
  readonly longStepMs: number;
  /**
   * Runs one statement on a snapshot of its own, without a transaction and in one round trip. The statement stays prepared, so there should
   * be few kinds of it.
   * @throws SourceUnavailableError as `transaction`
   * @throws OverTimeError when testing rows takes longer than `maxMs` and would block this process
   */
  query<T extends object = Row>(query: Once, maxMs?: number): Promise<readonly T[]>;
  /**
   * Runs the work in one transaction; what the work throws rolls it back.
   * @throws StoreUnavailableError when the database cannot be written
   * @throws StoreReadOnlyError when it is a replica
   */
  write<T>(work: () => Work<T>): Promise<T>;
  /**
   * As `write`, for one query: over a network, the whole transaction is sent at once, so that no lock is held for a round trip.
   * @throws StoreUnavailableError, StoreReadOnlyError as `write`
   */
  writeOne<T extends object = Row>(query: Query): Promise<readonly T[]>;
  /**
   * Runs queries with settings of their own, each on a snapshot of its own, in one transaction that is sent at once, so that it holds no
   * lock even if this process hangs. Returns the rows of each query. Undefined for databases without settings per transaction.
   * @param settings what `set local` takes, such as `row_security = off`
   * @throws SourceUnavailableError when the database cannot answer, or not within the time limit of a write
   */
  queryWith?(queries: readonly Once[], settings: readonly string[]): Promise<readonly (readonly Row[])[]>;
  /** Calls back when other processes may have written to these resources (undefined: to any): a hint. Returns how to stop. */
  watch(onHint: (resources: readonly string[] | undefined) => void): () => void;
  /**
   * Calls back when a note was written into the inbox of a sleeping leader, with the attachment's number; undefined means any. The call may
   * come late or never, so leaders poll as well.
   */
  watchInboxes(onNote: (attachment: number | undefined) => void): InboxWatch;
  /** Tells other processes that these resources have new changes; may be lost. */
  hint(resources: readonly string[]): void;
  /** Identifies the database by where it is stored; undefined if that cannot be found out. */
  origin(): Promise<string | undefined>;
  /**
   * Copies the database to a new file, marked so that opening it for the first time starts a new epoch.
   * @throws StoreOptionsError if the server has its own tool for backups, or the file exists
   * @throws StoreUnavailableError if the file cannot be written
   */
  backUp(file: string): Promise<void>;
  close(): Promise<void>;
}

/** A watch over inboxes. */
export interface InboxWatch {
  /** Whether notes are received now, so that a leader may sleep. */
  readonly isHeard: boolean;
  /** Whether it reports every write of other connections, whatever table it changed. @default false */
  readonly tellsAll?: boolean;
  readonly stop: () => void;
}

/** Runs a query inside a unit of work: `const rows = yield* run<Shape>(query)`. */
export function* run<T extends object = Row>(query: Query): Work<readonly T[]> {
  return (yield query) as readonly T[];
}

/**
 * Sends a query and continues without waiting for the server. Queries run in the order in which they were sent; when one fails, those after
 * it fail too, and the first failure is thrown where the work next waits, at its end at the latest.
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
 * The next turn of the event loop. All work that waits for the same turn continues together, each step of all before the next step of any,
 * which keeps the processor's caches warm.
 */
export class SharedTurn {
  readonly #onBegin: () => void;
  #next: Promise<void> | undefined;

  /** @param onBegin called before the first waiting work continues */
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

/** Drives work whose queries run synchronously; an error of a query is thrown into the work, where it waits for that query. */
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

/** As `driveSync`, for asynchronous queries, one after the other. */
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
