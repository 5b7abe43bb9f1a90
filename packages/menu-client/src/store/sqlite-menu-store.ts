import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { Kysely, type SqliteDatabase, SqliteDialect, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { MenuStoreError } from '../domain/menu-error.ts';
import type { MenuStore } from './menu-store.ts';
import { createTables, type MenuDatabase } from './menu-tables.ts';
import { missingDriver } from './missing-driver.ts';
import { SqlMenuStore } from './sql-menu-store.ts';

/** Most statements are the same few; those with the time in their text are used only once each. */
const MAX_PREPARED = 32;

/** Options of `openSqliteMenuStore`. */
export interface SqliteMenuStoreOptions {
  /** For the end of leases; the processes of one machine share this clock. @default Date.now */
  readonly nowMs?: () => number;
  /**
   * How long a statement waits while another process writes, in ms.
   * @default 5000
   */
  readonly busyTimeoutMs?: number;
}

/** Preparing a statement takes as long as running it, so the few that there are stay prepared. */
function withPreparedStatements(database: Database.Database): SqliteDatabase {
  const prepared = new LRUCache<string, Database.Statement<unknown[]>>({ max: MAX_PREPARED });
  return {
    close: () => database.close(),
    prepare: (text) => {
      const known = prepared.get(text);
      if (known !== undefined) return known;
      const statement = database.prepare<unknown[]>(text);
      prepared.set(text, statement);
      return statement;
    },
  };
}

/**
 * Opens the file, creating it and its folder if missing; processes of one machine may share it.
 * @throws MenuError `driver_missing` without better-sqlite3; MenuStoreError `store_unavailable`
 */
export async function openSqliteMenuStore(
  path: string,
  options: SqliteMenuStoreOptions = {},
): Promise<MenuStore> {
  // JavaScript callers may pass none.
  if (typeof path !== 'string' || path === '') {
    throw new MenuStoreError(
      "openSqliteMenuStore takes the path of a file, such as 'menus.db', or ':memory:'.",
    );
  }
  const nowMs = options.nowMs ?? Date.now;
  const { default: Driver } = await import('better-sqlite3').catch(missingDriver('SQLite', 'better-sqlite3'));
  try {
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
    const database = new Driver(path, { timeout: options.busyTimeoutMs ?? 5000 });
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    const dialect = new SqliteDialect({ database: withPreparedStatements(database) });
    const db = new Kysely<MenuDatabase>({ dialect });
    await createTables(db, sql`text`);
    return new SqlMenuStore({
      run: (statement) => statement(db),
      nowMs: () => sql<number>`${sql.lit(Math.floor(nowMs()))}`,
      close: () => db.destroy(),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MenuStoreError(`The SQLite store ${JSON.stringify(path)} could not be opened: ${reason}.`, {
      cause: error,
    });
  }
}
