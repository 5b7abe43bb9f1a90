import type { Buffer } from 'node:buffer';
import { type Sql, sql } from '../../drivers/dialect/sql.ts';
import { indexedExpression } from '../../schema/tables.ts';
import { type IndexOrder, type IndexScan, indexOrder, tableOf } from '../plan/index-scan.ts';
import { isClosed, type KeyRange } from '../plan/key-range.ts';
import { type Entries, type Found, type PageBuilder, whereAll } from './page-builder.ts';

/**
 * A scan by the first sort key of a page with further sort keys: rows with the same first key (a group) are sorted. The group at which the
 * page begins is read separately, the rows after it by the first key alone. There the last group may be cut off by the limit of rows or of
 * examined entries, so it is left out, and read separately if the page needs it.
 */
export function grouped(builder: PageBuilder, scan: IndexScan): Found {
  const { after, scope } = builder;
  const { limits } = scope;
  const parts: Sql[] = [];
  const bounds: Sql[] = [];
  const addGroup = (name: string, entries: Entries): void => {
    const { rows, isWhole } = groupOf(builder, entries, [...parts, sql.id(name)]);
    parts.push(builder.define(name, rows));
    bounds.push(isWhole);
  };
  const placeKey = after && sql`${after.sortKeys[0]}`;
  if (placeKey !== undefined) addGroup('w0', entriesOfGroup(builder, scan, placeKey, after?.id));
  const groups = { ...beyond(builder, scan, placeKey), onlyIf: ifMissing(builder, parts) };
  const { key } = groups;
  const most = builder.want + limits.spare;
  const entries = builder.define('entries', builder.scanRows(groups, builder.plan.rest, most));
  const isTested = builder.tests(builder.plan.rest).length > 0;
  const ofRow = sql`select ${key} as key from ${entries} limit 1 offset ${sql.lit(most - 1)}`;
  const cut = isTested
    ? sql`select coalesce((${ofRow}), (${builder.beyondExamined(groups, key)})) as key`
    : ofRow;
  const cutKey = sql`(select key from ${builder.define('cut', cut)})`;
  const isBefore = sql`coalesce(${key} <> ${cutKey}, 1 = 1)`;
  parts.push(builder.define('rest', sql`select ${builder.columns} from ${entries} where ${isBefore}`));
  const isCut = sql`${cutKey} is not null`;
  const onlyIf = sql`(${isCut} and not ${builder.isFull(parts)})`;
  addGroup('w1', { ...entriesOfGroup(builder, scan, cutKey, undefined), onlyIf });
  // Without tests, the rows up to the cut and the whole last group are enough for the page.
  if (isTested) bounds.push(sql`(${builder.isFull(parts)} or not ${isCut})`);
  const all = parts.map((part) => sql`select * from ${part}`);
  return { rows: builder.first(all), have: builder.have, isWhole: sql.join(bounds, ' and ') };
}

/** The first rows of one group, in the order of the page. @param parts the page's parts so far, including this group */
function groupOf(builder: PageBuilder, entries: Entries, parts: readonly Sql[]): Omit<Found, 'have'> {
  const { materialized } = builder.scope.limits;
  const tests = builder.tests(builder.plan.rest);
  if (builder.scope.sort.length === 1) {
    const isWhole =
      tests.length === 0 ? sql`1 = 1` : sql`(${builder.isFull(parts)} or not ${builder.goesOn(entries)})`;
    return { rows: builder.scanRows(entries, builder.plan.rest), isWhole };
  }
  const group = builder.examine(entries, builder.plan.rest, materialized);
  const rows = sql`select ${builder.columns} from (${group}) as examined ${whereAll([...tests, ...builder.isBeyondPlace()])}
    order by ${builder.order} limit ${sql.lit(builder.want)}`;
  return { rows, isWhole: sql`not ${builder.goesOn(entries, materialized)}` };
}

/** The entries of one group by id. */
function entriesOfGroup(
  builder: PageBuilder,
  scan: IndexScan,
  key: Sql,
  placeId: string | undefined,
): Entries {
  const { dialect } = builder.scope;
  const index = indexOf(builder, scan);
  const table = tableOf(builder.scope, scan, 'record');
  // With further sort keys, rows after the place may have a smaller id.
  const afterId = builder.scope.sort.length === 1 ? placeId : undefined;
  if (!dialect.planner.seeksRowValues) {
    const beyond = afterId === undefined ? [] : [sql`id > ${afterId}`];
    return {
      table,
      conditions: [...index.inRange({}), sql`${keyOf(builder, scan)} = +${key}`, ...beyond],
      order: sql`id`,
    };
  }
  // A plain equality would not make PostgreSQL use the index, see `isKey`.
  const bound = { key, inclusive: true };
  const beyond = afterId === undefined ? [] : [index.compare(sql`>`, { key, id: afterId })];
  const conditions = [...index.inRange({ low: bound, high: bound }), ...beyond];
  return { table, conditions, order: index.order(false), isClosed: true };
}

function ifMissing(builder: PageBuilder, parts: readonly Sql[]): Sql | undefined {
  return parts.length === 0 ? undefined : sql`not ${builder.isFull(parts)}`;
}

/** The entries of a scan after all of a group. */
function beyond(
  builder: PageBuilder,
  scan: IndexScan,
  after: Sql | undefined,
): Entries & { readonly key: Sql } {
  const { descending, range, within } = scan;
  const key = keyOf(builder, scan);
  const index = indexOf(builder, scan);
  const bound = after && { key: after, inclusive: false };
  const { low, high }: KeyRange<Buffer | Sql> = descending
    ? { low: range.low, high: bound ?? range.high }
    : { low: bound ?? range.low, high: range.high };
  return {
    key,
    table: tableOf(builder.scope, scan, 'record'),
    conditions: index.inRange({ low, high }),
    order: index.order(descending),
    isClosed: within !== undefined || isClosed({ low, high }),
  };
}

function indexOf({ scope }: PageBuilder, { field, within }: IndexScan): IndexOrder {
  if (field === undefined) throw new Error('a scan by id has no key');
  return indexOrder(scope.dialect, field, within);
}

function keyOf(builder: PageBuilder, { field }: IndexScan): Sql {
  if (field === undefined) throw new Error('a scan by id has no key');
  return indexedExpression(builder.scope.dialect, field);
}
