import { randomInt } from 'node:crypto';
import { statSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import type { Database } from '../../drivers/database.ts';
import type { Row } from '../../drivers/query.ts';
import { type Once, once, sql } from '../../drivers/sql.ts';
import { SqliteDatabase } from '../../drivers/sqlite/database.ts';
import { TransactionRefusedError } from '../../errors/index.ts';

/** In bytes: 4 PiB, and as far as a number is exact. */
const FIRST_MARK = 2 ** 52;
const MARKS = 2 ** 47;

/**
 * The query that says which database answers, as `identity`: its file, or the epoch, which is random. On SQLite `library` says which copy
 * of SQLite answers: its release, and the mark of `markLibrary`.
 */
export function identityQuery({ dialect }: Database): Once {
  return once(
    dialect,
    dialect.name === 'sqlite'
      ? sql`select file as identity, (select soft_heap_limit from pragma_soft_heap_limit) || ' ' || sqlite_source_id() as library
        from pragma_database_list where name = 'main'`
      : sql`select epoch as identity from ${dialect.table('state')}`,
  );
}

/** What the query has found; empty for a database in memory, or if there was no row. */
export function identityOf([row]: readonly Row[]): string {
  const identity = row?.['identity'];
  return typeof identity === 'string' ? identity : '';
}

/** The copy of SQLite that has answered; empty for PostgreSQL. */
export function libraryOf([row]: readonly Row[]): string {
  const library = row?.['library'];
  return typeof library === 'string' ? library : '';
}

/**
 * Marks the copy of SQLite that the connection uses, so that others of the process can be told from it, even of the same release. The mark
 * is the one value that all connections of a copy have in common and SQL can read: a limit of memory that no process reaches.
 */
export function markLibrary(handle: Sqlite.Database): void {
  if (handle.pragma('soft_heap_limit', { simple: true }) !== 0) return;
  handle.pragma(`soft_heap_limit = ${FIRST_MARK + randomInt(MARKS)}`);
}

/** The error for a connection of another copy of SQLite, in the same process. */
export function ofOtherLibrary(): TransactionRefusedError {
  return new TransactionRefusedError(
    "the connection is not one of the store's SQLite library, and two of them in one process lose each other's locks and with them changes: open it with the better-sqlite3 that rostack-store loads, not with node:sqlite or a second copy of the package (npm ls better-sqlite3 shows them), and do not open the file in this process in any other way",
  );
}

/** Whether two answers come from the same database. */
export function isSameDatabase({ dialect }: Database, own: string, other: string): boolean {
  if (own === '' || other === '') return false;
  if (own === other || dialect.name === 'postgres') return own === other;
  const [a, b] = [statSync(own), statSync(other)];
  return a.dev === b.dev && a.ino === b.ino;
}

/** The error for an application whose connection leads to another database. */
export function elsewhere(database: Database, cause?: unknown): TransactionRefusedError {
  const message =
    database instanceof SqliteDatabase
      ? "the connection's main database is not the store's file, and one commit over two files does not survive a crash: keep the application's tables in the file of the store, and open that (a store in memory has no other connections)"
      : "the connection is not one to the store's database, or its role does not see the store's schema: connect to the database of the store URL";
  return new TransactionRefusedError(message, { cause });
}

/** Whether the identity query failed because the database has no store, or is of another kind. */
export function isOfNoStore(database: Database, error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // SQLSTATE of an undefined table or schema, or any SQLSTATE if SQLite should answer.
  if (database instanceof SqliteDatabase) return /^[0-9A-Z]{5}$/.test(code);
  return code === '42P01' || code === '3F000' || code.startsWith('SQLITE');
}
