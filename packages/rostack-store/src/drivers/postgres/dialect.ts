import type { Dialect } from '../dialect.ts';
import type { ColumnType } from '../query.ts';
import { once, quoteName, sql } from '../sql.ts';

const ARRAY_TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'text[]',
  bigint: 'bigint[]',
  bytea: 'bytea[]',
};

/** @param schema the PostgreSQL schema that holds the store's tables */
export function postgresDialect(schema: string): Dialect {
  const inSchema = `${quoteName(schema)}.`;
  const table = (name: string) => sql.raw(inSchema + quoteName(name));
  const dialect: Dialect = {
    name: 'postgres',
    placeholder: (number) => `$${number}`,
    // Bytewise order of UTF-8 is code point order, whatever the database's own collation is.
    columnTypes: { text: sql`text collate "C"`, bigint: sql`bigint`, bytea: sql`bytea` },
    table,
    tableBy: table,
    rowLocator: undefined,
    distinct: (keys) => sql`distinct on (${keys})`,
    // With an order, though of nothing, the planner does not tell the inner select of the outer limit.
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
    // A plain equality would be taken out of the order: then another index may seem to be the shorter way.
    isKey: (column, key) => sql`${column} = any(array[${key}]::bytea[])`,
    contains: (bytes, needle) => sql`position(${needle}::bytea in ${bytes}) > 0`,
    inTime: undefined,
    rowsOf: (columns) => {
      const arrays = columns.map((type) => sql`${null}::${sql.raw(ARRAY_TYPES[type])}`);
      return sql`select * from unnest(${sql.join(arrays)})`;
    },
    orRollback: sql``,
    forUpdate: sql`for update`,
  };
  return dialect;
}
