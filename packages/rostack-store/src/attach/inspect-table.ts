import { sql } from 'kysely';
import { run, type Work } from '../database/database.ts';
import { type Dialect, once } from '../database/dialect.ts';
import { AttachRefusedError } from '../errors/index.ts';
import type { AttachedColumn } from './attachment.ts';
import { KEY_TYPES, kindOf, type TypeFacts } from './column-type.ts';
import { keyedExpression } from './layout.ts';
import { type ResolvedSource, tableNameOf } from './table-source.ts';

/** A table that can be attached. */
export interface InspectedTable {
  readonly oid: number;
  /** The key comes first. */
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
  readonly isKeyed: boolean;
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
  return { oid: table.oid, columns: chooseColumns(rows, source), isChild: table.is_child };
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
        ${sql.raw(keyedExpression(String(oid), 'a.attnum'))} as "isKeyed"
      from pg_catalog.pg_attribute a
      join pg_catalog.pg_type t on t.oid = a.atttypid
      join pg_catalog.pg_namespace tn on tn.oid = t.typnamespace
      join lateral (
        with recursive chain (oid) as (
          select a.atttypid union all
          select d.typbasetype from chain join pg_catalog.pg_type d on d.oid = chain.oid where d.typtype = 'd'
        ) select b.* from chain join pg_catalog.pg_type b on b.oid = chain.oid where b.typtype <> 'd') b on true
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
  const key = rowOf(source.key);
  if (key.isArray || !key.isBuiltIn || !KEY_TYPES.has(key.typeName)) {
    throw new AttachRefusedError(
      `the key ${source.key} of ${table} is ${key.type}: use a column of ${[...KEY_TYPES].join(', ')}`,
    );
  }
  if (!key.isKeyed) {
    throw new AttachRefusedError(
      `the key ${source.key} of ${table} has to be its primary key, or not null with a unique constraint of its own that is not deferrable`,
    );
  }
  const chosen =
    source.columns ??
    [...byName.keys()].filter((name) => name !== source.key).map((name): [string, string] => [name, name]);
  const columns = [[source.key, source.keyMember] as const, ...chosen].map(([column, member]) =>
    toAttached(rowOf(column), member, table),
  );
  const twice = columns.find(({ member }, index) => columns.findIndex((c) => c.member === member) !== index);
  if (twice === undefined) return columns;
  throw new AttachRefusedError(
    `two columns of ${table} become the member ${JSON.stringify(twice.member)}: choose columns`,
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
