import { run, type Work } from '../drivers/database.ts';
import type { Dialect } from '../drivers/dialect.ts';
import { once, sql } from '../drivers/sql.ts';
import { SchemaTooNewError } from '../errors/index.ts';
import { MIGRATIONS } from './migrations.ts';

/**
 * Brings the schema up to date inside the caller's transaction, under a lock that other processes wait for. Renews the epoch of a restored
 * backup. Returns the epoch.
 * @throws SchemaTooNewError if the database has steps that this release does not know
 */
export function* migrate(dialect: Dialect, schema: string, randomId: () => string): Work<string> {
  yield* lock(dialect, schema);
  const state = (yield* stateExists(dialect, schema)) ? yield* readState(dialect) : undefined;
  const from = state?.schema_version ?? 0;
  if (from > MIGRATIONS.length) throw new SchemaTooNewError(from, MIGRATIONS.length);
  for (const migration of MIGRATIONS.slice(from)) yield* migration(dialect);
  const epoch = state === undefined || state.renew_epoch !== 0 ? randomId() : state.epoch;
  const table = dialect.table('state');
  yield* run(
    once(
      dialect,
      sql`insert into ${table} (single, schema_version, epoch, renew_epoch)
        values (1, ${MIGRATIONS.length}, ${epoch}, 0)
        on conflict (single) do update set schema_version = excluded.schema_version, epoch = excluded.epoch, renew_epoch = 0`,
    ),
  );
  return epoch;
}

interface State {
  readonly schema_version: number;
  readonly epoch: string;
  readonly renew_epoch: number;
}

export function* readState(dialect: Dialect): Work<State | undefined> {
  const table = dialect.table('state');
  const [state] = yield* run<State>(
    once(dialect, sql`select schema_version, epoch, renew_epoch from ${table}`),
  );
  return state;
}

export function* stateExists(dialect: Dialect, schema: string): Work<boolean> {
  const query =
    dialect.name === 'sqlite'
      ? sql`select name from sqlite_schema where type = 'table' and name = 'state'`
      : sql`select table_name from information_schema.tables where table_schema = ${schema} and table_name = 'state'`;
  const rows = yield* run(once(dialect, query));
  return rows.length > 0;
}

/** SQLite's write transaction is already the lock. */
function* lock(dialect: Dialect, schema: string): Work<void> {
  if (dialect.name === 'sqlite') return;
  yield* run(
    once(dialect, sql`select pg_advisory_xact_lock(hashtextextended(${`rostack-store ${schema}`}, 0))`),
  );
  // `if not exists` needs the privilege to create schemas even if the schema exists.
  const there = yield* run(once(dialect, sql`select from pg_namespace where nspname = ${schema}`));
  if (there.length === 0) yield* run(once(dialect, sql`create schema if not exists ${sql.id(schema)}`));
}
