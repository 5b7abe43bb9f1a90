import type { Work } from '../../../drivers/database.ts';
import { quoteName } from '../../../drivers/dialect/sql.ts';
import { AttachRefusedError } from '../../../errors/index.ts';
import type { AttachedTable, KeyColumn, MemberColumn } from '../../attachment/attachment.ts';
import { chooseColumns, findColumn } from '../../attachment/choose-columns.ts';
import { canBeDecimal, kindOf } from '../../source/column-kind.ts';
import { KEY_TYPES } from '../../source/key-type.ts';
import { qualified, query } from '../../source/query.ts';
import { type ResolvedColumn, type ResolvedSource, tableNameOf } from '../../source/table-source.ts';
import { keyedExpression, numbersOf, TYPE_NAME } from './layout.ts';

/** A table that can be attached. */
export interface InspectedTable extends Pick<AttachedTable, 'source' | 'tableOid' | 'key' | 'columns'> {
  /** Whether it is a partition, or inherits. */
  readonly isChild: boolean;
}

/**
 * Examines a table that is to be attached, or to stay attached.
 * @param isInstalling whether triggers are going to be created, which only the owner may do
 * @throws AttachRefusedError with the obstacles
 */
export function* inspectTable(source: ResolvedSource, isInstalling: boolean): Work<InspectedTable> {
  const { tableOid, isChild } = yield* findTable(source, isInstalling);
  const rows = yield* query<ColumnRow>(COLUMNS_QUERY, [tableOid]);
  const key = source.key.map((column) => toKeyColumn(findColumn(rows, column, source), source));
  const columns = chooseColumns(rows, source, toMemberColumn);
  yield* checkKey(tableOid, source, key);
  return { source, tableOid, isChild, key, columns };
}

interface TableRow {
  readonly tableOid: number;
  readonly isChild: boolean;
  /** Why triggers cannot capture its changes. */
  readonly fault: string | null;
}

const TABLE_QUERY = `select c.oid as "tableOid", exists (select from pg_catalog.pg_inherits where inhrelid = c.oid) as "isChild",
    case when c.relkind = 'v' then 'is a view: attach the table behind it, and choose its columns'
      when c.relkind = 'm' then 'is a materialized view, whose rows change without triggers: attach the table behind it'
      when c.relkind = 'p' then 'is partitioned, and its partitions can come and go without triggers: attach the partitions one by one'
      when c.relkind = 'f' then 'is a foreign table, whose rows change elsewhere'
      when c.relkind <> 'r' then 'is not a table'
      when c.relpersistence <> 'p'
        then 'is unlogged or temporary: a crash empties it without a trigger; alter table ... set logged'
      when exists (select from pg_catalog.pg_inherits where inhparent = c.oid)
        then 'has tables that inherit from it, whose rows are not its own: attach these'
      when $3 and not pg_has_role(c.relowner, 'usage')
        then 'belongs to another role: grant membership in the owner to the role of the store URL while attach and detach run'
      when not has_table_privilege(c.oid, 'select') then 'cannot be read: grant select on it to the role of the store URL'
      when row_security_active(c.oid)
        then 'has row security that hides rows from the role of the store URL: give it BYPASSRLS or a policy exemption' end as fault
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2`;

function* findTable(source: ResolvedSource, isInstalling: boolean): Work<TableRow> {
  const [table] = yield* query<TableRow>(TABLE_QUERY, [source.schema, source.table, isInstalling]);
  const name = tableNameOf(source);
  if (table === undefined) {
    throw new AttachRefusedError(
      `there is no table ${name} in the store's database: write schema.table, exactly as PostgreSQL stores the names`,
    );
  }
  if (table.fault !== null) throw new AttachRefusedError(`${name} ${table.fault}`);
  return table;
}

interface ColumnRow extends Omit<KeyColumn, 'typeName'> {
  /** Name in `pg_type` (for an array, of its elements); `enum` for every enum, null for other user-defined types. */
  readonly typeName: string | null;
  readonly isArray: boolean;
  /** Digits of a `numeric` after the point; null if any number is allowed, or for other types. */
  readonly scale: number | null;
}

const COLUMNS_QUERY = `select a.attnum as number, a.attname as "column", ${TYPE_NAME} as type, b.typcategory = 'A' as "isArray",
    case when e.typtype = 'e' then 'enum' when e.typnamespace = 'pg_catalog'::regnamespace then e.typname end as "typeName",
    case when b.typname = 'numeric' and b.typmod >= 4 then (((b.typmod - 4) & 2047) # 1024) - 1024 end as scale
  from pg_catalog.pg_attribute a
  join pg_catalog.pg_type ty on ty.oid = a.atttypid
  join pg_catalog.pg_namespace tn on tn.oid = ty.typnamespace
  cross join lateral (
    with recursive chain (oid, typmod) as (
      select a.atttypid, a.atttypmod union all
      select d.typbasetype, d.typtypmod from chain join pg_catalog.pg_type d on d.oid = chain.oid where d.typtype = 'd'
    ) select base.*, chain.typmod from chain join pg_catalog.pg_type base on base.oid = chain.oid where base.typtype <> 'd') b
  join pg_catalog.pg_type e on e.oid = case b.typcategory when 'A' then b.typelem else b.oid end
  where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped order by a.attnum`;

function toKeyColumn(
  { number, column, type, typeName, isArray, scale }: ColumnRow,
  source: ResolvedSource,
): KeyColumn {
  const refused = `the key ${column} of ${tableNameOf(source)} is ${type}`;
  if (isArray || typeName === null || !Object.hasOwn(KEY_TYPES, typeName)) {
    throw new AttachRefusedError(`${refused}: use a column of ${Object.keys(KEY_TYPES).join(', ')}`);
  }
  if (typeName === 'numeric' && (scale === null || scale > 0)) {
    throw new AttachRefusedError(
      `${refused}, which may have digits after the point: use a column of numeric(n, 0), or of another type`,
    );
  }
  return { number, column, type, typeName };
}

function toMemberColumn(
  { number, column, type, typeName, isArray, scale }: ColumnRow,
  { member, as }: ResolvedColumn,
  source: ResolvedSource,
): MemberColumn {
  if (as === 'text') return { number, column, type, typeName: '', isArray: false, member, kind: 'printed' };
  if (as === 'json-text') {
    if (isArray || (typeName !== 'json' && typeName !== 'jsonb')) {
      throw new AttachRefusedError(
        `the column ${column} of ${tableNameOf(source)} is ${type}, which is not JSON: write json-text for columns of json or jsonb, text for any other`,
      );
    }
    return { number, column, type, typeName: '', isArray: false, member, kind: 'printed' };
  }
  if (as !== undefined && !canBeDecimal(typeName, isArray)) {
    throw new AttachRefusedError(
      `the column ${column} of ${tableNameOf(source)} is ${type}, which cannot be shown as ${as}: write that for columns of numeric, bigint, integer or smallint`,
    );
  }
  const kind = as === undefined ? kindOf(typeName, isArray) : 'decimal';
  if (typeName === null || kind === undefined) {
    throw new AttachRefusedError(
      `the column ${column} of ${tableNameOf(source)} is ${type}, which no record can hold: choose columns without it, or take its text with { column: ${JSON.stringify(column)}, as: text }`,
    );
  }
  return { number, column, type, typeName, isArray, member, kind, ...(scale !== null && { scale }) };
}

function* checkKey(tableOid: number, source: ResolvedSource, key: readonly KeyColumn[]): Work<void> {
  const [found] = yield* query<{ isKeyed: boolean; primaryKey: string | null; nullable: readonly string[] }>(
    `select ${keyedExpression('$1', numbersOf(key))} as "isKeyed",
      (select string_agg(a.attname, ', ' order by k.place) from pg_catalog.pg_index i
        cross join unnest(i.indkey[0:i.indnkeyatts - 1]) with ordinality k (number, place)
        join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
        where i.indrelid = $1 and i.indisprimary) as "primaryKey",
      array(select attname::text from pg_catalog.pg_attribute
        where attrelid = $1 and attnum = any($2::int2[]) and not attnotnull order by attnum) as nullable`,
    [tableOid, key.map(({ number }) => number)],
  );
  if (found?.isKeyed === true) return;
  const table = qualified(source.schema, source.table);
  const identifiers = source.key.map((name) => quoteName(name));
  const remedy = [
    ...(found?.nullable ?? []).map((name) => `alter table ${table} alter ${quoteName(name)} set not null`),
    `create unique index on ${table} (${identifiers.join(', ')})`,
  ];
  const primary = found?.primaryKey == null ? 'it has none' : `it is (${found.primaryKey})`;
  throw new AttachRefusedError(
    `the key ${source.key.join(', ')} of ${tableNameOf(source)} has to be its primary key (${primary}) with its columns in that order, or not null ` +
      `with a unique index of its own that is not deferrable, in the columns' own collations and one direction: ${remedy.join('; ')}`,
  );
}
