import type { Filter, Position } from 'rostack-core';
import { type Sql, sql } from '../../drivers/dialect/sql.ts';
import type { StoredField } from '../../schema/resource/field.ts';
import { detailColumn, orderColumn } from '../../schema/tables.ts';
import type { FieldLookup } from '../plan/filter-to-sql.ts';
import type { PagePlan } from '../plan/page-plan.ts';
import { conditionOf, isBeyond, type PageRequest, type PageScope, pageOrder } from '../plan/page-scope.ts';
import type { SortPlace } from '../plan/scanned-row.ts';

/** What rows of a page in the making have: their bodies, the places where these lie, or one of the two each. */
export type Source = 'bodies' | 'places' | 'either';

/** Rows that are found in one way, in the order of the page. */
export interface Found {
  readonly rows: Sql;
  readonly have: Source;
  /** Whether they are all that the page needs of this way. */
  readonly isWhole: Sql;
}

/** Current rows as of a position, which several parts of a statement examine. */
export interface Current {
  /** Some of their columns, where a condition is given only if it holds. */
  rows(columns: Sql, onlyIf?: Sql): Sql;
  /** Whether a part of the statement holds them; else they are read each time. */
  readonly isKept: boolean;
  readonly have: 'bodies' | 'places';
  readonly isWhole: Sql;
  /** The keys of the last row of a full page; no row where the page is not full. */
  readonly lastRow: Sql;
}

/** Entries of an index. */
export interface Entries {
  readonly table: Sql;
  readonly conditions: readonly Sql[];
  /** The index's own; undefined where they may come as they are. */
  readonly order?: Sql | undefined;
  /** Whether the conditions are a range of the index with an end on both sides. */
  readonly isClosed?: boolean;
  /** They are not examined unless this holds. */
  readonly onlyIf?: Sql | undefined;
}

/** What the parts of one statement have in common; the parts are common table expressions, computed once at most. */
export class PageBuilder {
  readonly scope: PageScope;
  readonly plan: PagePlan;
  readonly at: Position | undefined;
  readonly after: SortPlace | undefined;
  /** Rows that the statement looks for: one more than the page has, which tells whether there is a next page. */
  readonly want: number;
  /** Entries whose rows are tested at most. */
  readonly examined: number;
  /** What rows are put in order by. */
  readonly keys: Sql;
  /** What current rows have that are found. */
  readonly have: 'bodies' | 'places';
  /** The column of it. */
  readonly source: Sql;
  /** Columns of current rows that are found. */
  readonly columns: Sql;
  readonly order: Sql;
  readonly #definitions: Sql[] = [];

  constructor(scope: PageScope, plan: PagePlan, { at, after, limit }: PageRequest) {
    this.scope = scope;
    this.plan = plan;
    this.at = at;
    this.after = after;
    // One row more than the page has tells whether there is a next page.
    this.want = limit + 1;
    // A large page has room too for entries that do not pass.
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

  /** What current rows have, as it is read of their table. */
  get #read(): Sql {
    const { rowLocator } = this.scope.dialect;
    return rowLocator === undefined ? this.source : sql`${rowLocator.column} as ${this.source}`;
  }

  /** A part of the statement, by which others call it. */
  define(name: string, select: Sql, columns = sql``): Sql {
    this.#definitions.push(sql`${sql.id(name)} ${columns} as materialized (${select})`);
    return sql.id(name);
  }

  /** The first rows of several selects without an order of their own, in the order of the page. */
  first(selects: readonly Sql[], once = sql``): Sql {
    return sql`select ${once} * from (${sql.join(selects, ' union all ')}) as every_row order by ${this.order} limit ${sql.lit(this.want)}`;
  }

  /** The same of selects that may have rows in common. */
  firstOnce(selects: readonly Sql[]): Sql {
    const { dialect, sortFields } = this.scope;
    return this.first(selects, dialect.distinct(sql.join([...sortFields.map(keyColumn), sql`id`])));
  }

  /** The first entries. A condition on all of them is tested before the first one is read, if need be by the limit. */
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

  /** The first entries with what sorting and tests need. @param rest what is left of the filter, to be tested */
  entries(entries: Entries, rest: Filter | undefined, count: number): Sql {
    return this.tests(rest).length === 0
      ? this.take(sql`${this.#read}, ${this.keys}`, entries, count)
      : this.examine(entries, rest, count);
  }

  /** The same, where it is in their rows; ends a statement for which these take too long. */
  examine(entries: Entries, rest: Filter | undefined, count: number): Sql {
    const { inTime, rowLocator } = this.scope.dialect;
    const conditions = inTime === undefined ? entries.conditions : [...entries.conditions, inTime.forSome];
    const tested = [sql`id`, sql`position`, ...this.testedKeys(rest)];
    // The bound on time names the place by its own name.
    const columns = sql.join([
      this.#read,
      ...(rowLocator === undefined ? [] : [rowLocator.column]),
      ...tested,
    ]);
    return this.take(columns, { ...entries, conditions }, count);
  }

  /** The columns that a filter tests and rows are put in order by. */
  testedKeys(filter: Filter | undefined): Sql[] {
    const { fieldOf, sortFields } = this.scope;
    const tested = filter === undefined ? [] : fieldsOf(filter, fieldOf);
    return [...new Set([...sortFields, ...tested])].flatMap((field) => [
      sql.id(orderColumn(field)),
      ...(tested.includes(field) ? [sql.id(detailColumn(field))] : []),
    ]);
  }

  /** The part with the last row of a full page. @param rows in the order of the page */
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

  /** What a current row is tested for. @param rest what is left of the filter */
  tests(rest: Filter | undefined): Sql[] {
    const tests = this.at === undefined ? [] : [sql`position <= ${this.at}`];
    const { dialect, fieldOf } = this.scope;
    return rest === undefined ? tests : [...tests, conditionOf(dialect, rest, fieldOf)];
  }

  isBeyondPlace(): Sql[] {
    return this.after === undefined ? [] : [isBeyond(this.scope, this.after)];
  }

  /** The first rows of entries in order that pass the tests, out of so many as one statement may examine. */
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

  /** A column of the first entry that one statement does not examine; no row where there is none. */
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
