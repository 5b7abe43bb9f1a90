import type { Work } from '../drivers/database.ts';
import { readHead } from '../log/read-head.ts';
import { compareAlong } from './compare-rows.ts';
import type { IndexScan, ScanPosition } from './index-scan.ts';
import type { SnapshotScope } from './page-scope.ts';
import { partitionsBetween } from './partitions.ts';
import { placeAfter, type ScanRest, scanRows, shareOf } from './scan-rows.ts';
import type { ScannedRow } from './scanned-row.ts';

/** The outcome of one bounded piece of a scan. */
export interface ScanStep {
  /** Matching rows as of the page's position, in the order of the scan. */
  readonly rows: readonly ScannedRow[];
  /** How far the scan has come; undefined at its end. */
  readonly reached: ScanPosition | undefined;
}

/**
 * Reads the next piece of a scan: at most about `sliceRows` index entries of each half, at most `limit` rows to return.
 * What was current at a position does not change, so pieces read at different times fit together.
 * @param isExact whether every row of the scan matches the filter
 * @throws PositionExpiredError when the page's position is below the floor, or is of another history
 */
export function* scanStep(
  scope: SnapshotScope,
  scan: IndexScan,
  after: ScanPosition | undefined,
  limit: number,
  sliceRows: number,
  isExact: boolean,
): Work<ScanStep> {
  const head = yield* readHead(scope.dialect, scope.target, scope);
  const isOld = scope.at < head.position;
  const rest: ScanRest = { scope, scan, after, partitions: partitionsBetween(scope.at, head.position) };
  const recordEnd = yield* placeAfter(rest, 'record', undefined, sliceRows);
  const pastEnd = isOld ? yield* placeAfter(rest, 'past', recordEnd, shareOf(sliceRows, rest)) : undefined;
  const end = pastEnd ?? recordEnd;
  const current = yield* scanRows(rest, 'record', end, limit, isExact);
  const past = isOld ? yield* scanRows(rest, 'past', end, limit, isExact) : [];
  const rows = [...current, ...past].sort(compareAlong(scan)).slice(0, limit);
  return { rows, reached: reached(rows, limit, scan) ?? end };
}

/** When there are as many rows as were asked for, the scan has come as far as the last. */
function reached(rows: readonly ScannedRow[], limit: number, { field }: IndexScan): ScanPosition | undefined {
  const last = rows.length >= limit ? rows.at(-1) : undefined;
  return last && { key: field && last.key, id: last.id };
}
