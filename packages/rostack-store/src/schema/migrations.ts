import { parseTrustedJson } from 'rostack-core';
import { run, type Work } from '../drivers/database.ts';
import type { Dialect } from '../drivers/dialect/dialect.ts';
import type { OwnStep } from '../drivers/dialect/schema-dialect.ts';
import { once, sql } from '../drivers/dialect/sql.ts';
import type { StoredField } from './resource/field.ts';
import { createIndex, indexName, resourceTables } from './tables.ts';

/** One step of the schema; the number of steps is the schema version. Steps are only ever added. */
export type Migration = (dialect: Dialect) => Work<void>;

export const MIGRATIONS: readonly Migration[] = [
  createStateAndHead,
  createToken,
  createNote,
  // The tables for attached tables, and for the rows that their resources refuse.
  own('createAttachment'),
  indexPastByPartition,
  // Before, leaders held a session lock.
  own('leaseLeadership'),
  // The table of used budgets that processes share.
  own('createRate'),
  addTokenClaims,
  // Before, tables could not be attached on SQLite.
  own('attachOnSqlite'),
];

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

/** Before this step, past versions were indexed by key only. */
function* indexPastByPartition(dialect: Dialect): Work<void> {
  const heads = yield* run<{ number: number; fields: string }>(
    once(dialect, sql`select number, fields from ${dialect.table('head')}`),
  );
  for (const { number, fields } of heads) {
    const indexed = (parseTrustedJson(fields) as readonly Omit<StoredField, 'path'>[])
      .filter(({ index }) => index !== 'none')
      .map((field) => ({ ...field, path: [] }));
    const tables = resourceTables(number, indexed);
    for (const field of indexed) {
      yield* run(once(dialect, sql`drop index ${dialect.table(indexName(tables.past, field))}`));
      yield* run(once(dialect, createIndex(dialect, tables, 'past', field)));
    }
  }
}

/** Before this step, tokens only had grants. */
function* addTokenClaims(dialect: Dialect): Work<void> {
  const { text } = dialect.columnTypes;
  yield* run(once(dialect, sql`alter table ${dialect.table('token')} add column claims ${text}`));
}

/** A step whose statements are the database's own. */
function own(step: OwnStep): Migration {
  return function* (dialect) {
    for (const statement of dialect.schema.steps[step]) yield* run(once(dialect, statement));
  };
}
