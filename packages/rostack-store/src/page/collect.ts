import { sql } from 'kysely';
import { type Row, run, type Work } from '../database/database.ts';
import { once, type Sql } from '../database/dialect.ts';
import { headFor } from '../log/read-head.ts';
import type { StoredField } from '../resource/field.ts';
import { type Half, indexedExpression, indexName } from '../schema/tables.ts';
import type { Access } from './access.ts';
import { countOverEras, type Eras, erasBetween, selectByEra } from './eras.ts';
import { eachOfRanges, inRange, inRanges } from './filter-to-sql.ts';
import type { KeyRange } from './key-range.ts';
import { type PageScope, scanColumns, visibleAt } from './page-scope.ts';
import { type ScannedRow, toScannedRow } from './scanned-row.ts';

/**
 * How many index entries an access has, counted up to a limit; both halves count when the page's position is not the head.
 * @throws PositionExpiredError when the page's position lies below the floor, or is of another history
 */
export function* countAccess(scope: PageScope, access: Access, limit: number): Work<number> {
  const eras = yield* erasOf(scope);
  const { dialect } = scope;
  let count = 0;
  for (const [field, ranges] of byField(access)) {
    const entries = sql`select 1 from ${tableOf(scope, 'record', field)} where ${entriesOf(scope, field, ranges)}`;
    const [row] = yield* run<{ count: number }>(
      once(
        dialect,
        sql`select count(*) as count from (${entries} limit ${dialect.count(limit - count)}) as entries`,
      ),
    );
    count += row?.count ?? 0;
    if (count >= limit) return count;
    if (eras === undefined) continue;
    for (const condition of eachOfRanges(keyOf(scope, field), ranges)) {
      const ofPast = (isOfEra: Sql) =>
        sql`select 1 from ${tableOf(scope, 'past', field)} where ${isOfEra} and ${condition}`;
      count += yield* countOverEras(dialect, eras, ofPast, limit - count);
      if (count >= limit) return count;
    }
  }
  return count;
}

/** All rows of an access that match the filter, each once, in no order. */
export function* collectAccess(scope: PageScope, access: Access): Work<ScannedRow[]> {
  const eras = yield* erasOf(scope);
  const byId = new Map<string, ScannedRow>();
  const add = (rows: readonly Row[]) => {
    for (const row of rows) {
      const scanned = toScannedRow(row, scope.sortFields.length);
      byId.set(scanned.id, scanned);
    }
  };
  const test = scope.condition === undefined ? sql`` : sql`and ${scope.condition}`;
  const select = (half: Half, field: StoredField, condition: Sql) =>
    sql`select ${scanColumns(scope, half)} from ${tableOf(scope, half, field)}
      where ${condition} and ${visibleAt(half, scope.at)} ${test}`;
  for (const [field, ranges] of byField(access)) {
    const key = keyOf(scope, field);
    add(yield* run(once(scope.dialect, select('record', field, inRanges(key, ranges)))));
    if (eras === undefined) continue;
    for (const condition of eachOfRanges(key, ranges)) {
      const ofPast = (isOfEra: Sql) => select('past', field, sql`${isOfEra} and ${condition}`);
      add(yield* selectByEra(scope.dialect, eras, ofPast));
    }
  }
  return [...byId.values()];
}

/** Undefined where the position is the head: then nothing of the past stands. */
function* erasOf(scope: PageScope): Work<Eras | undefined> {
  const head = yield* headFor(scope.dialect, scope.target, scope);
  return scope.at < head.position ? erasBetween(scope.at, head.position) : undefined;
}

function byField(access: Access): ReadonlyMap<StoredField, readonly KeyRange[]> {
  const ranges = new Map<StoredField, KeyRange[]>();
  for (const { field, range } of access) {
    const known = ranges.get(field);
    if (known === undefined) ranges.set(field, [range]);
    else known.push(range);
  }
  return ranges;
}

/** One range is counted along its index, which PostgreSQL would not do by itself where it expects entries everywhere. */
function entriesOf(scope: PageScope, field: StoredField, ranges: readonly KeyRange[]): Sql {
  const key = keyOf(scope, field);
  const [only] = ranges;
  return only !== undefined && ranges.length === 1
    ? sql`${inRange(key, only)} order by ${key}, id`
    : inRanges(key, ranges);
}

function keyOf({ dialect }: PageScope, field: StoredField): Sql {
  return indexedExpression(dialect, field);
}

function tableOf({ dialect, target: { tables } }: PageScope, half: Half, field: StoredField): Sql {
  const table = tables[half];
  return dialect.tableBy(table, indexName(table, field));
}
