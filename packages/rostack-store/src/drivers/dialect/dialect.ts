import type { Buffer } from 'node:buffer';
import type { LeaseDialect } from './lease-dialect.ts';
import type { PlannerTraits } from './planner-traits.ts';
import type { ColumnType, Query } from './query.ts';
import type { SchemaDialect } from './schema-dialect.ts';
import type { Once, Placeholder, Sql } from './sql.ts';
import type { WriteTraits } from './write-traits.ts';

/** What a statement consists of that gives one row, and texts. */
export interface RowAndTexts {
  /** The common table expressions of both; may be empty. */
  readonly definitions: Sql;
  readonly columns: Sql;
  readonly from: Sql;
  readonly where: Sql;
  /** A select of texts, as the column `body`, in their order; null for each that is left out, behind the others. */
  readonly texts: Sql;
}

/** Where rows lie in their table: the shortest way to them, within one statement. */
export interface RowLocator {
  /** What says where a row lies. */
  readonly column: Sql;
}

/** Numbers in a row, first and last among them. */
export interface Series {
  readonly first: number;
  readonly last: number;
}

/** How the plan of a statement is asked for. */
export interface ExplainSyntax {
  /** Stands before the statement. */
  readonly verb: string;
  /** The column with a line of the plan. */
  readonly column: string;
}

/** Where the two databases' SQL differs. What goes together is a part with a file of its own. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  readonly placeholder: Placeholder;
  readonly planner: PlannerTraits;
  readonly schema: SchemaDialect;
  readonly writes: WriteTraits;
  readonly leases: LeaseDialect;
  /** Whether processes share used budgets, in the table `rate`. */
  readonly sharesRates: boolean;
  readonly columnTypes: Readonly<Record<ColumnType, Sql>>;
  readonly explain: ExplainSyntax;
  /** The table's full name. */
  table(name: string): Sql;
  /** The table, read through this index (PostgreSQL has no such hint: there the query's order leads to the index). */
  tableBy(name: string, index: string | undefined): Sql;
  /** The same through the index of its primary key. */
  tableByPrimaryKey(name: string): Sql;
  /**
   * Where rows lie, by which the bodies of a page's own rows are read at the end. Undefined where bodies come along: PostgreSQL hands on
   * 2 kB of a row at most, and of longer texts where they lie.
   */
  readonly rowLocator: RowLocator | undefined;
  /** What makes a select give rows with the same keys once; keys that the select is ordered by. */
  distinct(keys: Sql): Sql;
  /**
   * The first rows of a select of a range of an index, in the index's order. PostgreSQL expects few in any range, and would read and sort
   * them all where the limit is not below that; of a limit that it does not know it expects to end the scan early. Then it expects
   * more of a large table, hence the limit that it knows around it: a statement that it takes for long is compiled for longer than it runs.
   */
  firstOfRange(select: Sql, limit: Sql): Sql;
  /**
   * The end of an inner select that is to be read in this order, by the index that it leads to, whatever the select around it orders by:
   * PostgreSQL would rather go through the whole index of that order. Empty where `tableBy` names the index.
   */
  asPlanned(order: Sql): Sql;
  /** The first `count` bytes of a column. */
  prefixOf(column: Sql, count: number): Sql;
  /**
   * A statement that gives one row, and texts: with the row, `found` says how many they are, `bodies` has them as UTF-8, joined with
   * commas, and `left_out` says how many are not among them. SQLite joins them. From PostgreSQL each comes as a row of its own (the statement `joinsTexts`), since the server and the
   * driver would copy one long text several times.
   */
  withTexts(parts: RowAndTexts): Once;
  /** A count for `limit` or `offset`, bound so that the statement stays prepared. */
  count(rows: number): Sql;
  /** A value that a key is to equal, bound so that the statement stays prepared. */
  equal(value: unknown): Sql;
  /** Whether the first key of an index is this one: with the index's order, which begins with it, this leads to the index. */
  isKey(column: Sql, key: Buffer): Sql;
  /** Bytes as a part of the text. */
  bytesOf(hex: string): Sql;
  /** What a select finds for each number of a series, with an order and a limit for each. @param select gets the number */
  eachOf(series: Series, select: (number: Sql) => Sql): Query;
  /** Whether `needle` stands somewhere in the bytes. */
  contains(bytes: Sql, needle: Uint8Array): Sql;
  /**
   * Conditions that always hold, and end a statement that tests rows for too long: it is looked at for each row, or for one of some
   * where rows are tested in no time. Undefined where the server does that.
   */
  readonly inTime: { readonly forEach: Sql; readonly forSome: Sql } | undefined;
  /** What rows to write come from: a `values` list of this many rows, or a select over one array per column, of any length. */
  rowsOf(columns: readonly ColumnType[], rows: number): Sql;
  /** Text of a condition on a column: that it is one of the texts of a parameter made by `listOf`. */
  isAmong(column: string, parameter: string): string;
  /** Any number of texts as one parameter. */
  listOf(texts: readonly string[]): unknown;
  /** Ends a select of rows that the transaction is going to change. */
  readonly forUpdate: Sql;
}
