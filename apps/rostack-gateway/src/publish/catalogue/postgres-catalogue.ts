import type { ClientBase } from 'pg';
import type { CatalogueColumn, CatalogueTable } from './catalogue.ts';
import { type PostgresType, postgresColumnSchema } from './column-schema.ts';

/** Texts are sortable below this length. */
const LONG_CHARACTERS = 500;
/** The greatest integer up to which doubles are exact. */
const GREATEST_EXACT = Number.MAX_SAFE_INTEGER;
const KEY_TYPES = [
  'int2',
  'int4',
  'int8',
  'numeric',
  'uuid',
  'text',
  'varchar',
  'bpchar',
  'date',
  'timestamp',
  'timestamptz',
];

/** Integers as strings of digits, which compare by number. */
const DIGITS = { schema: { type: 'string', format: 'decimal' }, as: 'decimal-string' } as const;

interface ColumnRow extends PostgresType {
  readonly name: string;
  readonly type: string;
  readonly length: number | null;
  readonly isNullable: boolean;
  readonly description: string | null;
  readonly isIndexed: boolean;
  readonly distinct: number | null;
  /** Whether a `bigint` is known to have values that a double cannot hold exactly. */
  readonly isBeyondDouble: boolean | null;
}

interface TableRow {
  readonly schema: string;
  readonly name: string;
  readonly description: string | null;
  readonly rowCount: number | null;
  readonly key: readonly string[] | null;
  readonly isPartition: boolean;
  readonly fault: string | null;
  readonly columns: readonly ColumnRow[];
}

/** The key is the primary key, or else the shortest unique index over columns that are never null. */
const CATALOGUE_QUERY = `select n.nspname as schema, c.relname as name, obj_description(c.oid, 'pg_class') as description, c.relispartition as "isPartition",
    case when c.reltuples >= 0 then c.reltuples::float8 end as "rowCount",
    (select array(select a.attname::text from unnest(i.indkey[0:i.indnkeyatts - 1]) with ordinality k (number, place)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number order by k.place)
      from pg_index i where i.indrelid = c.oid and i.indisunique and i.indimmediate and i.indpred is null and i.indexprs is null
        and i.indisvalid and (i.indisprimary or not exists (select from unnest(i.indkey[0:i.indnkeyatts - 1]) k (number)
          join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number where not a.attnotnull))
      order by i.indisprimary desc, i.indnkeyatts, i.indexrelid limit 1) as key,
    case when c.relkind = 'p' then 'is partitioned: name its partitions with --table'
      when c.relpersistence <> 'p' then 'is unlogged or temporary'
      when exists (select from pg_inherits where inhparent = c.oid) then 'has tables that inherit from it'
      when row_security_active(c.oid) then 'has row security that hides rows from this role' end as fault,
    (select coalesce(json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
        'typeName', case when e.typtype = 'e' then 'enum' when e.typnamespace = 'pg_catalog'::regnamespace then e.typname end,
        'isArray', b.typcategory = 'A',
        'length', case when b.typname in ('varchar', 'bpchar') and b.typmod >= 4 then b.typmod - 4 end,
        'labels', (select json_agg(enumlabel order by enumsortorder) from pg_enum where enumtypid = e.oid),
        'isNullable', not a.attnotnull, 'description', col_description(a.attrelid, a.attnum),
        'isIndexed', exists (select from pg_index i where i.indrelid = c.oid and i.indkey[0] = a.attnum and i.indpred is null),
        'isBeyondDouble', (select bool_or(abs(value::numeric) > ${GREATEST_EXACT}) from pg_stats s
          cross join unnest((s.histogram_bounds::text)::text[] || coalesce((s.most_common_vals::text)::text[], '{}')) value
          where b.typname = 'int8' and s.schemaname = n.nspname and s.tablename = c.relname and s.attname = a.attname),
        'distinct', (select case when s.n_distinct >= 0 then s.n_distinct else -s.n_distinct * greatest(c.reltuples, 0) end
          from pg_stats s where s.schemaname = n.nspname and s.tablename = c.relname and s.attname = a.attname and not s.inherited)
        ) order by a.attnum), '[]')
      from pg_attribute a
      cross join lateral (
        with recursive chain (oid, typmod) as (
          select a.atttypid, a.atttypmod union all
          select d.typbasetype, d.typtypmod from chain join pg_type d on d.oid = chain.oid where d.typtype = 'd'
        ) select base.*, chain.typmod from chain join pg_type base on base.oid = chain.oid where base.typtype <> 'd') b
      join pg_type e on e.oid = case b.typcategory when 'A' then b.typelem else b.oid end
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
    and n.nspname <> $1 and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  order by n.nspname = 'public' desc, n.nspname collate "C", c.relname collate "C"`;

/** The tables of a database, those in `public` first. @param ownSchema the gateway's own schema, which is left out */
export async function readPostgresCatalogue(
  client: Pick<ClientBase, 'query'>,
  ownSchema: string,
): Promise<readonly CatalogueTable[]> {
  const { rows } = await client.query<TableRow>(CATALOGUE_QUERY, [ownSchema]);
  return rows.map(toTable);
}

function toTable({
  schema,
  name,
  description,
  rowCount,
  key,
  isPartition,
  fault,
  columns,
}: TableRow): CatalogueTable {
  const keyColumns = (key ?? []).map((each) => columns.find((column) => column.name === each));
  const unfit = keyColumns.find(
    (column) => column === undefined || column.isArray || !KEY_TYPES.includes(column.typeName ?? ''),
  );
  const keyFault =
    keyColumns.length === 0
      ? 'has no primary key'
      : unfit === undefined
        ? undefined
        : `has a key of ${unfit.type}, which cannot be an id`;
  return {
    schema,
    name,
    description: description ?? undefined,
    rowCount: rowCount ?? undefined,
    columns: columns.map(toColumn),
    key: key ?? [],
    isPartition,
    fault: fault ?? keyFault,
  };
}

function toColumn(row: ColumnRow): CatalogueColumn {
  const { name, type, isNullable, description, isIndexed, distinct, length } = row;
  const isText = row.typeName === 'text' || row.typeName === 'varchar' || row.typeName === 'bpchar';
  return {
    name,
    type,
    // JSON that programs make never has a member of this name.
    ...(name === '__proto__' ? { schema: undefined, as: undefined } : postgresColumnSchema(row)),
    ...(row.isBeyondDouble === true && DIGITS),
    isNullable,
    isOptional: false,
    description: description ?? undefined,
    isIndexed,
    distinctCount: distinct ?? undefined,
    isLong: isText && (length === null || length > LONG_CHARACTERS) && !isIndexed,
  };
}
