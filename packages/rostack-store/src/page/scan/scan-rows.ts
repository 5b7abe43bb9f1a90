import type { Buffer } from 'node:buffer';
import type { Position } from 'rostack-core';
import { run, type Work } from '../../drivers/database.ts';
import type { Row } from '../../drivers/dialect/query.ts';
import { once, type Sql, sql } from '../../drivers/dialect/sql.ts';
import { type Half, orderColumn } from '../../schema/tables.ts';
import { compareAlong } from '../plan/compare-rows.ts';
import { type IndexScan, type ScanPosition, scanSql, tableOf } from '../plan/index-scan.ts';
import { type PageScope, type SnapshotScope, testsOf } from '../plan/page-scope.ts';
import { type Partitions, partitionCount, selectByPartition } from '../plan/partitions.ts';
import { type ScannedRow, toScannedRow } from '../plan/scanned-row.ts';

/** The rest of a scan after a place. */
export interface ScanRest {
  readonly scope: SnapshotScope;
  readonly scan: IndexScan;
  readonly after: ScanPosition | undefined;
  /** The partitions in which past versions are searched. */
  readonly partitions: Partitions;
  /** Whether to return the first rows in the order of the page, and not the first ones on the scan. */
  readonly isByPage?: boolean;
  /** Conditions that the rows have to meet. */
  readonly conditions?: readonly Sql[];
}

/** The least number of entries examined in each partition, however many partitions there are. */
const LEAST_PER_PARTITION = 8;

/** How many entries of each partition to examine for a total of about `entryCount`. */
export function shareOf(entryCount: number, { scan, partitions }: ScanRest): number {
  if (!isByPartition(scan, 'past')) return entryCount;
  return Math.min(
    entryCount,
    Math.max(LEAST_PER_PARTITION, Math.ceil((2 * entryCount) / partitionCount(partitions))),
  );
}

/** The place up to which each partition has at most this many index entries; undefined if the scan ends before. */
export function* placeAfter(
  rest: ScanRest,
  half: Half,
  upTo: ScanPosition | undefined,
  entryCount: number,
): Work<ScanPosition | undefined> {
  const { scope, scan } = rest;
  const { key, conditions, order } = scanSql(scope.dialect, scan, rest.after, upTo);
  const columns = key === undefined ? sql`id` : sql`${key} as key, id`;
  const rows = yield* selectOf(rest, half, (isOfPartition) => {
    return sql`select ${columns} from ${tableOf(scope, scan, half)} ${where([...isOfPartition, ...conditions])}
      order by ${order} limit 1 offset ${scope.dialect.count(entryCount - 1)}`;
  });
  const places = rows.map((row) => ({ key: row['key'] as Buffer | undefined, id: row['id'] as string }));
  return places.sort(compareAlong(scan))[0];
}

/** Rows of one half that were current at the position, between two places of the scan's index: at most `limit` of each partition. */
export function* scanRows(
  rest: ScanRest,
  half: Half,
  upTo: ScanPosition | undefined,
  limit: number,
  isExact: boolean,
): Work<ScannedRow[]> {
  const { scope, scan, isByPage } = rest;
  const { conditions, order } = scanSql(scope.dialect, scan, rest.after, upTo);
  const tests = [isVisible(half, scope.at), ...(isExact ? [] : testsOf(scope)), ...(rest.conditions ?? [])];
  const columns = scanColumns(scope);
  const count = scope.dialect.count(limit);
  const rows = yield* selectOf(rest, half, (isOfPartition) => {
    const piece = where([...isOfPartition, ...conditions, ...tests]);
    const table = tableOf(scope, scan, half);
    if (isByPage !== true)
      return sql`select ${columns} from ${table} ${piece} order by ${order} limit ${count}`;
    return sql`select * from (select ${columns} from ${table} ${piece} ${scope.dialect.asPlanned(order)}) as piece
      order by ${orderOfColumns(scope)} limit ${count}`;
  });
  return scanned(rest, rows);
}

/** Whether the scan's index on this half is partitioned, as the indexes of fields on past versions are. */
export function isByPartition(scan: IndexScan, half: Half): boolean {
  return half === 'past' && scan.field !== undefined;
}

function* selectOf(
  { scope, scan, partitions }: ScanRest,
  half: Half,
  select: (isOfPartition: readonly Sql[]) => Sql,
): Work<readonly Row[]> {
  const { dialect } = scope;
  return isByPartition(scan, half)
    ? yield* selectByPartition(dialect, partitions, (isOfPartition) => select([isOfPartition]))
    : yield* run(once(dialect, select([])));
}

function scanned({ scope, scan }: ScanRest, rows: readonly Row[]): ScannedRow[] {
  return rows.map((row) => toScannedRow(row, scope.sortFields.length, scan));
}

function where(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, ' and ')}`;
}

/** Columns of a scanned row. */
function scanColumns({ sortFields }: PageScope): Sql {
  const keys = sortFields.map((field, index) => sql`${sql.id(orderColumn(field))} as ${sql.id(`s${index}`)}`);
  return sql.join([sql`id`, sql`body`, ...keys]);
}

/** The order of the page by these columns. @see compareSorted, which is the same in process */
function orderOfColumns({ sort }: PageScope): Sql {
  const keys = sort.map(({ descending }, index) => {
    const column = sql.id(`s${index}`);
    return descending ? sql`${column} desc` : column;
  });
  return sql.join([...keys, sql`id`]);
}

/** Whether a row of this half was current at the position. */
function isVisible(half: Half, at: Position): Sql {
  return half === 'record' ? sql`position <= ${at}` : sql`from_position <= ${at} and to_position > ${at}`;
}
