import type { Dialect } from '../../dialect/dialect.ts';
import { once, sql } from '../../dialect/sql.ts';
import { IN_TIME } from '../statement/statements.ts';
import { sqliteLeases } from './leases.ts';
import { sqlitePlanner } from './planner.ts';
import { sqliteSchema } from './schema.ts';
import { sqliteWrites } from './writes.ts';

const columnTypes = { text: sql`text`, bigint: sql`integer`, bytea: sql`blob` };

/** Placeholder for the number in a statement that runs for each number of a series. */
const ANY_NUMBER = Symbol('number');

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  placeholder: () => '?',
  planner: sqlitePlanner,
  schema: sqliteSchema({ table: sql.id, columnTypes }),
  writes: sqliteWrites,
  leases: sqliteLeases,
  sharesRates: false,
  columnTypes,
  explain: { verb: 'explain query plan', column: 'detail' },
  table: sql.id,
  tableBy: (name, index) =>
    index === undefined ? sql.id(name) : sql`${sql.id(name)} indexed by ${sql.id(index)}`,
  tableByPrimaryKey: (name) => sqliteDialect.tableBy(name, `sqlite_autoindex_${name}_1`),
  rowLocator: { column: sql`rowid` },
  distinct: () => sql`distinct`,
  firstOfRange: (select, limit) => sql`${select} limit ${limit}`,
  asPlanned: () => sql``,
  prefixOf: (column, count) => sql`substr(${column}, 1, ${sql.lit(count)})`,
  // For a bare parameter here, SQLite plans by its value and prepares the statement again each time a value is bound.
  count: (rows) => sql`cast(${rows} as integer)`,
  equal: (value) => sql`+${value}`,
  withTexts: ({ definitions, columns, from, where, texts }) =>
    once(
      sqliteDialect,
      sql`${definitions} select ${columns}, page.* from ${from}
        cross join (select count(body) as found, count(*) - count(body) as left_out, cast(group_concat(body, ',') as blob) as bodies
          from (${texts}) as texts) as page
        where ${where}`,
    ),
  isKey: (column, key) => sql`${column} = +${key}`,
  bytesOf: (hex) => sql`x'${sql.raw(hex)}'`,
  eachOf: ({ first, last }, select) => {
    const { sql: text, parameters } = once(sqliteDialect, select(sqliteDialect.equal(ANY_NUMBER)));
    const rows = Array.from({ length: last - first + 1 }, (_, index) =>
      parameters.map((value) => (value === ANY_NUMBER ? first + index : value)),
    );
    return { kind: 'each', sql: text, types: [], rows };
  },
  contains: (bytes, needle) => sql`instr(${bytes}, ${needle}) > 0`,
  inTime: {
    forEach: sql`${sql.raw(IN_TIME)}()`,
    // Calling the function costs as much as testing some rows by their keys.
    forSome: sql`(rowid % 127 or ${sql.raw(IN_TIME)}())`,
  },
  rowsOf: (columns, rows) => {
    const row = sql`(${sql.join(columns.map(() => sql`${null}`))})`;
    return sql`values ${sql.join(Array.from({ length: rows }, () => row))}`;
  },
  isAmong: (column, parameter) => `${column} in (select value from json_each(${parameter}))`,
  listOf: (texts) => JSON.stringify(texts),
  forUpdate: sql``,
};
