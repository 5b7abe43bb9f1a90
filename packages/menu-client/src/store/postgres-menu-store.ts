import { Kysely, PostgresDialect, sql } from 'kysely';
import { MenuStoreError } from '../domain/menu-error.ts';
import type { MenuStore } from './menu-store.ts';
import { createTables, type MenuDatabase } from './menu-tables.ts';
import { missingDriver } from './missing-driver.ts';
import { type RunStatement, SqlMenuStore } from './sql-menu-store.ts';

/** Where the tables are, and how long to wait for the database. */
export interface PostgresMenuStoreOptions {
  /**
   * The schema for the tables. It has to exist; missing tables are created.
   * @default 'public'
   */
  readonly schema?: string;
  /**
   * Most connections.
   * @default 4
   */
  readonly maxConnections?: number;
  /**
   * How long a connection may take to open, in ms.
   * @default 5000
   */
  readonly connectTimeoutMs?: number;
  /**
   * How long one statement may take, in ms.
   * @default 5000
   */
  readonly statementTimeoutMs?: number;
}

/** A process that hangs inside a transaction keeps its locks no longer than this. */
const IDLE_TRANSACTION_MS = 5000;

/** Lets only one process create the tables; "menu" in ASCII. */
const TABLES_LOCK = 0x6d656e75;

/**
 * Connects to `postgres://...` and creates missing tables; leases end by the server's clock. Nothing outlives a
 * transaction, so a pooler such as pgbouncer may be in between.
 * @throws MenuError `driver_missing` without pg; MenuStoreError `store_unavailable`
 */
export async function openPostgresMenuStore(
  url: string,
  options: PostgresMenuStoreOptions = {},
): Promise<MenuStore> {
  const { DatabaseError, Pool } = await import('pg').catch(missingDriver('PostgreSQL', 'pg'));
  const pool = new Pool({
    connectionString: url,
    max: options.maxConnections ?? 4,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5000,
    allowExitOnIdle: true,
  });
  // The next query replaces an idle connection that broke, and reports it if it cannot.
  pool.on('error', () => {});
  const db = new Kysely<MenuDatabase>({ dialect: new PostgresDialect({ pool }) }).withSchema(
    options.schema ?? 'public',
  );
  const limits = sql.raw(
    `set local statement_timeout = ${Math.ceil(options.statementTimeoutMs ?? 5000)};
     set local idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_MS}`,
  );
  const run: RunStatement = (statement) =>
    db.transaction().execute(async (transaction) => {
      await limits.execute(transaction);
      return statement(transaction);
    });
  try {
    await run(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${TABLES_LOCK})`.execute(transaction);
      await createTables(transaction, sql`text collate "C"`);
    });
  } catch (error) {
    await db.destroy();
    // Messages other than the server's own may contain parts of the URL.
    const reason = error instanceof DatabaseError ? error.message : codeOf(error);
    throw new MenuStoreError(`The PostgreSQL store could not be opened: ${reason}.`, { cause: error });
  }
  return new SqlMenuStore({
    run,
    nowMs: () => sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    close: () => db.destroy(),
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'it does not answer';
}
