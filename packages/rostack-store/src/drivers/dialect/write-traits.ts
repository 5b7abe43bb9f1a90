import type { ColumnType } from './query.ts';
import type { Sql } from './sql.ts';

/** How rows are best written. */
export interface WriteTraits {
  /** Rows that one statement takes, where each run has its cost; undefined where one run takes any number. */
  readonly rowsAtOnce: number | undefined;
  /** The column by which a current row is found again after it was read. */
  readonly rowColumn: { readonly name: string; readonly type: ColumnType };
  /**
   * A key as a text to compare: an update would write a key that stays the same into its indexes again, so it is given only those that
   * change. Undefined where the database notices by itself.
   */
  readonly comparable: ((key: Sql) => Sql) | undefined;
  /** The rows of a table that rows before it in the `from` name by its key: one look into the index for each, however many they are. */
  readonly joinedBy: (table: Sql, isNamed: Sql) => Sql;
  /** The statement that inserts rows from a stream; undefined where nothing is gained by that. */
  readonly copyInto: ((table: Sql, columns: Sql) => Sql) | undefined;
  /** Stands behind the verb of a write that the transaction cannot do without. */
  readonly orRollback: Sql;
}
