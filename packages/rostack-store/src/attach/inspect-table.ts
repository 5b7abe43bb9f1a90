import { escapeIdentifier } from 'pg';
import { run, type Work } from '../database/database.ts';
import { type Dialect, once } from '../database/dialect.ts';
import { sql } from '../database/sql.ts';
import { AttachRefusedError } from '../errors/index.ts';
import type { AttachedColumn } from './attachment.ts';
import { kindOf, type TypeFacts } from './column-type.ts';
import { qualified } from './installation.ts';
import { KEY_TYPES } from './key-type.ts';
import { keyedExpression } from './layout.ts';
import { type KeyedTable, keyColumns, keyNames } from './table-key.ts';
import { type ResolvedSource, tableNameOf } from './table-source.ts';

/** A table that can be attached. */
export interface InspectedTable {
  readonly oid: number;
  /** Those of the key come first. */
  readonly columns: readonly AttachedColumn[];
  /** Whether it is a partition, or inherits. */
  readonly isChild: boolean;
}

interface TableRow {
  readonly oid: number;
  readonly relkind: string;
  readonly relpersistence: string;
  readonly has_children: boolean;
  readonly is_child: boolean;
  readonly is_hiding: boolean;
  readonly is_owned: boolean;
  readonly can_select: boolean;
}

interface ColumnRow extends TypeFacts {
  readonly number: number;
  readonly column: string;
  readonly type: string;
  /** Digits of a `numeric` after the point; null: any, or another type. */
  readonly scale: number | null;
}

/** Why what is no ordinary table cannot be followed by triggers, by `relkind`. */
const UNFIT: Readonly<Record<string, string>> = {
  v: 'is a view: attach the table behind it, and choose its columns',
  m: 'is a materialized view, whose rows change without triggers: attach the table behind it',
  p: 'is partitioned, and its partitions can come and go without triggers: attach the partitions one by one',
  f: 'is a foreign table, whose rows change elsewhere',
};

/**
 * Looks at a table that is to be attached.
 * @throws AttachRefusedError with what is in the way
 */
export function* inspectTable(dialect: Dialect, source: ResolvedSource): Work<InspectedTable> {
  const table = yield* findTable(dialect, source);
  const rows = yield* run<ColumnRow>(columnsQuery(dialect, table.oid));
  const columns = chooseColumns(rows, source);
  yield* checkKey(dialect, table.oid, { source, columns });
  return { oid: table.oid, columns, isChild: table.is_child };
}

function* findTable(dialect: Dialect, source: ResolvedSource): Work<TableRow> {
  const name = tableNameOf(source);
  const [table] = yield* run<TableRow>(
    once(
      dialect,
      sql`select c.oid, c.relkind, c.relpersistence,
          exists (select from pg_catalog.pg_inherits where inhparent = c.oid) as has_children,
          exists (select from pg_catalog.pg_inherits where inhrelid = c.oid) as is_child,
          row_security_active(c.oid) as is_hiding,
          pg_has_role(c.relowner, 'usage') as is_owned,
          has_table_privilege(c.oid, 'select') as can_select
        from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        where n.nspname = ${source.schema} and c.relname = ${source.table}`,
    ),
  );
  if (table === undefined) {
    throw new AttachRefusedError(
      `there is no table ${name} in the store's database: write schema.table, in the letters that PostgreSQL keeps`,
    );
  }
  const fault = tableFault(table);
  if (fault !== undefined) throw new AttachRefusedError(`${name} ${fault}`);
  return table;
}

function tableFault(table: TableRow): string | undefined {
  if (table.relkind !== 'r') return UNFIT[table.relkind] ?? 'is no table';
  if (table.relpersistence !== 'p')
    return 'is unlogged or temporary: a crash empties it without a trigger; alter table ... set logged';
  if (table.has_children) return 'has tables that inherit from it, whose rows are not its own: attach these';
  if (!table.is_owned)
    return 'belongs to another role: grant membership in the owner to the role of the store URL while attach and detach run';
  if (!table.can_select) return 'cannot be read: grant select on it to the role of the store URL';
  if (table.is_hiding)
    return 'has row security that hides rows from the role of the store URL: give it BYPASSRLS or a policy exemption';
  return undefined;
}

function columnsQuery(dialect: Dialect, oid: number) {
  return once(
    dialect,
    sql`select a.attnum as number, a.attname as "column",
        case tn.nspname when 'pg_catalog' then format_type(a.atttypid, a.atttypmod)
          else format('%I.%I', tn.nspname, t.typname) end as type,
        coalesce(e.typname, b.typname) as "typeName",
        coalesce(e.typnamespace, b.typnamespace) = 'pg_catalog'::regnamespace as "isBuiltIn",
        coalesce(e.typtype, b.typtype) = 'e' as "isEnum",
        e.oid is not null as "isArray",
        case when b.typname = 'numeric' and b.typmod >= 4 then (((b.typmod - 4) & 2047) # 1024) - 1024 end as scale
      from pg_catalog.pg_attribute a
      join pg_catalog.pg_type t on t.oid = a.atttypid
      join pg_catalog.pg_namespace tn on tn.oid = t.typnamespace
      join lateral (
        with recursive chain (oid, typmod) as (
          select a.atttypid, a.atttypmod union all
          select d.typbasetype, d.typtypmod from chain join pg_catalog.pg_type d on d.oid = chain.oid where d.typtype = 'd'
        ) select b.*, chain.typmod from chain join pg_catalog.pg_type b on b.oid = chain.oid where b.typtype <> 'd') b on true
      left join pg_catalog.pg_type e on e.oid = b.typelem and b.typcategory = 'A'
      where a.attrelid = ${oid} and a.attnum > 0 and not a.attisdropped order by a.attnum`,
  );
}

function chooseColumns(rows: readonly ColumnRow[], source: ResolvedSource): readonly AttachedColumn[] {
  const table = tableNameOf(source);
  const byName = new Map(rows.map((row) => [row.column, row]));
  const rowOf = (column: string): ColumnRow => {
    const row = byName.get(column);
    if (row !== undefined) return row;
    throw new AttachRefusedError(
      `${table} has no column ${JSON.stringify(column)}; its columns: ${[...byName.keys()].join(', ')}`,
    );
  };
  const key = keyNames(source).map(rowOf);
  for (const column of key) checkKeyType(column, table);
  const chosen =
    source.columns ??
    [...byName.keys()].filter((name) => name !== source.key).map((name): [string, string] => [name, name]);
  const keyed = key.map((row) => toAttached(row, source.keyMember, table));
  const others = chosen.map(([column, member]) => toAttached(rowOf(column), member, table));
  const members = [source.keyMember, ...others.map(({ member }) => member)];
  const twice = others.find(({ member }, index) => members.indexOf(member) !== index + 1);
  if (twice === undefined) return [...keyed, ...others];
  throw new AttachRefusedError(
    `two columns of ${table} become the member ${JSON.stringify(twice.member)}: choose columns`,
  );
}

function checkKeyType({ column, type, typeName, isArray, isBuiltIn, scale }: ColumnRow, table: string): void {
  if (isArray || !isBuiltIn || !Object.hasOwn(KEY_TYPES, typeName)) {
    throw new AttachRefusedError(
      `the key ${column} of ${table} is ${type}: use a column of ${Object.keys(KEY_TYPES).join(', ')}`,
    );
  }
  if (typeName === 'numeric' && (scale === null || scale > 0)) {
    throw new AttachRefusedError(
      `the key ${column} of ${table} is ${type}, which may have digits after the point: use a column of numeric(n, 0), or of another type`,
    );
  }
}

function* checkKey(dialect: Dialect, oid: number, keyed: KeyedTable): Work<void> {
  const numbers = keyColumns(keyed).map(({ number }) => number);
  const [found] = yield* run<{
    is_keyed: boolean;
    primary_key: readonly string[] | null;
    nullable: readonly string[] | null;
  }>(
    once(
      dialect,
      sql`select ${sql.raw(keyedExpression(String(oid), numbers))} as is_keyed,
        (select json_agg(a.attname order by k.place) from pg_catalog.pg_index i
          cross join unnest(i.indkey[0:i.indnkeyatts - 1]) with ordinality k (number, place)
          join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
          where i.indrelid = ${oid} and i.indisprimary) as primary_key,
        (select json_agg(attname order by attnum) from pg_catalog.pg_attribute
          where attrelid = ${oid} and attnum = any(${numbers}::int2[]) and not attnotnull) as nullable`,
    ),
  );
  if (found?.is_keyed === true) return;
  const { source } = keyed;
  const columns = keyNames(source).join(', ');
  const primary = found?.primary_key == null ? 'it has none' : `it is (${found.primary_key.join(', ')})`;
  const table = tableNameOf(source);
  const identifiers = keyNames(source).map((name) => escapeIdentifier(name));
  const written = qualified(source.schema, source.table);
  const remedy = [
    ...(found?.nullable ?? []).map(
      (name) => `alter table ${written} alter ${escapeIdentifier(name)} set not null`,
    ),
    `create unique index on ${written} (${identifiers.join(', ')})`,
  ].join('; ');
  throw new AttachRefusedError(
    `the key ${columns} of ${table} has to be its primary key (${primary}) with its columns in that order, or not null with a unique index of its ` +
      `own that is not deferrable, in the columns' own collations and one direction: ${remedy}`,
  );
}

function toAttached(row: ColumnRow, member: string, table: string): AttachedColumn {
  const { number, column, type, typeName, isBuiltIn, isEnum, isArray } = row;
  const kind = kindOf(row);
  if (kind !== undefined) {
    return { number, column, member, type, typeName, isBuiltIn, isEnum, isArray, kind };
  }
  throw new AttachRefusedError(
    `the column ${column} of ${table} is ${type}, which no record can hold: choose columns without it`,
  );
}
