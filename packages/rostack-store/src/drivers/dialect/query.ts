import type { Once } from './sql.ts';

/** SQL type of a column that rows are bound to. */
export type ColumnType = 'text' | 'bigint' | 'bytea';

/** One row of a result, by column name. */
export type Row = Readonly<Record<string, unknown>>;

/** What a unit of work asks the database to run. */
export type Query =
  | Once
  /** Runs for every row of values and joins the results; PostgreSQL runs it once, over one array per column. */
  | {
      readonly kind: 'each';
      readonly sql: string;
      readonly rows: readonly (readonly unknown[])[];
      /** Types of the values, in their order; only PostgreSQL looks at them. */
      readonly types: readonly ColumnType[];
      /** The same for several rows of values at once, one after the other: for SQLite, where each run has its cost. */
      readonly several?: SeveralRows | undefined;
      /** What inserts the same rows of values from a stream in PostgreSQL's binary format: for many of them, where there is one. */
      readonly copy?: string | undefined;
    };

/** A statement that takes a number of rows of values. */
export interface SeveralRows {
  readonly sql: string;
  readonly rowCount: number;
}
