import type { ColumnType } from './query.ts';
import type { Sql } from './sql.ts';

/** How rows are best written. */
export interface WriteTraits {
  /** Number of rows that one statement takes if each run has its cost; undefined if one run takes any number. */
  readonly rowsAtOnce: number | undefined;
  /** The column that identifies a current row that was read. */
  readonly rowColumn: { readonly name: string; readonly type: ColumnType };
  /**
   * A key as a text to compare: an update would write an unchanged key into its indexes again, so it gets only those that change. Undefined
   * if the database notices unchanged keys by itself.
   */
  readonly comparable: ((key: Sql) => Sql) | undefined;
  /** Joins a table to preceding rows of the `from` clause that contain its keys: one index lookup for each, however many there are. */
  readonly joinedBy: (table: Sql, isNamed: Sql) => Sql;
  /** The statement that inserts rows from a stream; undefined if that is not faster. */
  readonly copyInto: ((table: Sql, columns: Sql) => Sql) | undefined;
  /** Goes after the verb of a write whose failure ends the transaction anyway. */
  readonly orRollback: Sql;
}
