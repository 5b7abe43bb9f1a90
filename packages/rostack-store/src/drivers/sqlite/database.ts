import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type Sqlite from 'better-sqlite3';
import { SourceUnavailableError } from 'rostack-core';
import { StoreUnavailableError } from '../../errors/index.ts';
import { type Database, driveSync, type InboxWatch, type LongRead, run, type Work } from '../database.ts';
import type { Query, Row } from '../dialect/query.ts';
import type { Once } from '../dialect/sql.ts';
import { LongReads } from '../long-reads.ts';
import { SqliteAppConnections } from './app-connections.ts';
import { sqliteDialect } from './dialect/dialect.ts';
import { originOf } from './dialect/origin.ts';
import { backUp } from './file/back-up.ts';
import { createPrivate } from './file/create-private.ts';
import { SqliteFiles } from './file/files.ts';
import { SqliteLog } from './file/log.ts';
import { watchWrites } from './file/write-watch.ts';
import { SqliteReaders } from './reading/readers.ts';
import { isSqliteFailure } from './statement/failure.ts';
import { SharedReads, SqliteStatements, TimeBound } from './statement/statements.ts';

export interface SqliteOptions {
  /**
   * `full`: a change is on disk when `apply` returns; `normal`: the last changes may be lost when the machine (not the process) crashes.
   */
  readonly synchronous: 'full' | 'normal';
  /** How long a write waits for another process's transaction. */
  readonly writeTimeoutMs: number;
  /** How often to check for writes of other processes while someone watches. */
  readonly pollIntervalMs: number;
  /** Most long reads at a time, each in its own thread. */
  readonly maxLongReads: number;
  /** Called when a thread has ended by itself; another one replaces it. */
  readonly onThreadFailure: (cause: Error) => void;
}

const RETRY_MS = 10;
/** How long the reads of one turn of the event loop may take; the remaining ones run in the next turn. */
const MAX_TURN_MS = 5;
/** How long a step of a long read takes in a thread of its own, where it does not block the process. */
const THREAD_STEP_MS = 50;

/** A SQLite file, or memory: one connection, write-ahead log; statements run synchronously. */
export class SqliteDatabase implements Database {
  readonly dialect = sqliteDialect;
  readonly appConnections: SqliteAppConnections;
  readonly pool = undefined;
  /** The driver's own handle. */
  readonly handle: Sqlite.Database;
  readonly #options: SqliteOptions;
  readonly #reads: SharedReads;
  readonly longStepMs: number;
  readonly #statements: SqliteStatements;
  readonly #bound: TimeBound;
  readonly #longReads: LongReads;
  /** Undefined for a database in memory, which has no readers, log or files. */
  readonly #path: string | undefined;
  readonly #readers: SqliteReaders | undefined;
  readonly #log: SqliteLog | undefined;
  readonly #files: SqliteFiles | undefined;

  /**
   * @param driver better-sqlite3
   * @param file path, or `:memory:`; missing folders are made
   * @throws StoreUnavailableError when the file cannot be opened or is not a SQLite database
   */
  constructor(driver: typeof Sqlite, file: string, options: SqliteOptions) {
    this.#options = options;
    try {
      if (file !== ':memory:') {
        mkdirSync(dirname(resolve(file)), { recursive: true });
        createPrivate(file);
      }
      this.handle = new driver(file, { timeout: options.writeTimeoutMs });
      this.handle.pragma('journal_mode = wal');
      // `SqliteLog` syncs the log to disk after the commit.
      this.handle.pragma('synchronous = normal');
      this.handle.pragma('temp_store = memory');
      this.handle.pragma('trusted_schema = off');
      this.handle.pragma('cache_size = -16384');
      this.handle.pragma('journal_size_limit = 67108864');
      // `SqliteLog` copies the log to the file. Writers do it themselves after 64 MiB, or the log would grow without end if they never
      // pause.
      this.handle.pragma('wal_autocheckpoint = 16000');
      if (file !== ':memory:') {
        this.#path = pathOf(this.handle);
        this.#files = new SqliteFiles(this.#path);
      }
      // From here on, waiting for a busy file does not block the process.
      this.handle.pragma('busy_timeout = 0');
    } catch (error) {
      throw new StoreUnavailableError(`cannot open ${file}: ${messageOf(error)}`, { cause: error });
    }
    this.appConnections = new SqliteAppConnections(this.handle);
    this.#statements = new SqliteStatements(this.handle);
    this.#bound = new TimeBound(this.handle);
    const transactions = {
      isOpen: () => this.handle.inTransaction,
      begin: () => mapErrors(() => void this.#statements.prepare('begin').run()),
      end: () => this.#endReads(),
    };
    this.#reads = new SharedReads(transactions, MAX_TURN_MS);
    const { onThreadFailure: onFailure, synchronous } = options;
    if (this.#path !== undefined) {
      this.#readers = new SqliteReaders(this.#path, onFailure);
      this.#log = new SqliteLog(this.#path, {
        isSynced: synchronous === 'full',
        isOurs: () => this.fault === undefined,
        onFailure,
      });
    }
    this.#longReads = new LongReads(this.#readers === undefined ? 1 : options.maxLongReads);
    this.longStepMs = this.#readers === undefined ? MAX_TURN_MS : THREAD_STEP_MS;
  }

  get statements(): number {
    return this.#statements.size;
  }

  get fault(): StoreUnavailableError | undefined {
    return this.#files?.fault;
  }

  transaction<T>(work: () => Work<T>): Promise<T> {
    return this.#reads.run(
      () => mapErrors(() => driveSync(work(), (asked) => this.#statements.run(asked))),
      true,
    );
  }

  query<T extends object = Row>(query: Once, maxMs?: number): Promise<readonly T[]> {
    const read = () => {
      if (maxMs !== undefined) this.#bound.setOwn(maxMs);
      return mapErrors(() => this.#bounded(() => this.#statements.run(query) as readonly T[]));
    };
    return this.#reads.run(read, false);
  }

  backgroundRead<T>(read: LongRead, work: () => Work<T>): Promise<T> {
    return this.#longReads.run(read, async () => {
      const leftMs = read.deadlineMs - performance.now();
      const readers = this.#readers;
      if (readers === undefined) {
        this.#bound.set(leftMs);
        return mapErrors(() => this.#bounded(() => this.#inTransaction('begin', work)));
      }
      try {
        // A thread may open the file only now.
        this.#files?.check();
        return await readers.read(work, leftMs);
      } catch (error) {
        throw toUnavailable(error);
      }
    });
  }

  async write<T>(work: () => Work<T>): Promise<T> {
    const deadline = performance.now() + this.#options.writeTimeoutMs;
    for (;;) {
      try {
        // Nothing may be written to a log that was replaced: copied into the file later, it would overwrite writes of other processes.
        this.#files?.checkAhead();
        const result = this.#inTransaction('begin immediate', work);
        await this.#log?.committed();
        this.#files?.check();
        return result;
      } catch (error) {
        if (!isOfFile(error)) throw error;
        if (!isBusy(error) || performance.now() > deadline) {
          throw new StoreUnavailableError(messageOf(error), { cause: error });
        }
      }
      await delay(RETRY_MS);
    }
  }

  writeOne<T extends object = Row>(query: Query): Promise<readonly T[]> {
    return this.write(() => run<T>(query));
  }

  /** Calls back when another connection has written. Checking takes some microseconds, and no transaction. */
  watch(onHint: (resources: undefined) => void): () => void {
    let seen = this.#dataVersion();
    const timer = setInterval(() => {
      const version = this.#dataVersion();
      if (version === seen) return;
      seen = version;
      onHint(undefined);
    }, this.#options.pollIntervalMs);
    timer.unref();
    return () => {
      clearInterval(timer);
    };
  }

  watchInboxes(onNote: (attachment: undefined) => void): InboxWatch {
    const log = this.#path && `${this.#path}-wal`;
    const stop = watchWrites(
      log,
      () => this.#dataVersion(),
      () => onNote(undefined),
    );
    return { isHeard: true, tellsAll: true, stop };
  }

  hint(): void {
    // The data version that other processes see changes.
  }

  async origin(): Promise<string | undefined> {
    return originOf(this.handle);
  }

  async backUp(file: string): Promise<void> {
    if (this.fault !== undefined) throw this.fault;
    await backUp(this.handle, file);
  }

  async close(): Promise<void> {
    this.#longReads.close();
    await this.#readers?.close();
    await this.#log?.close();
    this.#statements.clear();
    this.handle.close();
  }

  /** Changes when another connection writes to the file; and at each call while it cannot be read, so that callers find out why. */
  #dataVersion(): unknown {
    if (!this.handle.open) return undefined;
    try {
      return this.handle.pragma('data_version', { simple: true });
    } catch {
      return Symbol('unreadable');
    }
  }

  /** @throws OverTimeError when testing rows takes longer than the bound that was set */
  #bounded<T>(read: () => T): T {
    try {
      return read();
    } finally {
      this.#bound.set(Number.POSITIVE_INFINITY);
    }
  }

  /** Ends a transaction that has only read, so it may be committed or rolled back. */
  #endReads(): void {
    try {
      this.#statements.prepare('commit').run();
    } catch {
      if (this.handle.inTransaction) this.handle.exec('rollback');
    }
  }

  #inTransaction<T>(begin: 'begin' | 'begin immediate', work: () => Work<T>): T {
    this.#statements.prepare(begin).run();
    try {
      const result = driveSync(work(), (query) => this.#statements.run(query));
      this.#statements.prepare('commit').run();
      return result;
    } catch (error) {
      // Some failures (a full disk) have already rolled the transaction back.
      if (this.handle.inTransaction) this.#statements.prepare('rollback').run();
      throw error;
    }
  }
}

/** The file that SQLite has open, with symbolic links resolved. The read makes SQLite open the log. */
function pathOf(handle: Sqlite.Database): string {
  handle.prepare('select 1 from sqlite_schema limit 1').get();
  const path = handle.prepare("select file from pragma_database_list where name = 'main'").pluck().get();
  return String(path);
}

function mapErrors<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw toUnavailable(error);
  }
}

/** Turns errors of SQLite into those of a source; other errors stay as they are. */
function toUnavailable(error: unknown): unknown {
  if (error instanceof StoreUnavailableError)
    return new SourceUnavailableError(error.message, { cause: error });
  return isOfFile(error) ? new SourceUnavailableError(error.message, { cause: error }) : error;
}

/** Any error that SQLite itself reports concerns the file, except errors in our own SQL. */
function isOfFile(error: unknown): error is Error {
  if (isSqliteFailure(error)) return error.code !== 'SQLITE_ERROR';
  return error instanceof TypeError && error.message === 'The database connection is not open';
}

function isBusy(error: unknown): boolean {
  return isSqliteFailure(error) && error.code.startsWith('SQLITE_BUSY');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
