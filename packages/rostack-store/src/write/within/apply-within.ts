import { type Database, drive, driveSync, type Work } from '../../drivers/database.ts';
import type { Dialect } from '../../drivers/dialect.ts';
import { toConfig } from '../../drivers/postgres/session.ts';
import type { Query, Row } from '../../drivers/query.ts';
import { type Once, sql } from '../../drivers/sql.ts';
import { SqliteDatabase } from '../../drivers/sqlite/database.ts';
import { sqliteDialect } from '../../drivers/sqlite/dialect.ts';
import { runsOf, SqliteStatements } from '../../drivers/sqlite/statements.ts';
import { TransactionRefusedError } from '../../errors/index.ts';
import {
  isInTransaction,
  isKyselyTransaction,
  isPostgresClient,
  runInKysely,
  type SqliteConnection,
} from './app-transaction.ts';
import {
  elsewhere,
  identityOf,
  identityQuery,
  isOfNoStore,
  isSameDatabase,
  libraryOf,
  markLibrary,
  ofOtherLibrary,
} from './check-database.ts';
import { withinTransaction } from './within-transaction.ts';

/** SQLite on an application's connection: the transaction is not ours, and plain names may be those of other tables. */
const appSqliteDialect: Dialect = {
  ...sqliteDialect,
  table: (name) => sql`main.${sql.id(name)}`,
  orRollback: sql``,
};

const NOT_BEGUN =
  'the connection is not in a transaction, so the changes would be one commit with nothing else: begin one, and call applyWithin inside of it';
const NO_ACTIVE_TRANSACTION = '25P01';

/** Runs a query on a connection of the application. */
type Runner = (query: Query) => Promise<readonly Row[]>;

/** Runs work of the store inside transactions on an application's connections. */
export class ApplyWithin {
  /** The dialect that the work has to use. */
  readonly dialect: Dialect;
  readonly #database: Database;
  readonly #identityQuery: Once;
  /** Identity of the store's own database. */
  #identity: string;
  readonly #statements = new WeakMap<SqliteConnection, SqliteStatements>();
  /** Clients of `pg` known to be connected to the store's database; a client never changes its connection. */
  readonly #known = new WeakSet<object>();
  /** The latest call for each transaction. */
  readonly #running = new WeakMap<object, Promise<unknown>>();

  constructor(database: Database, epoch: string) {
    this.#database = database;
    this.#identityQuery = identityQuery(database);
    const isSqlite = database instanceof SqliteDatabase;
    this.#identity = isSqlite ? identityOf(this.#ask(database)) : epoch;
    this.dialect = isSqlite ? appSqliteDialect : database.dialect;
  }

  /**
   * @throws TransactionRefusedError if the connection cannot be used, StoreUnavailableError if a file of SQLite was removed or replaced;
   * errors of the connection itself are thrown unchanged
   */
  runSync<T>(connection: SqliteConnection, work: Work<T>): T {
    const database = this.#database;
    if (!(database instanceof SqliteDatabase)) {
      throw new TransactionRefusedError('the store is in PostgreSQL, but the connection is one of SQLite');
    }
    const { fault } = database;
    if (fault !== undefined) throw fault;
    if (isInTransaction(connection) !== true) throw new TransactionRefusedError(NOT_BEGUN);
    const known = this.#statements.get(connection);
    const statements = known ?? new SqliteStatements(connection);
    if (known === undefined) {
      const library = this.#ownLibrary();
      const found = statements.run(this.#identityQuery);
      if (!isSameDatabase(database, this.#identity, identityOf(found))) throw elsewhere(database);
      if (libraryOf(found) !== library) throw ofOtherLibrary();
      this.#statements.set(connection, statements);
    }
    return driveSync(withinTransaction(this.dialect, work), (query) => statements.run(query));
  }

  /**
   * Calls with the same transaction run one after the other, because their savepoints must not overlap.
   * @throws TransactionRefusedError if the transaction cannot be used, StoreUnavailableError if a file of SQLite was removed or replaced;
   * its own errors are thrown unchanged
   */
  async run<T>(transaction: unknown, work: Work<T>): Promise<T> {
    const run = runnerOf(transaction, this.dialect);
    const key = transaction as object;
    const before = this.#running.get(key);
    const result = (async () => {
      await before?.catch(() => {});
      const { fault } = this.#database;
      if (fault !== undefined) throw fault;
      if (!this.#known.has(key)) await this.#check(run);
      if (isPostgresClient(key)) this.#known.add(key);
      return drive(withinTransaction(this.dialect, work), run);
    })();
    this.#running.set(key, result);
    try {
      return await result;
    } catch (error) {
      if (codeOf(error) !== NO_ACTIVE_TRANSACTION) throw error;
      throw new TransactionRefusedError(NOT_BEGUN, { cause: error });
    }
  }

  /** The copy of SQLite that the store uses; empty for PostgreSQL. */
  #ownLibrary(): string {
    const database = this.#database;
    if (!(database instanceof SqliteDatabase)) return '';
    markLibrary(database.handle);
    return libraryOf(this.#ask(database));
  }

  #ask({ handle }: SqliteDatabase): readonly Row[] {
    return new SqliteStatements(handle).run(this.#identityQuery);
  }

  async #check(run: Runner): Promise<void> {
    const database = this.#database;
    const library = this.#ownLibrary();
    let rows: readonly Row[];
    try {
      rows = await run(this.#identityQuery);
    } catch (error) {
      throw isOfNoStore(database, error) ? elsewhere(database, error) : error;
    }
    const found = identityOf(rows);
    if (isSameDatabase(database, this.#identity, found)) {
      if (libraryOf(rows) !== library) throw ofOtherLibrary();
      return;
    }
    // Another process may have renewed the epoch. Behind a pooler this query needs a second connection, so it is only sent now.
    this.#identity = identityOf(await database.query(this.#identityQuery));
    if (!isSameDatabase(database, this.#identity, found)) throw elsewhere(database);
  }
}

/** @throws TransactionRefusedError for anything but a transaction that a store of this kind can use */
function runnerOf(transaction: unknown, { name }: Dialect): Runner {
  const isSqlite = name === 'sqlite';
  if (isKyselyTransaction(transaction)) {
    const inKysely = runInKysely(transaction);
    return isSqlite ? (query) => runEach(query, inKysely) : (query) => inKysely(toConfig(query));
  }
  if (!isSqlite && isPostgresClient(transaction)) {
    return async (query) => (await transaction.query(toConfig(query))).rows as Row[];
  }
  throw new TransactionRefusedError(
    isSqlite
      ? 'the store is in SQLite: pass a connection of better-sqlite3 that is in a transaction, or a transaction of Kysely'
      : 'the store is in PostgreSQL: pass a Client of pg, or one that the pool has given by connect(), inside of begin, or a transaction of Kysely. A pool, or Kysely itself, takes any connection for each statement',
  );
}

async function runEach(query: Query, run: ReturnType<typeof runInKysely>): Promise<readonly Row[]> {
  const results: Row[] = [];
  for (const { sql: text, parameters } of runsOf(query)) {
    results.push(...(await run({ text, values: parameters })));
  }
  return results;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
