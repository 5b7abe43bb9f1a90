import type { Dialect } from '../../dialect/dialect.ts';
import type { ColumnType } from '../../dialect/query.ts';
import { once, quoteName, sql } from '../../dialect/sql.ts';
import { postgresLeases } from './leases.ts';
import { postgresPlanner } from './planner.ts';
import { postgresSchema } from './schema.ts';
import { postgresWrites } from './writes.ts';

const ARRAY_TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'text[]',
  bigint: 'bigint[]',
  bytea: 'bytea[]',
};

/** @param schema the PostgreSQL schema that holds the store's tables */
export function postgresDialect(schema: string): Dialect {
  const inSchema = `${quoteName(schema)}.`;
  const table = (name: string) => sql.raw(inSchema + quoteName(name));
  const parts = {
    placeholder: (number: number) => `$${number}`,
    table,
    // Bytewise order of UTF-8 is code point order, whatever the database's own collation is.
    columnTypes: { text: sql`text collate "C"`, bigint: sql`bigint`, bytea: sql`bytea` },
  };
  const dialect: Dialect = {
    ...parts,
    name: 'postgres',
    planner: postgresPlanner,
    schema: postgresSchema(schema, parts),
    writes: postgresWrites,
    leases: postgresLeases,
    sharesRates: true,
    explain: { verb: 'explain', column: 'QUERY PLAN' },
    tableBy: table,
    tableByPrimaryKey: table,
    rowLocator: undefined,
    distinct: (keys) => sql`distinct on (${keys})`,
    // With an order, even one by a constant, the planner does not apply the outer limit to the inner select.
    firstOfRange: (select, limit) =>
      sql`select * from (${select} limit (select ${limit})) as first_of_range order by 1 + 0 limit ${limit}`,
    asPlanned: (order) => sql`order by ${order} offset 0`,
    prefixOf: (column, count) => sql`substr(${column}, 1, ${sql.lit(count)})`,
    count: (rows) => sql`${rows}`,
    equal: (value) => sql`${value}`,
    withTexts: ({ definitions, columns, from, where, texts }) => ({
      ...once(
        dialect,
        sql`${definitions} select (select row_to_json(row)::text from (select ${columns} from ${from} where ${where}) as row) as body
          union all (select body from (${texts}) as texts)`,
      ),
      joinsTexts: true,
    }),
    // A plain equality would be dropped from the order, so that the planner may prefer another index.
    isKey: (column, key) => sql`${column} = any(array[${key}]::bytea[])`,
    bytesOf: (hex) => sql`'\\x${sql.raw(hex)}'::bytea`,
    // Each is an index scan of its own, all in one query.
    eachOf: ({ first, last }, select) => {
      const series = sql`generate_series(${first}::bigint, ${last}::bigint) as series (number)`;
      return once(
        dialect,
        sql`select part.* from ${series} cross join lateral (${select(sql`series.number`)}) as part`,
      );
    },
    contains: (bytes, needle) => sql`position(${needle}::bytea in ${bytes}) > 0`,
    inTime: undefined,
    rowsOf: (columns) => {
      const arrays = columns.map((type) => sql`${null}::${sql.raw(ARRAY_TYPES[type])}`);
      return sql`select * from unnest(${sql.join(arrays)})`;
    },
    isAmong: (column, parameter) => `${column} = any(${parameter}::text[])`,
    listOf: (texts) => texts,
    forUpdate: sql`for update`,
  };
  return dialect;
}
