import { statSync } from 'node:fs';
import type { Database, Row } from '../database/database.ts';
import { type Once, once } from '../database/dialect.ts';
import { sql } from '../database/sql.ts';
import { SqliteDatabase } from '../database/sqlite-database.ts';
import { TransactionRefusedError } from '../errors/index.ts';

/** The query that says which database answers, as `identity`: its file, or the epoch, which is random. */
export function identityQuery({ dialect }: Database): Once {
  return once(
    dialect,
    dialect.name === 'sqlite'
      ? sql`select file as identity from pragma_database_list where name = 'main'`
      : sql`select epoch as identity from ${dialect.table('state')}`,
  );
}

/** What the query has found; empty for a database in memory, or if there was no row. */
export function identityOf([row]: readonly Row[]): string {
  const identity = row?.['identity'];
  return typeof identity === 'string' ? identity : '';
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
