import { sql } from 'kysely';
import type { Position } from 'rostack-core';
import { type Row, run, type Work } from '../database/database.ts';
import { once, type Sql } from '../database/dialect.ts';
import { checkPosition, readHead } from '../log/read-head.ts';
import { indexName } from '../schema/tables.ts';
import { compareAlong } from './compare-rows.ts';
import { type Half, type PageScope, scanColumns, visibleAt } from './page-scope.ts';
import { type ScannedRow, toScannedRow } from './scanned-row.ts';
import { type Walk, type WalkPlace, walkSql } from './walk.ts';

/** The outcome of one bounded piece of a walk. */
export interface WalkStep {
  /** Matching rows as of the page's position, in the order of the walk. */
  readonly rows: readonly ScannedRow[];
  /** How far the walk was looked through; undefined when that is its end. */
  readonly reached: WalkPlace | undefined;
}

/**
 * Looks through the next piece of a walk: at most `sliceRows` index entries of each half, at most `limit` rows to return.
 * What stood at a position does not change, so pieces read at different times fit together.
 * @param isExact whether every row of the walk matches the filter
 * @throws PositionExpiredError when the page's position lies below the floor
 */
export function* walkStep(
  scope: PageScope,
  walk: Walk,
  after: WalkPlace | undefined,
  limit: number,
  sliceRows: number,
  isExact: boolean,
): Work<WalkStep> {
  const head = yield* readHead(scope.dialect, scope.target);
  checkPosition(scope.at, head);
  const isOld = scope.at < head.position;
  const isRecent = head.position - scope.at <= scope.limits.fewChanges;
  if (isOld && isExact) {
    const step = yield* stepByEntries(scope, walk, after, limit, isRecent);
    if (step !== undefined) return step;
  }
  // Where every entry is a row to return, the limit alone bounds the piece.
  const isBounded = isExact && !isOld;
  const recordEnd = isBounded
    ? undefined
    : yield* placeAfter(scope, walk, 'record', after, undefined, sliceRows);
  if (!isOld) {
    const rows = yield* scan(scope, walk, 'record', after, recordEnd, limit, isExact);
    return { rows, reached: reached(rows, limit, walk) ?? recordEnd };
  }
  const pastEnd = isRecent ? undefined : yield* placeAfter(scope, walk, 'past', after, recordEnd, sliceRows);
  const end = pastEnd ?? recordEnd;
  const current = yield* scan(scope, walk, 'record', after, end, limit, isExact);
  const past = isRecent
    ? yield* scanRecent(scope, walk, after, end, limit, isExact)
    : yield* scan(scope, walk, 'past', after, end, limit, isExact);
  const rows = [...current, ...past].sort(compareAlong(walk)).slice(0, limit);
  return { rows, reached: reached(rows, limit, walk) ?? end };
}

/**
 * A piece of a walk on which every row matches: so few entries are looked through that their rows can be read before it is known
 * which of them stood at the position. Undefined when one record has too many past versions there.
 */
function* stepByEntries(
  scope: PageScope,
  walk: Walk,
  after: WalkPlace | undefined,
  limit: number,
  isRecent: boolean,
): Work<WalkStep | undefined> {
  // Some of the rows were written since: a few more entries than rows.
  const most = limit + Math.ceil(limit / 8) + 2;
  const current = yield* scanEntries(scope, walk, 'record', after, undefined, most);
  const end = reached(current, most, walk);
  const past = isRecent
    ? yield* scanRecent(scope, walk, after, end, most, true)
    : yield* scanEntries(scope, walk, 'past', after, end, most);
  const compare = compareAlong(walk);
  // Versions of one record share a place, and the last place may have more of them.
  const cut = isRecent || past.length < most ? undefined : past.at(-1);
  const last = cut && past.findLast((row) => compare(row, cut) < 0);
  if (cut !== undefined && last === undefined) return undefined;
  const all = past.length === 0 ? current : [...current, ...past].sort(compare);
  const rows = all
    .filter((row) => wasStanding(row, scope.at) && (last === undefined || compare(row, last) <= 0))
    .slice(0, limit);
  return { rows, reached: reached(rows, limit, walk) ?? (last && placeOf(last, walk)) ?? end };
}

function wasStanding({ position, until }: ScannedRow, at: Position): boolean {
  return position <= at && (until === undefined || until > at);
}

/** Index entries of one half, whether they stood at the position or not. */
function* scanEntries(
  scope: PageScope,
  walk: Walk,
  half: Half,
  after: WalkPlace | undefined,
  upTo: WalkPlace | undefined,
  limit: number,
): Work<ScannedRow[]> {
  const { key, conditions, order } = walkSql(scope.dialect, walk, after, upTo);
  const until = half === 'past' ? sql`, to_position as until` : sql``;
  return yield* select(
    scope,
    sql`select ${scanColumns(scope, half, key)}${until} from ${tableOf(scope, walk, half)}
      ${where(conditions)} order by ${order} limit ${scope.dialect.count(limit)}`,
  );
}

/** When there are as many rows as were asked for, the walk was looked through as far as the last. */
function reached(rows: readonly ScannedRow[], limit: number, walk: Walk): WalkPlace | undefined {
  const last = rows.length >= limit ? rows.at(-1) : undefined;
  return last && placeOf(last, walk);
}

function placeOf({ key, id }: ScannedRow, { field }: Walk): WalkPlace {
  return { key: field && key, id };
}

/** The place `sliceRows` index entries further on; undefined when the walk ends before. */
function* placeAfter(
  scope: PageScope,
  walk: Walk,
  half: Half,
  after: WalkPlace | undefined,
  upTo: WalkPlace | undefined,
  sliceRows: number,
): Work<WalkPlace | undefined> {
  const { key, conditions, order } = walkSql(scope.dialect, walk, after, upTo);
  const [place] = yield* run<{ key?: Buffer; id: string }>(
    once(
      scope.dialect,
      sql`select ${key === undefined ? sql`` : sql`${key} as key, `}id from ${tableOf(scope, walk, half)}
        ${where(conditions)} order by ${order} limit 1 offset ${scope.dialect.count(sliceRows - 1)}`,
    ),
  );
  return place && { key: place.key, id: place.id };
}

/** Rows of one half between two places, through the walk's index. */
function* scan(
  scope: PageScope,
  walk: Walk,
  half: Half,
  after: WalkPlace | undefined,
  upTo: WalkPlace | undefined,
  limit: number,
  isExact: boolean,
): Work<ScannedRow[]> {
  const { key, conditions, order } = walkSql(scope.dialect, walk, after, upTo);
  return yield* select(
    scope,
    sql`select ${scanColumns(scope, half, key)} from ${tableOf(scope, walk, half)}
      ${where([...conditions, visibleAt(half, scope.at), ...testOf(scope, isExact)])} order by ${order} limit ${scope.dialect.count(limit)}`,
  );
}

/** Past versions between two places, found by when they ended and then sorted: there are no more than there were changes since. */
function* scanRecent(
  scope: PageScope,
  walk: Walk,
  after: WalkPlace | undefined,
  upTo: WalkPlace | undefined,
  limit: number,
  isExact: boolean,
): Work<ScannedRow[]> {
  const { key, conditions, order } = walkSql(scope.dialect, walk, after, upTo);
  const { dialect, target, at } = scope;
  const past = dialect.table(target.tables.past);
  const ended = sql`select * from ${past} ${dialect.name === 'sqlite' ? sql`not indexed` : sql``} where to_position > ${at}`;
  return yield* select(
    scope,
    sql`select ${scanColumns(scope, 'past', key)} from (${ended}) as ended
      ${where([sql`from_position <= ${at}`, ...conditions, ...testOf(scope, isExact)])} order by ${order} limit ${scope.dialect.count(limit)}`,
  );
}

function* select(scope: PageScope, query: Sql): Work<ScannedRow[]> {
  const rows: readonly Row[] = yield* run(once(scope.dialect, query));
  return rows.map((row) => toScannedRow(row, scope.sortFields.length));
}

function testOf({ condition }: PageScope, isExact: boolean): Sql[] {
  return isExact || condition === undefined ? [] : [condition];
}

function where(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
}

function tableOf({ dialect, target: { tables } }: PageScope, { field }: Walk, half: Half): Sql {
  const table = half === 'record' ? tables.record : tables.past;
  if (field !== undefined) return dialect.tableBy(table, indexName(table, field));
  return half === 'record'
    ? dialect.tableBy(table, `sqlite_autoindex_${table}_1`)
    : dialect.tableBy(table, `${table}_id`);
}
