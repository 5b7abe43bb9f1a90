import { randomInt } from 'node:crypto';
import { statSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { TransactionRefusedError } from '../../errors/index.ts';
import { type AppConnections, type AppRunner, identityOf, libraryOf } from '../app-connections.ts';
import { isKyselyTransaction, runInKysely, type SqliteConnection } from '../app-transaction.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { Query, Row } from '../dialect/query.ts';
import { type Once, once, sql } from '../dialect/sql.ts';
import { sqliteDialect } from './dialect/dialect.ts';
import { runsOf, SqliteStatements } from './statement/statements.ts';

/** In bytes: 4 PiB, above any real limit, and small enough for numbers to be exact. */
const FIRST_MARK = 2 ** 52;
const MARKS = 2 ** 47;

/** On an application's connection the transaction is not ours, and plain names may be those of other tables. */
const appDialect: Dialect = {
  ...sqliteDialect,
  table: (name) => sql`main.${sql.id(name)}`,
  writes: { ...sqliteDialect.writes, orRollback: sql`` },
};

/** Connections to SQLite: a database is identified by its file, a copy of the library by its release and the mark of `#markLibrary`. */
export class SqliteAppConnections implements AppConnections {
  readonly dialect = appDialect;
  readonly lock = 'update main.state set epoch = epoch where false';
  readonly identityQuery: Once = once(
    sqliteDialect,
    sql`select file as identity, (select soft_heap_limit from pragma_soft_heap_limit) || ' ' || sqlite_source_id() as library
      from pragma_database_list where name = 'main'`,
  );
  readonly #handle: Sqlite.Database;

  /** @param handle of the store's own connection */
  constructor(handle: Sqlite.Database) {
    this.#handle = handle;
  }

  ownIdentity(): string {
    return identityOf(this.#ask());
  }

  ownLibrary(): string {
    this.#markLibrary();
    return libraryOf(this.#ask());
  }

  isSameDatabase(own: string, other: string): boolean {
    if (own === '' || other === '') return false;
    if (own === other) return true;
    const [a, b] = [statSync(own), statSync(other)];
    return a.dev === b.dev && a.ino === b.ino;
  }

  /** Any SQLSTATE comes from another kind of database. */
  isOfNoStore(error: unknown): boolean {
    return error instanceof Error && 'code' in error && /^[0-9A-Z]{5}$/.test(String(error.code));
  }

  elsewhere(cause?: unknown): TransactionRefusedError {
    return new TransactionRefusedError(
      "the connection's main database is not the store's file, and one commit over two files does not survive a crash: keep the application's tables in the file of the store, and open that (a store in memory has no other connections)",
      { cause },
    );
  }

  runnerOf(transaction: unknown): AppRunner {
    if (isKyselyTransaction(transaction)) {
      const inKysely = runInKysely(transaction);
      return (query) => runEach(query, inKysely);
    }
    throw new TransactionRefusedError(
      'the store is in SQLite: pass a connection of better-sqlite3 that is in a transaction, or a transaction of Kysely',
    );
  }

  syncRunnerOf(connection: SqliteConnection): SqliteStatements {
    return new SqliteStatements(connection);
  }

  #ask(): readonly Row[] {
    return new SqliteStatements(this.#handle).run(this.identityQuery);
  }

  /**
   * Marks the copy of SQLite that the store uses, to distinguish it from other copies in the process, even of the same release. The mark is
   * the one value that all connections of a copy share and SQL can read: a memory limit that no process reaches.
   */
  #markLibrary(): void {
    if (this.#handle.pragma('soft_heap_limit', { simple: true }) !== 0) return;
    this.#handle.pragma(`soft_heap_limit = ${FIRST_MARK + randomInt(MARKS)}`);
  }
}

async function runEach(query: Query, run: ReturnType<typeof runInKysely>): Promise<readonly Row[]> {
  const results: Row[] = [];
  for (const { sql: text, parameters } of runsOf(query)) {
    results.push(...(await run({ text, values: parameters })));
  }
  return results;
}
