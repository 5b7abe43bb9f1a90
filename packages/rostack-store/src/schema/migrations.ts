import { sql } from 'kysely';
import { run, type Work } from '../database/database.ts';
import { type Dialect, once } from '../database/dialect.ts';

/** One step of the schema; the number of steps is the schema version. Steps are only ever added. */
export type Migration = (dialect: Dialect) => Work<void>;

export const MIGRATIONS: readonly Migration[] = [createStateAndHead, createToken, createNote];

function* createStateAndHead(dialect: Dialect): Work<void> {
  const { text, bigint } = dialect.columnTypes;
  yield* run(
    once(
      dialect,
      sql`create table ${dialect.table('state')} (
        single ${bigint} primary key check (single = 1),
        schema_version ${bigint} not null,
        epoch ${text} not null,
        renew_epoch ${bigint} not null)`,
    ),
  );
  yield* run(
    once(
      dialect,
      sql`create table ${dialect.table('head')} (
        number ${bigint} primary key,
        name ${text} not null unique,
        position ${bigint} not null,
        floor ${bigint} not null,
        closed_bytes ${bigint} not null,
        fields ${text} not null)`,
    ),
  );
}

function* createNote(dialect: Dialect): Work<void> {
  const { text } = dialect.columnTypes;
  yield* run(
    once(
      dialect,
      sql`create table ${dialect.table('note')} (name ${text} primary key, body ${text} not null)`,
    ),
  );
}

function* createToken(dialect: Dialect): Work<void> {
  const { text, bigint, bytea } = dialect.columnTypes;
  yield* run(
    once(
      dialect,
      sql`create table ${dialect.table('token')} (
        token_id ${text} primary key,
        verifier ${bytea} not null,
        subject ${text} not null,
        grants ${text} not null,
        created_at_ms ${bigint} not null,
        expires_at_ms ${bigint},
        revoked_at_ms ${bigint},
        last_used_at_ms ${bigint})`,
    ),
  );
}
