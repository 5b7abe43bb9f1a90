import type { Dialect } from './dialect.ts';
import { type Sql, sql } from './sql.ts';

/** Creates the tables for attached tables and for their rows that resources refuse. @param oid type of a table's own number */
export function attachmentTables(
  { table, columnTypes: { text, bigint } }: Pick<Dialect, 'table' | 'columnTypes'>,
  oid: Sql,
): readonly Sql[] {
  return [
    sql`create table ${table('attachment')} (
      name ${text} primary key,
      number ${bigint} not null unique,
      source ${text} not null,
      columns ${text} not null,
      table_oid ${oid} not null,
      layout ${text} not null,
      stamp ${text} not null,
      mapping ${text} not null,
      term ${bigint} not null,
      phase ${text} not null,
      place ${text})`,
    sql`create table ${table('quarantine')} (
      name ${text} not null,
      id ${text} not null,
      reason ${text} not null,
      since_ms ${bigint} not null,
      primary key (name, id))`,
  ];
}
