import type { Once } from './sql.ts';

/** SQL type of a column, to bind its values. */
export type ColumnType = 'text' | 'bigint' | 'bytea';

/** One row of a result, by column name. */
export type Row = Readonly<Record<string, unknown>>;

/** What a unit of work asks the database to run. */
export type Query =
  | Once
  /** Runs for every row of values and concatenates the results; PostgreSQL runs it once, over one array per column. */
  | {
      readonly kind: 'each';
      readonly sql: string;
      readonly rows: readonly (readonly unknown[])[];
      /** Types of the values, in order; only PostgreSQL uses them. */
      readonly types: readonly ColumnType[];
      /** A form for several rows of values at once, one after the other: for SQLite, where each run has its cost. */
      readonly several?: SeveralRows | undefined;
      /** The statement that inserts the same rows from a stream in PostgreSQL's binary format, which is faster for many rows. */
      readonly copy?: string | undefined;
    };

/** A statement that takes a fixed number of rows of values. */
export interface SeveralRows {
  readonly sql: string;
  readonly rowCount: number;
}
