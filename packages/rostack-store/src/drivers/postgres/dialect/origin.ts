import type { Database } from '../../database.ts';
import { once, sql } from '../../dialect/sql.ts';

/** Identifies a server, its history and the store in it; undefined where that cannot be found out. */
export async function originOf(database: Database): Promise<string | undefined> {
  const { dialect } = database;
  const state = sql.lit(`"${dialect.schema.name}"."state"`);
  const query = sql`select concat('server ', (select system_identifier from pg_control_system()),
    ', timeline ', substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8), ', table ', ${state}::regclass::oid) as origin`;
  try {
    const [row] = await database.query<{ origin: string }>(once(dialect, query));
    return row?.origin;
  } catch {
    // Not every role on every server may call these functions.
    return undefined;
  }
}
