import { sql } from '../../dialect/sql.ts';
import type { WriteTraits } from '../../dialect/write-traits.ts';

export const postgresWrites: WriteTraits = {
  rowsAtOnce: undefined,
  rowColumn: { name: 'id', type: 'text' },
  comparable: undefined,
  orRollback: sql``,
};
