import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely';
import type { Dialect } from './dialect.ts';
import { IN_TIME } from './time-bound.ts';

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  builder: new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (builder) => new SqliteIntrospector(builder),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  columnTypes: { text: sql`text`, bigint: sql`integer`, bytea: sql`blob` },
  table: (name) => sql.table(name),
  tableBy: (name, index) =>
    index === undefined ? sql.table(name) : sql`${sql.table(name)} indexed by ${sql.ref(index)}`,
  prefixOf: (column, count) => sql`substr(${column}, 1, ${sql.lit(count)})`,
  // SQLite plans by the value of a bare parameter here, and prepares the statement again each time that one is bound.
  count: (rows) => sql`cast(${rows} as integer)`,
  equal: (value) => sql`+${value}`,
  joinTexts: (texts) => sql`group_concat(${texts}, ',')`,
  asBytes: (text) => sql`cast(${text} as blob)`,
  contains: (bytes, needle) => sql`instr(${bytes}, ${needle}) > 0`,
  inTime: sql`${sql.raw(IN_TIME)}()`,
  rowsOf: (columns, rows) => {
    const row = sql`(${sql.join(columns.map(() => sql`${null}`))})`;
    return sql`values ${sql.join(Array.from({ length: rows }, () => row))}`;
  },
  // Where a failure ends the transaction anyway, SQLite need not copy the pages that the statement changes.
  orRollback: sql`or rollback`,
  forUpdate: sql``,
};
