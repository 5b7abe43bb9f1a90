import { sql } from 'kysely';
import { type Row, run, type Work } from '../database/database.ts';
import { once, type Sql } from '../database/dialect.ts';
import { checkPosition, readHead } from '../log/read-head.ts';
import type { StoredField } from '../resource/field.ts';
import { indexedExpression, indexName } from '../schema/tables.ts';
import type { Access } from './access.ts';
import { inRange, inRanges } from './filter-to-sql.ts';
import type { KeyRange } from './key-range.ts';
import { type Half, type PageScope, scanColumns, visibleAt } from './page-scope.ts';
import { type ScannedRow, toScannedRow } from './scanned-row.ts';

/**
 * How many index entries an access has, counted up to a limit; both halves count when the page's position is not the head.
 * @throws PositionExpiredError when the page's position lies below the floor
 */
export function* countAccess(scope: PageScope, access: Access, limit: number): Work<number> {
  const halves = yield* halvesOf(scope);
  let count = 0;
  for (const [field, ranges] of byField(access)) {
    for (const half of halves) {
      const [row] = yield* run<{ count: number }>(
        once(
          scope.dialect,
          sql`select count(*) as count from (select 1 from ${tableOf(scope, half, field)}
            where ${entriesOf(scope, field, ranges)} limit ${scope.dialect.count(limit - count)}) as entries`,
        ),
      );
      count += row?.count ?? 0;
      if (count >= limit) return count;
    }
  }
  return count;
}

/** All rows of an access that match the filter, each once, in no order. */
export function* collectAccess(scope: PageScope, access: Access): Work<ScannedRow[]> {
  const halves = yield* halvesOf(scope);
  const byId = new Map<string, ScannedRow>();
  for (const [field, ranges] of byField(access)) {
    for (const half of halves) {
      const test = scope.condition === undefined ? sql`` : sql`and ${scope.condition}`;
      const rows: readonly Row[] = yield* run(
        once(
          scope.dialect,
          sql`select ${scanColumns(scope, half, undefined)} from ${tableOf(scope, half, field)}
            where ${rangeCondition(scope, field, ranges)} and ${visibleAt(half, scope.at)} ${test}`,
        ),
      );
      for (const row of rows) {
        const scanned = toScannedRow(row, scope.sortFields.length);
        byId.set(scanned.id, scanned);
      }
    }
  }
  return [...byId.values()];
}

function* halvesOf(scope: PageScope): Work<readonly Half[]> {
  const head = yield* readHead(scope.dialect, scope.target);
  checkPosition(scope.at, head);
  return scope.at < head.position ? ['record', 'past'] : ['record'];
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
function entriesOf({ dialect }: PageScope, field: StoredField, ranges: readonly KeyRange[]): Sql {
  const key = indexedExpression(dialect, field);
  const [only] = ranges;
  return only !== undefined && ranges.length === 1
    ? sql`${inRange(key, only)} order by ${key}, id`
    : inRanges(key, ranges);
}

function rangeCondition({ dialect }: PageScope, field: StoredField, ranges: readonly KeyRange[]): Sql {
  return inRanges(indexedExpression(dialect, field), ranges);
}

function tableOf({ dialect, target: { tables } }: PageScope, half: Half, field: StoredField): Sql {
  const table = half === 'record' ? tables.record : tables.past;
  return dialect.tableBy(table, indexName(table, field));
}
