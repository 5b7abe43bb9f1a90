import { attachmentTables } from '../../dialect/attachment-tables.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { SchemaDialect } from '../../dialect/schema-dialect.ts';
import { sql } from '../../dialect/sql.ts';

export function postgresSchema(name: string, parts: Pick<Dialect, 'table' | 'columnTypes'>): SchemaDialect {
  const { text, bigint } = parts.columnTypes;
  return {
    name,
    ofPlainNames: 'public',
    isThere: sql`select table_name from information_schema.tables where table_schema = ${name} and table_name = 'state'`,
    lock: sql`select pg_advisory_xact_lock(hashtextextended(${`rostack-store ${name}`}, 0))`,
    creation: {
      isThere: sql`select from pg_namespace where nspname = ${name}`,
      create: sql`create schema if not exists ${sql.id(name)}`,
    },
    steps: {
      createAttachment: attachmentTables(parts, sql`oid`),
      leaseLeadership: [sql`alter table ${parts.table('attachment')} add column leads_until timestamptz`],
      // Unlogged, because its rows need not survive a crash.
      createRate: [
        sql`create unlogged table ${parts.table('rate')} (
          scope ${text} not null,
          key ${text} not null,
          budget ${bigint} not null,
          window_ms ${bigint} not null,
          used ${bigint} not null,
          granted ${bigint} not null,
          ends_at_ms ${bigint} not null,
          primary key (scope, key)) with (fillfactor = 50)`,
      ],
      attachOnSqlite: [],
    },
  };
}
