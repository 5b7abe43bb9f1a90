import {
  type AppConnections,
  type AppRunner,
  identityOf,
  libraryOf,
  type SyncAppRunner,
} from '../../drivers/app-connections.ts';
import { isInTransaction, isPostgresClient, type SqliteConnection } from '../../drivers/app-transaction.ts';
import { type Database, drive, driveSync, type Work } from '../../drivers/database.ts';
import type { Dialect } from '../../drivers/dialect/dialect.ts';
import type { Row } from '../../drivers/dialect/query.ts';
import { TransactionRefusedError } from '../../errors/index.ts';
import { withinTransaction } from './within-transaction.ts';

const NOT_BEGUN =
  'the connection is not in a transaction, so the changes would not be committed together with anything else: begin one, and call applyWithin in it';
const NO_ACTIVE_TRANSACTION = '25P01';

/** Runs work of the store inside transactions on an application's connections. */
export class ApplyWithin {
  readonly #database: Database;
  readonly #connections: AppConnections;
  /** Identity of the store's own database. */
  #identity: string;
  readonly #runners = new WeakMap<SqliteConnection, SyncAppRunner>();
  /** Clients of `pg` known to be connected to the store's database; a client never changes its connection. */
  readonly #known = new WeakSet<object>();
  /** The latest call for each transaction. */
  readonly #running = new WeakMap<object, Promise<unknown>>();

  constructor(database: Database, epoch: string) {
    this.#database = database;
    this.#connections = database.appConnections;
    this.#identity = this.#connections.ownIdentity(epoch);
  }

  /** The dialect that the work has to use. */
  get dialect(): Dialect {
    return this.#connections.dialect;
  }

  /**
   * @throws TransactionRefusedError if the connection cannot be used, StoreUnavailableError if a file of SQLite was removed or replaced;
   * errors of the connection itself are thrown unchanged
   */
  runSync<T>(connection: SqliteConnection, work: Work<T>): T {
    const connections = this.#connections;
    const known = this.#runners.get(connection);
    const runner = known ?? connections.syncRunnerOf(connection);
    const { fault } = this.#database;
    if (fault !== undefined) throw fault;
    if (isInTransaction(connection) !== true) throw new TransactionRefusedError(NOT_BEGUN);
    if (known === undefined) {
      const library = connections.ownLibrary();
      const found = runner.run(connections.identityQuery);
      if (!connections.isSameDatabase(this.#identity, identityOf(found))) throw connections.elsewhere();
      if (libraryOf(found) !== library) throw ofOtherLibrary();
      this.#runners.set(connection, runner);
    }
    return driveSync(withinTransaction(connections.lock, work), (query) => runner.run(query));
  }

  /**
   * Calls with the same transaction run one after the other, because their savepoints must not overlap.
   * @throws TransactionRefusedError if the transaction cannot be used, StoreUnavailableError if a file of SQLite was removed or replaced;
   * its own errors are thrown unchanged
   */
  async run<T>(transaction: unknown, work: Work<T>): Promise<T> {
    const run = this.#connections.runnerOf(transaction);
    const key = transaction as object;
    const before = this.#running.get(key);
    const result = (async () => {
      await before?.catch(() => {});
      const { fault } = this.#database;
      if (fault !== undefined) throw fault;
      if (!this.#known.has(key)) await this.#check(run);
      if (isPostgresClient(key)) this.#known.add(key);
      return drive(withinTransaction(this.#connections.lock, work), run);
    })();
    this.#running.set(key, result);
    try {
      return await result;
    } catch (error) {
      if (codeOf(error) !== NO_ACTIVE_TRANSACTION) throw error;
      throw new TransactionRefusedError(NOT_BEGUN, { cause: error });
    }
  }

  async #check(run: AppRunner): Promise<void> {
    const connections = this.#connections;
    const library = connections.ownLibrary();
    let rows: readonly Row[];
    try {
      rows = await run(connections.identityQuery);
    } catch (error) {
      throw connections.isOfNoStore(error) ? connections.elsewhere(error) : error;
    }
    const found = identityOf(rows);
    if (connections.isSameDatabase(this.#identity, found)) {
      if (libraryOf(rows) !== library) throw ofOtherLibrary();
      return;
    }
    // Another process may have renewed the epoch. Behind a pooler this query needs a second connection, so it is only sent now.
    this.#identity = identityOf(await this.#database.query(connections.identityQuery));
    if (!connections.isSameDatabase(this.#identity, found)) throw connections.elsewhere();
  }
}

/** The error for a connection of another copy of SQLite, in the same process. */
function ofOtherLibrary(): TransactionRefusedError {
  return new TransactionRefusedError(
    "the connection is of another SQLite library than the store's, and two of them in one process lose each other's locks and with them changes: open it with the better-sqlite3 that rostack-store loads, not with node:sqlite or a second copy of the package (npm ls better-sqlite3 shows them), and do not open the file in this process in any other way",
  );
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
