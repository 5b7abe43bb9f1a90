import type { TransactionRefusedError } from '../errors/index.ts';
import type { SqliteConnection } from './app-transaction.ts';
import type { Dialect } from './dialect/dialect.ts';
import type { Query, Row } from './dialect/query.ts';
import type { Once } from './dialect/sql.ts';

/** Runs a query on a connection of the application. */
export type AppRunner = (query: Query) => Promise<readonly Row[]>;

/** The same, for a driver that is synchronous. */
export interface SyncAppRunner {
  run(query: Query): readonly Row[];
}

/** What it takes to write on an application's own connections to the same database. */
export interface AppConnections {
  /** The dialect to use on these connections. */
  readonly dialect: Dialect;
  /** The statement that takes the write lock before anything is read; undefined if the rows that are read are locked instead. */
  readonly lock: string | undefined;
  /** The query that returns which database answers, as `identity`, and which copy of the driver's library, as `library`. */
  readonly identityQuery: Once;
  /** Identity of the store's own database. @param epoch the epoch when the store was opened */
  ownIdentity(epoch: string): string;
  /** The copy of the library that the store uses; empty if several copies may be used together. */
  ownLibrary(): string;
  /** Whether two identities are of the same database. */
  isSameDatabase(own: string, other: string): boolean;
  /** Whether the identity query failed because the database has no store, or is of another kind. */
  isOfNoStore(error: unknown): boolean;
  /** The error for a connection to another database. */
  elsewhere(cause?: unknown): TransactionRefusedError;
  /** @throws TransactionRefusedError for anything but a transaction that a store of this kind can use */
  runnerOf(transaction: unknown): AppRunner;
  /** @throws TransactionRefusedError where connections are asynchronous */
  syncRunnerOf(connection: SqliteConnection): SyncAppRunner;
}

/** The result of an identity query; empty for a database in memory, or if there was no row. */
export function identityOf(rows: readonly Row[]): string {
  return textIn(rows, 'identity');
}

/** The copy of the library that answered an identity query. */
export function libraryOf(rows: readonly Row[]): string {
  return textIn(rows, 'library');
}

function textIn([row]: readonly Row[], column: string): string {
  const text = row?.[column];
  return typeof text === 'string' ? text : '';
}
