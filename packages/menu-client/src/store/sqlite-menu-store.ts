import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { MenuStoreError } from '../error/menu-error.ts';
import type { MenuStore } from './menu-store.ts';
import { createTables } from './sql/create-tables.ts';
import type { MenuDatabase } from './sql/menu-database.ts';
import { SqlMenuStore } from './sql/sql-menu-store.ts';

export interface SqliteMenuStoreOptions {
  /** For the end of leases; processes of one machine share it. @default Date.now */
  readonly nowMs?: () => number;
  /** How long a statement waits while another process writes. @default 5000 */
  readonly busyTimeoutMs?: number;
}

/**
 * Opens the file, made with its folder where it is missing; processes of one machine may share it.
 * @throws MenuStoreError `store_unavailable`
 */
export async function openSqliteMenuStore(
  path: string,
  options: SqliteMenuStoreOptions = {},
): Promise<MenuStore> {
  const nowMs = options.nowMs ?? Date.now;
  try {
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
    const database = new Database(path, { timeout: options.busyTimeoutMs ?? 5000 });
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    const db = new Kysely<MenuDatabase>({ dialect: new SqliteDialect({ database }) });
    await createTables(db, sql`text`);
    return new SqlMenuStore(db, () => sql<number>`${sql.lit(Math.floor(nowMs()))}`);
  } catch (error) {
    throw new MenuStoreError(`The SQLite store ${JSON.stringify(path)} could not be opened.`, {
      cause: error,
    });
  }
}
