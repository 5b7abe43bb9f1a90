import { sql } from '../sql.ts';
import type { WriteTraits } from '../write-traits.ts';

export const postgresWrites: WriteTraits = {
  rowsAtOnce: undefined,
  rowColumn: { name: 'id', type: 'text' },
  comparable: undefined,
  orRollback: sql``,
};
