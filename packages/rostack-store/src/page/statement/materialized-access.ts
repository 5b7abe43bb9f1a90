import { type Sql, sql } from '../../drivers/dialect/sql.ts';
import { indexedExpression } from '../../schema/tables.ts';
import { type Access, rangesByField } from '../plan/access.ts';
import { inRange, inRanges, pointsTable } from '../plan/filter-to-sql.ts';
import { tableOf } from '../plan/index-scan.ts';
import { isClosed, partedRanges, pointRange } from '../plan/key-range.ts';
import type { TestedAccess } from '../plan/page-plan.ts';
import { type Entries, type Found, type PageBuilder, whereAll } from './page-builder.ts';

/** Reads an access completely, if it has few entries, and sorts it in the order of the page. */
export function materialized(builder: PageBuilder, { access, rest }: TestedAccess): Found {
  const { materialized: most } = builder.scope.limits;
  const all = scans(builder, access, most + 1);
  const [only] = all;
  const examined = (entries: Entries): Sql => builder.entries(entries, rest, most + 1);
  const matching = (entries: Sql): Sql =>
    sql`select ${builder.columns} from ${entries} ${whereAll([...builder.tests(rest), ...builder.isBeyondPlace()])}`;
  if (only !== undefined && all.length === 1 && builder.scope.dialect.planner.looksAheadCheaply) {
    const rows = builder.first([matching(sql`(${examined(only)}) as examined`)]);
    return { rows, have: builder.have, isWhole: sql`not ${builder.goesOn(only, most)}` };
  }
  const parts = all.map((entries) => sql`select * from (${examined(entries)}) as part`);
  const entries = builder.define('entries', sql.join(parts, ' union all '));
  const found = [matching(entries)];
  return {
    rows: all.length === 1 ? builder.first(found) : builder.firstOnce(found),
    have: builder.have,
    isWhole: sql`(select count(*) from ${entries}) <= ${sql.lit(most)}`,
  };
}

/**
 * The entries of an access, by field: with one select, or with one per range in the index's order, if only that order makes the database
 * use the index.
 * @param count how many entries are wanted
 */
function scans(builder: PageBuilder, access: Access, count: number): Entries[] {
  const { dialect } = builder.scope;
  return [...rangesByField(access)].flatMap(([field, ranges]): Entries[] => {
    const key = indexedExpression(dialect, field);
    const table = tableOf(builder.scope, { field }, 'record');
    if (dialect.planner.seeksSeveralRanges) return [{ table, conditions: [inRanges(key, ranges)] }];
    const order = sql`${key}, id`;
    const { points, others } = partedRanges(ranges);
    const [point] = points;
    const single = points.length === 1 && point !== undefined ? [...others, pointRange(point)] : others;
    const all = single.map((range) => ({
      table,
      conditions: [inRange(key, range)],
      order,
      isClosed: isClosed(range),
    }));
    if (points.length < 2) return all;
    const atPoint = sql`select * from ${table} where ${key} >= point.key and ${key} <= point.key order by ${order}`;
    const first = dialect.firstOfRange(atPoint, sql.lit(count));
    return [
      ...all,
      { table: sql`${pointsTable(points)} cross join lateral (${first}) as entry`, conditions: [] },
    ];
  });
}
