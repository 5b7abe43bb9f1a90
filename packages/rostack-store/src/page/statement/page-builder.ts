import type { Filter, Position } from 'rostack-core';
import { type Sql, sql } from '../../drivers/dialect/sql.ts';
import type { StoredField } from '../../schema/resource/field.ts';
import { detailColumn, orderColumn } from '../../schema/tables.ts';
import type { FieldLookup } from '../plan/filter-to-sql.ts';
import type { PagePlan } from '../plan/page-plan.ts';
import { conditionOf, isBeyond, type PageRequest, type PageScope, pageOrder } from '../plan/page-scope.ts';
import type { SortPlace } from '../plan/scanned-row.ts';

/** What the rows of an unfinished page carry: their bodies, their places in the table, or either of the two. */
export type Source = 'bodies' | 'places' | 'either';

/** Rows found by one scan or access, in the order of the page. */
export interface Found {
  readonly rows: Sql;
  readonly have: Source;
  /** Whether they are complete as far as the page needs them. */
  readonly isWhole: Sql;
}

/** Current rows as of a position, which several parts of a statement use. */
export interface Current {
  /** Selects some of their columns; with `onlyIf`, only if that condition holds. */
  rows(columns: Sql, onlyIf?: Sql): Sql;
  /** Whether a part of the statement keeps them; otherwise they are read each time. */
  readonly isKept: boolean;
  readonly have: 'bodies' | 'places';
  readonly isWhole: Sql;
  /** The keys of the last row of a full page; no row if the page is not full. */
  readonly lastRow: Sql;
}

/** Entries of an index. */
export interface Entries {
  readonly table: Sql;
  readonly conditions: readonly Sql[];
  /** The order of the index; undefined if the entries may come in any order. */
  readonly order?: Sql | undefined;
  /** Whether the conditions are an index range that is bounded on both sides. */
  readonly isClosed?: boolean;
  /** A condition without which no entry is examined. */
  readonly onlyIf?: Sql | undefined;
}

/** Builds one statement out of parts: common table expressions, each computed once at most. */
export class PageBuilder {
  readonly scope: PageScope;
  readonly plan: PagePlan;
  readonly at: Position | undefined;
  readonly after: SortPlace | undefined;
  /** Rows to find: one more than the page has, which shows whether there is a next page. */
  readonly want: number;
  /** Most entries whose rows are tested. */
  readonly examined: number;
  /** The columns by which rows are sorted. */
  readonly keys: Sql;
  /** What the current rows found carry. */
  readonly have: 'bodies' | 'places';
  /** The column with a row's body or place. */
  readonly source: Sql;
  /** Columns of the current rows found. */
  readonly columns: Sql;
  readonly order: Sql;
  readonly #definitions: Sql[] = [];

  constructor(scope: PageScope, plan: PagePlan, { at, after, limit }: PageRequest) {
    this.scope = scope;
    this.plan = plan;
    this.at = at;
    this.after = after;
    // One row more than the page has shows whether there is a next page.
    this.want = limit + 1;
    // A large page leaves room for entries that do not match.
    this.examined = Math.max(scope.limits.examined, 2 * this.want);
    this.order = pageOrder(scope);
    this.keys = sql.join([sql`id`, ...scope.sortFields.map(keyColumn)]);
    this.have = scope.dialect.rowLocator === undefined ? 'bodies' : 'places';
    this.source = this.have === 'bodies' ? sql`body` : sql`place`;
    this.columns = sql`${this.source}, ${this.keys}`;
  }

  definitions(): Sql {
    return this.#definitions.length === 0 ? sql`` : sql`with recursive ${sql.join(this.#definitions)}`;
  }

  /** The source column as read from the table of current rows. */
  get #read(): Sql {
    const { rowLocator } = this.scope.dialect;
    return rowLocator === undefined ? this.source : sql`${rowLocator.column} as ${this.source}`;
  }

  /** Adds a part to the statement; returns the name by which other parts refer to it. */
  define(name: string, select: Sql, columns = sql``): Sql {
    this.#definitions.push(sql`${sql.id(name)} ${columns} as materialized (${select})`);
    return sql.id(name);
  }

  /** The first rows, in the order of the page, of several unordered selects. */
  first(selects: readonly Sql[], once = sql``): Sql {
    return sql`select ${once} * from (${sql.join(selects, ' union all ')}) as every_row order by ${this.order} limit ${sql.lit(this.want)}`;
  }

  /** As `first`, for selects that may have rows in common. */
  firstOnce(selects: readonly Sql[]): Sql {
    const { dialect, sortFields } = this.scope;
    return this.first(selects, dialect.distinct(sql.join([...sortFields.map(keyColumn), sql`id`])));
  }

  /** Takes the first entries. A condition on all of them is tested before the first one is read, through the limit if necessary. */
  take(columns: Sql, entries: Entries, count: number): Sql {
    const { table, conditions, order, onlyIf, isClosed = false } = entries;
    const { dialect } = this.scope;
    const { testsConstantsFirst } = dialect.planner;
    const most = sql.lit(count);
    const isInLimit = onlyIf !== undefined && !testsConstantsFirst;
    const limit = isInLimit ? sql`case when ${onlyIf} then ${most} else 0 end` : most;
    const all = onlyIf === undefined || isInLimit ? conditions : [onlyIf, ...conditions];
    const inOrder = order === undefined ? sql`` : sql`order by ${order}`;
    const select = sql`select ${columns} from ${table} ${whereAll(all)} ${inOrder}`;
    return isClosed ? dialect.firstOfRange(select, limit) : sql`${select} limit ${limit}`;
  }

  /** Takes the first entries with what sorting and tests need. @param rest the part of the filter that still has to be tested */
  entries(entries: Entries, rest: Filter | undefined, count: number): Sql {
    return this.tests(rest).length === 0
      ? this.take(sql`${this.#read}, ${this.keys}`, entries, count)
      : this.examine(entries, rest, count);
  }

  /** As `entries`, but reads the columns from their rows; interrupts a statement for which this takes too long. */
  examine(entries: Entries, rest: Filter | undefined, count: number): Sql {
    const { inTime, rowLocator } = this.scope.dialect;
    const conditions = inTime === undefined ? entries.conditions : [...entries.conditions, inTime.forSome];
    const tested = [sql`id`, sql`position`, ...this.testedKeys(rest)];
    // The bound on time refers to the row's place by its own column name.
    const columns = sql.join([
      this.#read,
      ...(rowLocator === undefined ? [] : [rowLocator.column]),
      ...tested,
    ]);
    return this.take(columns, { ...entries, conditions }, count);
  }

  /** The columns that a filter tests and rows are sorted by. */
  testedKeys(filter: Filter | undefined): Sql[] {
    const { fieldOf, sortFields } = this.scope;
    const tested = filter === undefined ? [] : fieldsOf(filter, fieldOf);
    return [...new Set([...sortFields, ...tested])].flatMap((field) => [
      sql.id(orderColumn(field)),
      ...(tested.includes(field) ? [sql.id(detailColumn(field))] : []),
    ]);
  }

  /** Defines the part with the last row of a full page. @param rows in the order of the page */
  defineLastRow(rows: Sql): Sql {
    return this.define(
      'last_row',
      sql`select ${this.keys} from (${rows}) as row limit 1 offset ${sql.lit(this.want - 1)}`,
    );
  }

  isFull(parts: readonly Sql[]): Sql {
    const counts = parts.map((part) => sql`(select count(*) from ${part})`);
    return sql`${sql.join(counts, ' + ')} >= ${sql.lit(this.want)}`;
  }

  /** The conditions that a current row is tested for. @param rest the part of the filter that still has to be tested */
  tests(rest: Filter | undefined): Sql[] {
    const tests = this.at === undefined ? [] : [sql`position <= ${this.at}`];
    const { dialect, fieldOf } = this.scope;
    return rest === undefined ? tests : [...tests, conditionOf(dialect, rest, fieldOf)];
  }

  isBeyondPlace(): Sql[] {
    return this.after === undefined ? [] : [isBeyond(this.scope, this.after)];
  }

  /** The first rows of ordered entries that pass the tests, out of as many as one statement may examine. */
  scanRows(entries: Entries, rest: Filter | undefined, count = this.want): Sql {
    const tests = this.tests(rest);
    if (tests.length === 0) return this.entries(entries, rest, count);
    const examined = this.examine(entries, rest, this.examined);
    return sql`select ${this.columns} from (${examined}) as examined ${whereAll(tests)} limit ${sql.lit(count)}`;
  }

  /** Whether there are more entries than one statement examines. */
  goesOn(entries: Entries, count = this.examined): Sql {
    return sql`exists (${this.beyondExamined(entries, sql`1`, count)})`;
  }

  /** A column of the first entry that the statement no longer examines; no row if there is none. */
  beyondExamined(entries: Entries, column: Sql, count = this.examined): Sql {
    const taken = this.take(sql`${column} as value`, entries, count + 1);
    return sql`select value from (${taken}) as entry limit 1 offset ${sql.lit(count)}`;
  }
}

function keyColumn(field: StoredField): Sql {
  return sql.id(orderColumn(field));
}

export function whereAll(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, ' and ')}`;
}

/** The fields that a filter names. */
function fieldsOf(filter: Filter, fieldOf: FieldLookup): StoredField[] {
  if (filter.kind === 'comparison') return [fieldOf(filter.pointer)];
  const parts = filter.kind === 'not' ? [filter.filter] : filter.filters;
  return parts.flatMap((part) => fieldsOf(part, fieldOf));
}
