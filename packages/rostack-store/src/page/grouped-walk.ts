import { sql } from 'kysely';
import type { Sql } from '../database/dialect.ts';
import { indexedExpression } from '../schema/tables.ts';
import { inRange } from './filter-to-sql.ts';
import { isBounded, type KeyRange } from './key-range.ts';
import { type Entries, type Found, type PageBuilder, whereAll } from './page-builder.ts';
import { tableOf, type Walk } from './walk.ts';

/**
 * A walk by the first sort key where that is not the whole order of the page: rows with the same key (a group) are put in order.
 * The groups at which the page begins are read each by itself, what comes after them by the key alone: there the last group may not be
 * complete, so it is left out.
 */
export function grouped(builder: PageBuilder, walk: Walk): Found {
  const { sort } = builder.scope;
  const parts: Sql[] = [];
  let isWhole: Sql = sql`1 = 1`;
  let last: Sql | undefined = builder.after && sql`${builder.after.sortKeys[0]}`;
  if (sort.length > 1) {
    if (last !== undefined) {
      const { part, goesOn } = wholeGroup(builder, walk, last);
      parts.push(part);
      isWhole = sql`not ${goesOn}`;
    }
  } else {
    for (const name of ['w0', 'w1']) {
      const isFirst = name === 'w0';
      if (!isFirst || last === undefined) last = nextKey(builder, walk, last, `${name}_key`);
      const entries = entriesOfGroup(builder, walk, last, isFirst ? builder.after?.id : undefined, parts);
      const tests = builder.tests();
      parts.push(builder.define(name, builder.walkRows(entries, tests)));
      if (tests.length > 0)
        isWhole = sql`${isWhole} and (${builder.isFull(parts)} or not ${builder.goesOn(entries)})`;
    }
  }
  const { part, goesOn } = groupsBeyond(builder, walk, last, parts);
  parts.push(part);
  isWhole = sql`${isWhole} and (not ${goesOn} or ${builder.isFull(parts)})`;
  const all = parts.map((each) => sql`select * from ${each}`);
  return { rows: builder.define('grouped', builder.first(all)), isWhole };
}

/** The key of the group that comes next. */
function nextKey(builder: PageBuilder, walk: Walk, after: Sql | undefined, name: string): Sql {
  const entries = beyond(builder, walk, after);
  const part = builder.define(name, builder.take(sql`${entries.key} as key`, entries, 1));
  return sql`(select key from ${part})`;
}

/** The entries of one group by id; they are read only as long as the parts before are not enough. */
function entriesOfGroup(
  builder: PageBuilder,
  walk: Walk,
  key: Sql,
  afterId: string | undefined,
  before: readonly Sql[],
): Entries {
  const { dialect } = builder.scope;
  const column = keyOf(builder, walk);
  const table = tableOf(builder.scope, walk.field, 'record');
  const onlyIf = ifMissing(builder, before);
  if (dialect.name === 'sqlite') {
    const beyond = afterId === undefined ? [] : [sql`id > ${afterId}`];
    return { table, conditions: [sql`${column} = +${key}`, ...beyond], order: sql`id`, onlyIf };
  }
  // An equality would not lead PostgreSQL to the index, see `walkSql`.
  const beyond = afterId === undefined ? [] : [sql`(${column}, id) > (${key}, ${afterId})`];
  const conditions = [sql`${column} >= ${key}`, sql`${column} <= ${key}`, ...beyond];
  return { table, conditions, order: sql`${column}, id`, onlyIf };
}

function ifMissing(builder: PageBuilder, parts: readonly Sql[]): Sql | undefined {
  return parts.length === 0 ? undefined : sql`not ${builder.isFull(parts)}`;
}

/** The group in which the page begins, to be put in order by further keys. */
function wholeGroup(
  builder: PageBuilder,
  walk: Walk,
  key: Sql,
): { readonly part: Sql; readonly goesOn: Sql } {
  const { collected } = builder.scope.limits;
  const entries = entriesOfGroup(builder, walk, key, undefined, []);
  const group = builder.take(builder.raw.record, entries, collected);
  const tests = [...builder.tests(), ...builder.isBeyondPlace()];
  const rows = sql`select ${builder.columns} from (${group}) as looked ${whereAll(tests)} order by ${builder.order} limit ${sql.lit(builder.want)}`;
  return { part: builder.define('w0', rows), goesOn: builder.goesOn(entries, collected) };
}

function groupsBeyond(
  builder: PageBuilder,
  walk: Walk,
  after: Sql | undefined,
  before: readonly Sql[],
): { readonly part: Sql; readonly goesOn: Sql } {
  const { limits } = builder.scope;
  const groups = { ...beyond(builder, walk, after), onlyIf: ifMissing(builder, before) };
  const { key } = groups;
  const tests = builder.tests();
  const rows = builder.at === undefined ? builder.want : 2 * builder.want;
  const most = builder.plan.isExact ? rows + limits.spare : limits.looked + 1;
  const entries = builder.define('entries', builder.take(builder.raw.record, groups, most));
  const last = sql`select ${key} from ${entries} order by ${key} ${walk.descending ? sql`` : sql`desc`} limit 1`;
  const cut = builder.define(
    'cut',
    sql`select case when count(*) >= ${sql.lit(most)} then (${last}) end as key from ${entries}`,
  );
  const cutKey = sql`(select key from ${cut})`;
  const complete = sql`select ${builder.columns} from ${entries} ${whereAll([sql`coalesce(${key} <> ${cutKey}, 1 = 1)`, ...tests])}`;
  return { part: builder.define('rest', complete), goesOn: sql`${cutKey} is not null` };
}

/** The entries of a walk beyond all of a group. */
function beyond(builder: PageBuilder, walk: Walk, after: Sql | undefined): Entries & { readonly key: Sql } {
  const key = keyOf(builder, walk);
  const { descending, range } = walk;
  const table = tableOf(builder.scope, walk.field, 'record');
  const order = descending ? sql`${key} desc, id desc` : sql`${key}, id`;
  if (after === undefined) return { key, table, conditions: rangeConditions(key, range), order };
  const kept: KeyRange = descending ? { low: range.low } : { high: range.high };
  const beyond = sql`${key} ${descending ? sql`<` : sql`>`} ${after}`;
  return { key, table, conditions: [...rangeConditions(key, kept), beyond], order };
}

function keyOf(builder: PageBuilder, { field }: Walk): Sql {
  if (field === undefined) throw new Error('a walk by id has no key');
  return indexedExpression(builder.scope.dialect, field);
}

function rangeConditions(key: Sql, range: KeyRange): Sql[] {
  return isBounded(range) ? [inRange(key, range)] : [];
}
