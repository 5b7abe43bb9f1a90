import type { Buffer } from 'node:buffer';
import { sql } from 'kysely';
import type { Filter, Position } from 'rostack-core';
import { type Once, once, type Sql } from '../database/dialect.ts';
import { type HeadRow, headColumns, headTable } from '../log/read-head.ts';
import type { StoredField } from '../resource/field.ts';
import { detailColumn, ERA, eraOf, type Half, indexedExpression, orderColumn } from '../schema/tables.ts';
import { type Access, rangesByField } from './access.ts';
import { inRange, inRanges } from './filter-to-sql.ts';
import { type KeyRange, pointOf } from './key-range.ts';
import type { PagePlan } from './page-plan.ts';
import { isBeyond, type PageScope, pageOrder } from './page-scope.ts';
import type { SortPlace } from './scanned-row.ts';
import { tableOf, type Walk, walkSql } from './walk.ts';

/** Which page: `limit` rows after a place, of the newest state or as of a position. */
export interface PageRequest {
  readonly at: Position | undefined;
  readonly after: SortPlace | undefined;
  readonly limit: number;
}

/** What a page's statement returns. */
export interface PageRow extends HeadRow {
  /** Whether the page is complete: no bound of the statement was met before it was. If not, the rest of the row tells nothing. */
  readonly is_whole: 0 | 1;
  /** Rows of the page, and one more when there are more. */
  readonly found: number;
  /** The bodies of these rows in order, joined by commas, in UTF-8 where they are bytes; null without rows. */
  readonly bodies: Buffer | string | null;
  /** The length of each body in bytes, joined by commas. */
  readonly sizes: string | null;
}

/** No id is as long: an upper bound of them all. */
const ABOVE_ALL_IDS = '\u{10ffff}'.repeat(129);

/**
 * The one statement that reads a page: the head and the page's rows, of one snapshot. Its parts are computed only as far as they are needed:
 * - along walks in the page's order (`w0`...), each bounded in the entries that it looks at; or all of another access, if it has few entries,
 *   put in order (`c`);
 * - as of a position that is not the newest one, the past versions that were current then (`p`).
 * @param access instead of the plan's walks
 */
export function pageStatement(
  scope: PageScope,
  plan: PagePlan,
  request: PageRequest,
  access: Access | undefined,
): Once {
  const { dialect, target } = scope;
  const { from, where } = headTable(dialect, target.tables);
  const head = headColumns(dialect, target.tables, request.at);
  if (plan.isEmpty) {
    return once(
      dialect,
      sql`select ${head}, 1 as is_whole, 0 as found, null as bodies, null as sizes from ${from} where ${where}`,
    );
  }
  const parts = new PageParts(scope, plan, request);
  const { rows, isWhole } = access === undefined ? parts.walked() : parts.collected(access);
  const bodies = dialect.asBytes(dialect.joinTexts(sql`body`));
  const sizes = dialect.joinTexts(sql`cast(octet_length(body) as text)`);
  return once(
    dialect,
    sql`${parts.definitions()} select ${head}, case when ${isWhole} then 1 else 0 end as is_whole, page.*
      from ${from} cross join (select count(*) as found, ${bodies} as bodies, ${sizes} as sizes from (${rows}) as page_rows) as page
      where ${where}`,
  );
}

/** Rows that are found in one way. */
interface Found {
  readonly rows: Sql;
  /** Whether they are all that the page needs of this way. */
  readonly isWhole: Sql;
}

/** Builds the parts of one statement, as common table expressions that are computed once at most. */
class PageParts {
  readonly #scope: PageScope;
  readonly #plan: PagePlan;
  readonly #at: Position | undefined;
  readonly #after: SortPlace | undefined;
  readonly #want: number;
  readonly #definitions: Sql[] = [];
  readonly #columns: Sql;
  readonly #raw: Readonly<Record<Half, Sql>>;
  readonly #order: Sql;

  constructor(scope: PageScope, plan: PagePlan, { at, after, limit }: PageRequest) {
    this.#scope = scope;
    this.#plan = plan;
    this.#at = at;
    this.#after = after;
    // One row more than the page has tells whether there is a next page.
    this.#want = limit + 1;
    this.#order = pageOrder(scope);
    const sortColumns = scope.sortFields.map((field) => sql.ref(orderColumn(field)));
    this.#columns = sql.join([sql`id`, sql`body`, ...sortColumns]);
    const tested = new Set([...scope.sortFields, ...fieldsOf(scope)]);
    const keys = [...tested].flatMap((field) => [sql.ref(orderColumn(field)), sql.ref(detailColumn(field))]);
    this.#raw = {
      record: sql.join([sql`id`, sql`body`, sql`position`, ...keys]),
      past: sql.join([sql`id`, sql`body`, sql`from_position`, sql`to_position`, ...keys]),
    };
  }

  definitions(): Sql {
    return this.#definitions.length === 0 ? sql`` : sql`with recursive ${sql.join(this.#definitions)}`;
  }

  /** Along the plan's walks. */
  walked(): Found {
    const { walks, isExact, isOrdered } = this.#plan;
    const [walk] = walks;
    if (walk === undefined) throw new Error('a plan without a walk');
    if (isOrdered && walks.length === 1 && this.#at === undefined) {
      const entries = this.#ordered(walk);
      const tests = this.#tests();
      const isFull = sql`page.found >= ${sql.lit(this.#want)}`;
      return {
        rows: this.#walkRows(entries, tests),
        isWhole: isExact ? sql`1 = 1` : sql`(${isFull} or not ${this.#goesOn(entries)})`,
      };
    }
    const current = isOrdered ? this.#merged(walks) : this.#grouped(walk);
    if (this.#at === undefined) return { ...current, rows: sql`select * from ${current.rows}` };
    return this.#withPast(current, this.#pastOfWalks(walks, current.rows));
  }

  /** All of an access, if it has few entries. */
  collected(access: Access): Found {
    const entries = this.#define('n', sql`select ${this.#countOf(access)} as entries`);
    const isFew = sql`(select entries from ${entries}) <= ${sql.lit(this.#scope.limits.collected)}`;
    const current = { rows: this.#collected(access, isFew), isWhole: isFew };
    if (this.#at === undefined) return { ...current, rows: sql`select * from ${current.rows}` };
    return this.#withPast(current, this.#past(access, [isFew]));
  }

  #withPast({ rows, isWhole }: Found, past: Sql): Found {
    const isAll = sql`(select count(*) from ${past}) < ${sql.lit(this.#scope.limits.past)}`;
    return {
      rows: this.#first([rows, past].map((part) => sql`select ${this.#columns} from ${part}`)),
      isWhole: sql`${isWhole} and ${isAll}`,
    };
  }

  #define(name: string, select: Sql): Sql {
    this.#definitions.push(sql`${sql.id(name)} as materialized (${select})`);
    return sql.id(name);
  }

  /** The first rows of several selects, in the order of the page. */
  #first(selects: readonly Sql[], union = sql` union all `): Sql {
    return sql`select * from (${sql.join(selects, union)}) as every_row order by ${this.#order} limit ${sql.lit(this.#want)}`;
  }

  /** The first entries. A condition on all of them is tested before the first one is read: SQLite would test it for each of them. */
  #take(columns: Sql, { table, conditions, order, onlyIf }: Entries, count: number): Sql {
    const isSqlite = this.#scope.dialect.name === 'sqlite';
    const limit =
      isSqlite && onlyIf !== undefined
        ? sql`case when ${onlyIf} then ${sql.lit(count)} else 0 end`
        : sql.lit(count);
    const all = isSqlite || onlyIf === undefined ? conditions : [onlyIf, ...conditions];
    const inOrder = order === undefined ? sql`` : sql`order by ${order}`;
    return sql`select ${columns} from ${table} ${whereAll(all)} ${inOrder} limit ${limit}`;
  }

  #isFull(parts: readonly Sql[]): Sql {
    const counts = parts.map((part) => sql`(select count(*) from ${part})`);
    return sql`${sql.join(counts, sql` + `)} >= ${sql.lit(this.#want)}`;
  }

  /** What a row of the walk is tested for. */
  #tests(): Sql[] {
    const tests = this.#at === undefined ? [] : [sql`position <= ${this.#at}`];
    const { condition } = this.#scope;
    return this.#plan.isExact || condition === undefined ? tests : [...tests, condition];
  }

  #ordered(walk: Walk): Entries {
    const { dialect } = this.#scope;
    const after = this.#after && {
      key: walk.field && (pointOf(walk.range) ?? this.#after.sortKeys[0]),
      id: this.#after.id,
    };
    const { conditions, order } = walkSql(dialect, walk, after, undefined);
    return { table: tableOf(this.#scope, walk.field, 'record'), conditions, order };
  }

  /** The first rows of entries in order that pass the tests, out of so many as one statement may look at. */
  #walkRows(entries: Entries, tests: readonly Sql[]): Sql {
    if (tests.length === 0) return this.#take(this.#columns, entries, this.#want);
    const looked = this.#take(this.#raw.record, entries, this.#scope.limits.looked);
    return sql`select ${this.#columns} from (${looked}) as looked ${whereAll(tests)} limit ${sql.lit(this.#want)}`;
  }

  /** Whether there are more entries than one statement looks at. */
  #goesOn(entries: Entries, count = this.#scope.limits.looked): Sql {
    return sql`exists (${this.#take(sql`1`, entries, 1)} offset ${sql.lit(count)})`;
  }

  /** Walks whose order is the page's. */
  #merged(walks: readonly Walk[]): Found {
    const tests = this.#tests();
    const parts: Sql[] = [];
    let isWhole: Sql = sql`1 = 1`;
    for (const [index, walk] of walks.entries()) {
      const entries = this.#ordered(walk);
      const part = this.#define(`w${index}`, this.#walkRows(entries, tests));
      parts.push(part);
      if (tests.length > 0) {
        isWhole = sql`${isWhole} and (${this.#isFull([part])} or not ${this.#goesOn(entries)})`;
      }
    }
    if (parts.length === 1 && parts[0] !== undefined) return { rows: parts[0], isWhole };
    const all = parts.map((part) => sql`select * from ${part}`);
    // A record may be on the walks of several fields.
    return { rows: this.#define('merged', this.#first(all, sql` union `)), isWhole };
  }

  /**
   * A walk by the first sort key where that is not the whole order of the page: rows with the same key (a group) are put in order.
   * The groups at which the page begins are read each by itself, what comes after them by the key alone: there the last group may not be
   * complete, so it is left out.
   */
  #grouped(walk: Walk): Found {
    const { sort } = this.#scope;
    const parts: Sql[] = [];
    let isWhole: Sql = sql`1 = 1`;
    let last: Sql | undefined = this.#after && sql`${this.#after.sortKeys[0]}`;
    if (sort.length > 1) {
      if (last !== undefined) {
        const { part, goesOn } = this.#wholeGroup(walk, last);
        parts.push(part);
        isWhole = sql`not ${goesOn}`;
      }
    } else {
      for (const name of ['w0', 'w1']) {
        const isFirst = name === 'w0';
        if (!isFirst || last === undefined) last = this.#nextKey(walk, last, `${name}_key`);
        const entries = this.#entriesOfGroup(walk, last, isFirst ? this.#after?.id : undefined, parts);
        const tests = this.#tests();
        parts.push(this.#define(name, this.#walkRows(entries, tests)));
        if (tests.length > 0)
          isWhole = sql`${isWhole} and (${this.#isFull(parts)} or not ${this.#goesOn(entries)})`;
      }
    }
    const { part, goesOn } = this.#groupsBeyond(walk, last, parts);
    parts.push(part);
    isWhole = sql`${isWhole} and (not ${goesOn} or ${this.#isFull(parts)})`;
    const all = parts.map((each) => sql`select * from ${each}`);
    return { rows: this.#define('grouped', this.#first(all)), isWhole };
  }

  /** The key of the group that comes next. */
  #nextKey(walk: Walk, after: Sql | undefined, name: string): Sql {
    const entries = this.#beyond(walk, after);
    const part = this.#define(name, this.#take(sql`${entries.key} as key`, entries, 1));
    return sql`(select key from ${part})`;
  }

  /** The entries of one group by id; they are read only as long as the parts before are not enough. */
  #entriesOfGroup(walk: Walk, key: Sql, afterId: string | undefined, before: readonly Sql[]): Entries {
    const { dialect } = this.#scope;
    const column = this.#keyOf(walk);
    const table = tableOf(this.#scope, walk.field, 'record');
    const onlyIf = this.#ifMissing(before);
    if (dialect.name === 'sqlite') {
      const beyond = afterId === undefined ? [] : [sql`id > ${afterId}`];
      return { table, conditions: [sql`${column} = +${key}`, ...beyond], order: sql`id`, onlyIf };
    }
    // An equality would not lead PostgreSQL to the index, see `walkSql`.
    const beyond = afterId === undefined ? [] : [sql`(${column}, id) > (${key}, ${afterId})`];
    const conditions = [sql`${column} >= ${key}`, sql`${column} <= ${key}`, ...beyond];
    return { table, conditions, order: sql`${column}, id`, onlyIf };
  }

  #ifMissing(parts: readonly Sql[]): Sql | undefined {
    return parts.length === 0 ? undefined : sql`not ${this.#isFull(parts)}`;
  }

  /** The group in which the page begins, to be put in order by further keys. */
  #wholeGroup(walk: Walk, key: Sql): { readonly part: Sql; readonly goesOn: Sql } {
    const { collected } = this.#scope.limits;
    const entries = this.#entriesOfGroup(walk, key, undefined, []);
    const group = this.#take(this.#raw.record, entries, collected);
    const tests = [...this.#tests(), ...this.#isBeyondPlace()];
    const rows = sql`select ${this.#columns} from (${group}) as looked ${whereAll(tests)} order by ${this.#order} limit ${sql.lit(this.#want)}`;
    return { part: this.#define('w0', rows), goesOn: this.#goesOn(entries, collected) };
  }

  #groupsBeyond(
    walk: Walk,
    after: Sql | undefined,
    before: readonly Sql[],
  ): { readonly part: Sql; readonly goesOn: Sql } {
    const { limits } = this.#scope;
    const groups = { ...this.#beyond(walk, after), onlyIf: this.#ifMissing(before) };
    const { key } = groups;
    const tests = this.#tests();
    const rows = this.#at === undefined ? this.#want : 2 * this.#want;
    const most = this.#plan.isExact ? rows + limits.spare : limits.looked + 1;
    const entries = this.#define('entries', this.#take(this.#raw.record, groups, most));
    const last = sql`select ${key} from ${entries} order by ${key} ${walk.descending ? sql`` : sql`desc`} limit 1`;
    const cut = this.#define(
      'cut',
      sql`select case when count(*) >= ${sql.lit(most)} then (${last}) end as key from ${entries}`,
    );
    const cutKey = sql`(select key from ${cut})`;
    const complete = sql`select ${this.#columns} from ${entries} ${whereAll([sql`coalesce(${key} <> ${cutKey}, 1 = 1)`, ...tests])}`;
    return { part: this.#define('rest', complete), goesOn: sql`${cutKey} is not null` };
  }

  /** The entries of a walk beyond all of a group. */
  #beyond(walk: Walk, after: Sql | undefined): Entries & { readonly key: Sql } {
    const key = this.#keyOf(walk);
    const { descending, range } = walk;
    const table = tableOf(this.#scope, walk.field, 'record');
    const order = descending ? sql`${key} desc, id desc` : sql`${key}, id`;
    if (after === undefined) return { key, table, conditions: rangeConditions(key, range), order };
    const kept: KeyRange = descending ? { low: range.low } : { high: range.high };
    const beyond = sql`${key} ${descending ? sql`<` : sql`>`} ${after}`;
    return { key, table, conditions: [...rangeConditions(key, kept), beyond], order };
  }

  #keyOf({ field }: Walk): Sql {
    if (field === undefined) throw new Error('a walk by id has no key');
    return indexedExpression(this.#scope.dialect, field);
  }

  #isBeyondPlace(): Sql[] {
    return this.#after === undefined ? [] : [isBeyond(this.#scope, this.#after)];
  }

  /** How many entries an access has, as far as they are few. */
  #countOf(access: Access): Sql {
    const { limits } = this.#scope;
    const counts = this.#scans(access).map((entries) => {
      const few = this.#take(sql`1`, entries, limits.collected + 1);
      return sql`(select count(*) from (${few}) as entries)`;
    });
    return sql.join(counts, sql` + `);
  }

  /**
   * The entries of an access, by field. PostgreSQL is led to the index by its order, which several ranges together do not have: there
   * each of a few is a scan of its own.
   */
  #scans(access: Access): Entries[] {
    const { dialect, limits } = this.#scope;
    return [...rangesByField(access)].flatMap(([field, ranges]) => {
      const key = indexedExpression(dialect, field);
      const table = tableOf(this.#scope, field, 'record');
      if (dialect.name === 'sqlite' || ranges.length > limits.mergedWalks)
        return [{ table, conditions: [inRanges(key, ranges)] }];
      return ranges.map((range) => ({ table, conditions: [inRange(key, range)], order: sql`${key}, id` }));
    });
  }

  /** The first rows of an access in the order of the page. */
  #collected(access: Access, isFew: Sql): Sql {
    const { condition, limits } = this.#scope;
    const visible = this.#at === undefined ? [] : [sql`position <= ${this.#at}`];
    const tested = condition === undefined || this.#plan.isAccessExact ? [] : [condition];
    const tests = [...visible, ...tested, ...this.#isBeyondPlace()];
    const selects = this.#scans(access).map((entries) => {
      const all = this.#take(this.#raw.record, { ...entries, onlyIf: isFew }, limits.collected);
      return sql`select ${this.#columns} from (${all}) as entries ${whereAll(tests)}`;
    });
    const rows = sql`select * from (${sql.join(selects, sql` union `)}) as every_row order by ${this.#order} limit ${sql.lit(this.#want)}`;
    return this.#define('c', rows);
  }

  /** Past versions on the walks, up to the last row of the page as far as that is known. */
  #pastOfWalks(walks: readonly Walk[], current: Sql): Sql {
    const [walk] = walks;
    const { field, range = {}, descending = false } = walk ?? {};
    const want = sql.lit(this.#want);
    const isFull = sql`when count(*) >= ${want} then`;
    const lastId = sql`id <= (select case ${isFull} max(id) else ${ABOVE_ALL_IDS} end from ${current})`;
    // Bounds on both sides, even where one holds for all: PostgreSQL expects few rows between two, and a third of all below one.
    const firstId = sql`id > ${this.#after?.id ?? ''}`;
    if (field === undefined) {
      const past = tableOf(this.#scope, undefined, 'past');
      const conditions = [firstId, lastId, ...this.#pastTests()];
      const rows = sql`select ${this.#raw.past} from ${past} ${whereAll(conditions)} order by id, to_position limit ${sql.lit(this.#scope.limits.past)}`;
      return this.#define('p', rows);
    }
    if (walks.length > 1 || this.#scope.sort.length === 0) {
      const access = walks.map(({ field: each = field, range: point }) => ({ field: each, range: point }));
      return this.#past(access, [firstId, lastId]);
    }
    const key = indexedExpression(this.#scope.dialect, field);
    const edge = sql`select ${key} from ${current} order by ${key} ${descending ? sql`` : sql`desc`} limit 1`;
    const [lowest, highest] = [this.#bytes(''), this.#bytes('ff')];
    const first =
      this.#after === undefined ? (descending ? highest : lowest) : sql`${this.#after.sortKeys[0]}`;
    const last = sql`(select case ${isFull} (${edge}) else ${descending ? lowest : highest} end from ${current})`;
    const [low, high] = descending ? [last, first] : [first, last];
    return this.#past([{ field, range }], [sql`${key} >= ${low}`, sql`${key} <= ${high}`]);
  }

  /** Past versions in ranges of indexes that were current at the position and match. */
  #past(access: Access, conditions: readonly Sql[]): Sql {
    const { dialect, limits } = this.#scope;
    const eras = this.#eras();
    const most = sql.lit(limits.past);
    const selects = [...rangesByField(access)].map(([field, ranges]) => {
      const key = indexedExpression(dialect, field);
      const within = whereAll([
        sql`${ERA} = eras.era`,
        ...(ranges.some(isBounded) ? [inRanges(key, ranges)] : []),
        ...conditions,
        ...this.#pastTests(),
      ]);
      const table = tableOf(this.#scope, field, 'past');
      return dialect.name === 'sqlite'
        ? sql`select ${this.#raw.past} from ${eras} cross join ${table} ${within}`
        : sql`select in_era.* from ${eras} cross join lateral
            (select ${this.#raw.past} from ${table} ${within} order by ${key}, id limit ${most}) as in_era`;
    });
    return this.#define(
      'p',
      sql`select * from (${sql.join(selects, sql` union `)}) as every_version limit ${most}`,
    );
  }

  #pastTests(): Sql[] {
    const { condition } = this.#scope;
    const visible = sql`from_position <= ${this.#at} and to_position > ${this.#at}`;
    return [visible, ...(condition === undefined ? [] : [condition]), ...this.#isBeyondPlace()];
  }

  /** The eras in which versions ended since the position. */
  #eras(): Sql {
    const at = this.#at ?? 0;
    const { dialect, target } = this.#scope;
    const { from, where } = headTable(dialect, target.tables);
    const { bigint } = dialect.columnTypes;
    const position = sql`(select h.position from ${from} where ${where})`;
    this.#definitions.push(
      sql`eras (era) as (select cast(${eraOf(at + 1)} as ${bigint}) where ${position} > ${at}
        union all select era + 1 from eras where era < (${position} >> 12))`,
    );
    return sql.id('eras');
  }

  #bytes(hex: string): Sql {
    return this.#scope.dialect.name === 'sqlite' ? sql`x'${sql.raw(hex)}'` : sql`'\\x${sql.raw(hex)}'::bytea`;
  }
}

/** Entries of an index. */
interface Entries {
  readonly table: Sql;
  readonly conditions: readonly Sql[];
  /** The index's own; undefined where they may come as they are. */
  readonly order?: Sql | undefined;
  /** They are not looked at unless this holds. */
  readonly onlyIf?: Sql | undefined;
}

function isBounded({ low, high }: KeyRange): boolean {
  return low !== undefined || high !== undefined;
}

function rangeConditions(key: Sql, range: KeyRange): Sql[] {
  return isBounded(range) ? [inRange(key, range)] : [];
}

function whereAll(conditions: readonly Sql[]): Sql {
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
