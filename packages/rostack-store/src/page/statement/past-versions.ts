import { type Sql, sql } from '../../drivers/dialect/sql.ts';
import { headTable } from '../../log/read-head.ts';
import type { StoredField } from '../../schema/resource/field.ts';
import { indexedExpression, PARTITION, partitionOf, partitionSql } from '../../schema/tables.ts';
import { type Access, rangesByField } from '../plan/access.ts';
import { inRange, inRanges, pointsTable } from '../plan/filter-to-sql.ts';
import { type IndexScan, tableOf } from '../plan/index-scan.ts';
import { isBounded, type KeyRange, partedRanges, pointOf, pointRange } from '../plan/key-range.ts';
import { testsOf } from '../plan/page-scope.ts';
import { type PageBuilder, whereAll } from './page-builder.ts';

/** Longer than any id: an upper bound of them all. */
const ABOVE_ALL_IDS = '\u{10ffff}'.repeat(129);

/** The first and the last to include. */
type Ends = readonly [first: Sql, last: Sql];

/** The part of index ranges to include. */
interface Bounds {
  readonly keys?: Ends;
  /** The ids at each key; only for ranges of one key each. */
  readonly ids?: Ends;
}

/**
 * The entries of past versions on the scans, up to the last row of the page if it is known.
 * @param lastRow the part with that row, if the page is full
 * @param isWhole whether the page is whole; if not, nothing is read
 */
export function pastOfScans(
  builder: PageBuilder,
  scans: readonly IndexScan[],
  lastRow: Sql,
  isWhole: Sql,
): Sql {
  const { after, scope } = builder;
  const [scan] = scans;
  const { field, range = {}, ids: { low, high } = {}, within, descending = false } = scan ?? {};
  const lastId = sql`coalesce((select id from ${lastRow}), ${high?.key ?? ABOVE_ALL_IDS})`;
  if (field === undefined) {
    // Bounds on both sides, even if one of them is always met: PostgreSQL expects few rows between two bounds, and a third of all below
    // one.
    const firstId = sql`${after?.id ?? low?.key ?? ''}`;
    const conditions = [sql`id >= ${firstId}`, sql`id <= ${lastId}`, sql`to_position > ${builder.at}`];
    const table = tableOf(scope, {}, 'past');
    const entries = { table, conditions, order: sql`id, to_position`, isClosed: true, onlyIf: isWhole };
    return builder.define('p', builder.take(pastColumns(builder), entries, mostOf(builder)));
  }
  if (within !== undefined)
    return past(builder, [{ field: within.field, range: pointRange(within.key) }], isWhole);
  if (scope.sort.length <= 1 && scans.every((each) => pointOf(each.range) !== undefined)) {
    const access = scans.map(({ field: each = field, range: point }) => ({ field: each, range: point }));
    return past(builder, access, isWhole, { ids: [sql`${after?.id ?? ''}`, lastId] });
  }
  const key = indexedExpression(scope.dialect, field);
  const [lowest, highest] = [scope.dialect.bytesOf(''), scope.dialect.bytesOf('ff')];
  const first = after === undefined ? (descending ? highest : lowest) : sql`${after.sortKeys[0]}`;
  const last = sql`coalesce((select ${key} from ${lastRow}), ${descending ? lowest : highest})`;
  return past(builder, [{ field, range }], isWhole, { keys: descending ? [last, first] : [first, last] });
}

/** The entries of past versions in index ranges. @param isWhole whether the page is whole; if not, nothing is read */
export function past(builder: PageBuilder, access: Access, isWhole: Sql, bounds: Bounds = {}): Sql {
  const partitions = partitionsSince(builder, isWhole);
  const most = sql.lit(mostOf(builder));
  const selects = [...rangesByField(access)].flatMap(([field, ranges]) =>
    builder.scope.dialect.planner.seeksSeveralRanges
      ? [inAllPartitions(builder, field, ranges, bounds, partitions)]
      : inEachPartition(builder, field, ranges, bounds, partitions),
  );
  const [only] = selects;
  if (only !== undefined && selects.length === 1) return builder.define('p', sql`${only} limit ${most}`);
  // A version may be in ranges of several fields.
  const parts = selects.map((select) => sql`select * from (${select} limit ${most}) as part`);
  return builder.define(
    'p',
    sql`select * from (${sql.join(parts, ' union ')}) as every_version limit ${most}`,
  );
}

/** One more than a statement may examine. */
function mostOf({ scope }: PageBuilder): number {
  return scope.limits.past + 1;
}

function inAllPartitions(
  builder: PageBuilder,
  field: StoredField,
  ranges: readonly KeyRange[],
  { keys, ids }: Bounds,
  partitions: Sql,
): Sql {
  const key = indexedExpression(builder.scope.dialect, field);
  const within = [
    // Without the `+`, the affinity of the part's column would keep SQLite from seeking the expression.
    sql`${PARTITION} = +partitions.partition`,
    ...(ranges.some(isBounded) ? [inRanges(key, ranges)] : []),
    ...(keys === undefined ? [] : between(key, keys)),
    ...(ids === undefined ? [] : between(sql`id`, ids)),
  ];
  const table = tableOf(builder.scope, { field }, 'past');
  return sql`select ${pastColumns(builder)} from ${partitions} cross join ${table} ${whereAll(within)}`;
}

/**
 * PostgreSQL chooses the index by its order, which several ranges together do not have, so each range is a scan of its own in each
 * partition.
 */
function inEachPartition(
  builder: PageBuilder,
  field: StoredField,
  ranges: readonly KeyRange[],
  { keys, ids }: Bounds,
  partitions: Sql,
): Sql[] {
  const { dialect } = builder.scope;
  const key = indexedExpression(dialect, field);
  const table = tableOf(builder.scope, { field }, 'past');
  const columns = pastColumns(builder);
  const scan = (conditions: readonly Sql[]): Sql =>
    dialect.firstOfRange(
      sql`select ${columns} from ${table} ${whereAll([sql`${PARTITION} = partitions.partition`, ...conditions])} order by ${key}, id`,
      sql.lit(mostOf(builder)),
    );
  const { points, others } = partedRanges(ranges);
  const selects = others.map((range) => {
    const conditions = [
      ...(isBounded(range) ? [inRange(key, range)] : []),
      ...(keys === undefined ? [] : between(key, keys)),
    ];
    return sql`select in_partition.* from ${partitions} cross join lateral (${scan(conditions)}) as in_partition`;
  });
  if (points.length === 0) return selects;
  const atPoint =
    ids === undefined
      ? between(key, [sql`point.key`, sql`point.key`])
      : between(sql`(${key}, id)`, [sql`(point.key, ${ids[0]})`, sql`(point.key, ${ids[1]})`]);
  const atPoints = sql`select in_partition.* from ${partitions} cross join ${pointsTable(points)} cross join lateral (${scan(atPoint)}) as in_partition`;
  return [...selects, atPoints];
}

function between(key: Sql, [first, last]: Ends): Sql[] {
  return [sql`${key} >= ${first}`, sql`${key} <= ${last}`];
}

/** An entry has a source if its version was current at the position and matches. */
function pastColumns(builder: PageBuilder): Sql {
  const tests = [
    sql`from_position <= ${builder.at} and to_position > ${builder.at}`,
    ...testsOf(builder.scope),
    ...builder.isBeyondPlace(),
  ];
  const { dialect, target } = builder.scope;
  const source =
    dialect.rowLocator === undefined
      ? sql`body`
      : sql`${sql.id(target.tables.past)}.${dialect.rowLocator.column}`;
  return sql`case when ${sql.join(tests, ' and ')} then ${source} end as source, to_position, ${builder.keys}`;
}

/** The body of a past version that has a source. If bodies are not carried along, they are read for the rows that a page may have. */
export function pastBody({ scope: { dialect, target } }: PageBuilder): Sql {
  if (dialect.rowLocator === undefined) return sql`source`;
  return sql`(select body from ${dialect.table(target.tables.past)} where ${dialect.rowLocator.column} = source)`;
}

/** The partitions in which versions ended since the position; none where the page is not whole. */
function partitionsSince(builder: PageBuilder, isWhole: Sql): Sql {
  const at = builder.at ?? 0;
  const { dialect, target } = builder.scope;
  const { from, where } = headTable(dialect, target.tables);
  const { bigint } = dialect.columnTypes;
  const position = sql`(select h.position from ${from} where ${where})`;
  const partitions = sql`select cast(${partitionOf(at + 1)} as ${bigint}) where ${position} > ${at} and ${isWhole}
    union all select partition + 1 from partitions where partition < ${partitionSql(position)}`;
  return builder.define('partitions', partitions, sql`(partition)`);
}
