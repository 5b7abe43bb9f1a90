import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import { MenuStoreError } from '../error/menu-error.ts';
import type { MenuStore } from './menu-store.ts';
import { createTables } from './sql/create-tables.ts';
import type { MenuDatabase } from './sql/menu-database.ts';
import { SqlMenuStore } from './sql/sql-menu-store.ts';

export interface PostgresMenuStoreOptions {
  /** Must exist. @default 'public' */
  readonly schema?: string;
  /** @default 4 */
  readonly maxConnections?: number;
  /** @default 5000 */
  readonly connectTimeoutMs?: number;
  /** Of one statement. @default 5000 */
  readonly statementTimeoutMs?: number;
}

/** Only one process makes the tables; "menu" in ASCII. */
const TABLES_LOCK = 0x6d656e75;

/**
 * Connects to `postgres://...` and makes the tables where they are missing; leases end by the server's clock.
 * @throws MenuStoreError `store_unavailable`
 */
export async function openPostgresMenuStore(
  url: string,
  options: PostgresMenuStoreOptions = {},
): Promise<MenuStore> {
  const pool = new Pool({
    connectionString: url,
    max: options.maxConnections ?? 4,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5000,
    statement_timeout: options.statementTimeoutMs ?? 5000,
    allowExitOnIdle: true,
  });
  // An idle connection that breaks is replaced by the next query, which reports if it cannot be.
  pool.on('error', () => {});
  const db = new Kysely<MenuDatabase>({ dialect: new PostgresDialect({ pool }) }).withSchema(
    options.schema ?? 'public',
  );
  try {
    await db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${TABLES_LOCK})`.execute(transaction);
      await createTables(transaction, sql`text collate "C"`);
    });
  } catch (error) {
    await db.destroy();
    throw new MenuStoreError('The PostgreSQL store could not be opened.', { cause: error });
  }
  return new SqlMenuStore(db, () => sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`);
}
