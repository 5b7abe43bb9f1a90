import { sql } from '../../dialect/sql.ts';
import type { WriteTraits } from '../../dialect/write-traits.ts';

export const postgresWrites: WriteTraits = {
  rowsAtOnce: undefined,
  rowColumn: { name: 'id', type: 'text' },
  comparable: undefined,
  // A plain join of thousands of rows reads the whole table.
  joinedBy: (table, isNamed) =>
    sql`cross join lateral (select * from ${table} where ${isNamed} offset 0) as named`,
  copyInto: (table, columns) => sql`copy ${table} (${columns}) from stdin (format binary)`,
  orRollback: sql``,
};
