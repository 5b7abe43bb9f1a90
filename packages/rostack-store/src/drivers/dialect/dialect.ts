import type { Buffer } from 'node:buffer';
import type { LeaseDialect } from './lease-dialect.ts';
import type { PlannerTraits } from './planner-traits.ts';
import type { ColumnType, Query } from './query.ts';
import type { SchemaDialect } from './schema-dialect.ts';
import type { Once, Placeholder, Sql } from './sql.ts';
import type { WriteTraits } from './write-traits.ts';

/** The parts of a statement that returns one row, and texts. */
export interface RowAndTexts {
  /** The common table expressions of both; may be empty. */
  readonly definitions: Sql;
  readonly columns: Sql;
  readonly from: Sql;
  readonly where: Sql;
  /** A select of texts in order, as the column `body`; null for each text that is left out, after all others. */
  readonly texts: Sql;
}

/** Where rows are in their table: the shortest way to read them again within one statement. */
export interface RowLocator {
  /** The column that identifies a row's place. */
  readonly column: Sql;
}

/** Numbers in a row, first and last among them. */
export interface Series {
  readonly first: number;
  readonly last: number;
}

/** How to ask for the plan of a statement. */
export interface ExplainSyntax {
  /** Goes before the statement. */
  readonly verb: string;
  /** The column with a line of the plan. */
  readonly column: string;
}

/** Where the SQL of the two databases differs. Related parts have files of their own. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  readonly placeholder: Placeholder;
  readonly planner: PlannerTraits;
  readonly schema: SchemaDialect;
  readonly writes: WriteTraits;
  readonly leases: LeaseDialect;
  /** Whether processes share what is used of their rate limits, in the table `rate`. */
  readonly sharesRates: boolean;
  readonly columnTypes: Readonly<Record<ColumnType, Sql>>;
  readonly explain: ExplainSyntax;
  /** The qualified name of the table. */
  table(name: string): Sql;
  /** The table, to be read through this index (PostgreSQL has no such hint: there the query's order leads to the index). */
  tableBy(name: string, index: string | undefined): Sql;
  /** As `tableBy`, through the index of the primary key. */
  tableByPrimaryKey(name: string): Sql;
  /**
   * Locates rows, so that only the bodies of a page's own rows are read, at the end. Undefined if bodies are carried along: PostgreSQL
   * passes on at most 2 kB per row, and a pointer for longer texts.
   */
  readonly rowLocator: RowLocator | undefined;
  /** Makes a select return rows with the same keys only once; the select has to be ordered by the keys. */
  distinct(keys: Sql): Sql;
  /**
   * The first rows of a select of an index range, in the index's order. PostgreSQL expects few rows in any range, and would read and sort
   * all of them if the limit is not below its estimate; with a limit that it does not know it expects to end the scan early. For a large
   * table it then expects more rows, hence a limit that it knows around the select: it would compile a statement that it takes for a long
   * one, which takes longer than running it.
   */
  firstOfRange(select: Sql, limit: Sql): Sql;
  /**
   * Ends an inner select so that it is read in this order, by the index with that order, whatever the outer select is ordered by:
   * PostgreSQL would rather scan the whole index of the outer order. Empty if `tableBy` names the index.
   */
  asPlanned(order: Sql): Sql;
  /** The first `count` bytes of a column. */
  prefixOf(column: Sql, count: number): Sql;
  /**
   * A statement that returns one row, and texts: with the row, `found` is the number of texts, `bodies` the texts as UTF-8, joined with
   * commas, and `left_out` the number of those left out. SQLite joins them. PostgreSQL returns each as a row of its own (the statement
   * `joinsTexts`), because the server and the driver would copy one long text several times.
   */
  withTexts(parts: RowAndTexts): Once;
  /** A count for `limit` or `offset`, bound so that the statement stays prepared. */
  count(rows: number): Sql;
  /** A value to compare a key with, bound so that the statement stays prepared. */
  equal(value: unknown): Sql;
  /** Whether the first key of an index is this one: together with an order by the whole index, this makes the database use the index. */
  isKey(column: Sql, key: Buffer): Sql;
  /** Bytes as a literal. */
  bytesOf(hex: string): Sql;
  /** Runs a select for each number of a series, with its own order and limit each time. @param select gets the number */
  eachOf(series: Series, select: (number: Sql) => Sql): Query;
  /** Whether `needle` occurs anywhere in the bytes. */
  contains(bytes: Sql, needle: Uint8Array): Sql;
  /**
   * Conditions that are always true, and end a statement that tests rows for too long: they check the time for each row, or for some of the
   * rows if a test takes almost no time. Undefined if the server has its own time limit.
   */
  readonly inTime: { readonly forEach: Sql; readonly forSome: Sql } | undefined;
  /** The source of rows to write: a `values` list of this many rows, or a select over one array per column, of any length. */
  rowsOf(columns: readonly ColumnType[], rows: number): Sql;
  /** Text of a condition that a column equals one of the texts of a parameter made by `listOf`. */
  isAmong(column: string, parameter: string): string;
  /** Any number of texts as one parameter. */
  listOf(texts: readonly string[]): unknown;
  /** Ends a select of rows that the transaction is going to change, to lock them. */
  readonly forUpdate: Sql;
}
