import { run, type Work } from '../drivers/database.ts';
import type { Dialect } from '../drivers/dialect/dialect.ts';
import { once, sql } from '../drivers/dialect/sql.ts';
import { SchemaTooNewError } from '../errors/index.ts';
import { MIGRATIONS } from './migrations.ts';

/**
 * Brings the schema up to date inside the caller's transaction, under a lock that other processes wait for. Renews the epoch of a restored
 * backup. Returns the epoch.
 * @throws SchemaTooNewError if the database has steps that this release does not know
 */
export function* migrate(dialect: Dialect, randomId: () => string): Work<string> {
  yield* lockSchema(dialect);
  const state = (yield* stateExists(dialect)) ? yield* readState(dialect) : undefined;
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

export function* stateExists(dialect: Dialect): Work<boolean> {
  const rows = yield* run(once(dialect, dialect.schema.isThere));
  return rows.length > 0;
}

function* lockSchema(dialect: Dialect): Work<void> {
  const { lock, creation } = dialect.schema;
  if (lock !== undefined) yield* run(once(dialect, lock));
  if (creation === undefined) return;
  // `if not exists` needs the privilege to create schemas even if the schema exists.
  const there = yield* run(once(dialect, creation.isThere));
  if (there.length === 0) yield* run(once(dialect, creation.create));
}
