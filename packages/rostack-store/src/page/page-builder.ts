import { sql } from 'kysely';
import type { Filter, Position } from 'rostack-core';
import type { Sql } from '../database/dialect.ts';
import type { StoredField } from '../resource/field.ts';
import { detailColumn, type Half, orderColumn } from '../schema/tables.ts';
import type { PagePlan } from './page-plan.ts';
import { isBeyond, type PageScope, pageOrder } from './page-scope.ts';
import type { SortPlace } from './scanned-row.ts';

/** Which page: `limit` rows after a place, of the newest state or as of a position. */
export interface PageRequest {
  readonly at: Position | undefined;
  readonly after: SortPlace | undefined;
  readonly limit: number;
}

/** Rows that are found in one way. */
export interface Found {
  readonly rows: Sql;
  /** Whether they are all that the page needs of this way. */
  readonly isWhole: Sql;
}

/** Entries of an index. */
export interface Entries {
  readonly table: Sql;
  readonly conditions: readonly Sql[];
  /** The index's own; undefined where they may come as they are. */
  readonly order?: Sql | undefined;
  /** They are not looked at unless this holds. */
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
  /** Columns of rows that are found. */
  readonly columns: Sql;
  /** Columns of entries that are tested. */
  readonly raw: Readonly<Record<Half, Sql>>;
  readonly order: Sql;
  readonly #definitions: Sql[] = [];

  constructor(scope: PageScope, plan: PagePlan, { at, after, limit }: PageRequest) {
    this.scope = scope;
    this.plan = plan;
    this.at = at;
    this.after = after;
    // One row more than the page has tells whether there is a next page.
    this.want = limit + 1;
    this.order = pageOrder(scope);
    const sortColumns = scope.sortFields.map((field) => sql.ref(orderColumn(field)));
    this.columns = sql.join([sql`id`, sql`body`, ...sortColumns]);
    const tested = new Set([...scope.sortFields, ...fieldsOf(scope)]);
    const keys = [...tested].flatMap((field) => [sql.ref(orderColumn(field)), sql.ref(detailColumn(field))]);
    this.raw = {
      record: sql.join([sql`id`, sql`body`, sql`position`, ...keys]),
      past: sql.join([sql`id`, sql`body`, sql`from_position`, sql`to_position`, ...keys]),
    };
  }

  definitions(): Sql {
    return this.#definitions.length === 0 ? sql`` : sql`with recursive ${sql.join(this.#definitions)}`;
  }

  /** A part of the statement, by which others call it. */
  define(name: string, select: Sql, columns = sql``): Sql {
    this.#definitions.push(sql`${sql.id(name)} ${columns} as materialized (${select})`);
    return sql.id(name);
  }

  /** The first rows of several selects, in the order of the page. */
  first(selects: readonly Sql[], union = sql` union all `): Sql {
    return sql`select * from (${sql.join(selects, union)}) as every_row order by ${this.order} limit ${sql.lit(this.want)}`;
  }

  /** The first entries. A condition on all of them is tested before the first one is read: SQLite would test it for each of them. */
  take(columns: Sql, { table, conditions, order, onlyIf }: Entries, count: number): Sql {
    const isSqlite = this.scope.dialect.name === 'sqlite';
    const limit =
      isSqlite && onlyIf !== undefined
        ? sql`case when ${onlyIf} then ${sql.lit(count)} else 0 end`
        : sql.lit(count);
    const all = isSqlite || onlyIf === undefined ? conditions : [onlyIf, ...conditions];
    const inOrder = order === undefined ? sql`` : sql`order by ${order}`;
    return sql`select ${columns} from ${table} ${whereAll(all)} ${inOrder} limit ${limit}`;
  }

  isFull(parts: readonly Sql[]): Sql {
    const counts = parts.map((part) => sql`(select count(*) from ${part})`);
    return sql`${sql.join(counts, sql` + `)} >= ${sql.lit(this.want)}`;
  }

  /** What a row of the walk is tested for. */
  tests(): Sql[] {
    const tests = this.at === undefined ? [] : [sql`position <= ${this.at}`];
    const { condition } = this.scope;
    return this.plan.isExact || condition === undefined ? tests : [...tests, condition];
  }

  isBeyondPlace(): Sql[] {
    return this.after === undefined ? [] : [isBeyond(this.scope, this.after)];
  }

  /** The first rows of entries in order that pass the tests, out of so many as one statement may look at. */
  walkRows(entries: Entries, tests: readonly Sql[]): Sql {
    if (tests.length === 0) return this.take(this.columns, entries, this.want);
    const looked = this.take(this.raw.record, entries, this.scope.limits.looked);
    return sql`select ${this.columns} from (${looked}) as looked ${whereAll(tests)} limit ${sql.lit(this.want)}`;
  }

  /** Whether there are more entries than one statement looks at. */
  goesOn(entries: Entries, count = this.scope.limits.looked): Sql {
    return sql`exists (${this.take(sql`1`, entries, 1)} offset ${sql.lit(count)})`;
  }
}

export function whereAll(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
}

/** The fields that a filter names. */
function fieldsOf({ filter, fieldOf }: PageScope): StoredField[] {
  const pointers = (part: Filter): string[] => {
    if (part.kind === 'comparison') return [part.pointer];
    return part.kind === 'not' ? pointers(part.filter) : part.filters.flatMap(pointers);
  };
  return filter === undefined ? [] : pointers(filter).map(fieldOf);
}
