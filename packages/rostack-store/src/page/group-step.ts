import type { Work } from '../drivers/database.ts';
import { readHead } from '../log/read-head.ts';
import { compareSorted } from './compare-rows.ts';
import type { IndexScan, ScanPosition } from './index-scan.ts';
import { isBeyond, type SnapshotScope } from './page-scope.ts';
import { partitionsBetween } from './partitions.ts';
import { placeAfter, type ScanRest, scanRows, shareOf } from './scan-rows.ts';
import type { ScanStep } from './scan-step.ts';
import type { SortPlace } from './scanned-row.ts';

/**
 * Reads the next piece of a scan for the rows that come first in the order of the page: the database puts them in order, so
 * that at most `limit` rows come here from a piece of any length.
 * @param beyond the place in the page's order after which rows are wanted
 * @throws PositionExpiredError when the page's position is below the floor, or is of another history
 */
export function* groupStep(
  scope: SnapshotScope,
  scan: IndexScan,
  after: ScanPosition | undefined,
  beyond: SortPlace | undefined,
  limit: number,
  sliceRows: number,
  isExact: boolean,
): Work<ScanStep> {
  const head = yield* readHead(scope.dialect, scope.target, scope);
  const isOld = scope.at < head.position;
  const conditions = beyond === undefined ? [] : [isBeyond(scope, beyond)];
  const partitions = partitionsBetween(scope.at, head.position);
  const rest: ScanRest = { scope, scan, after, partitions, conditions, isByPage: true };
  const recordEnd = yield* placeAfter(rest, 'record', undefined, sliceRows);
  const pastEnd = isOld ? yield* placeAfter(rest, 'past', recordEnd, shareOf(sliceRows, rest)) : undefined;
  const end = pastEnd ?? recordEnd;
  const current = yield* scanRows(rest, 'record', end, limit, isExact);
  const past = isOld ? yield* scanRows(rest, 'past', end, limit, isExact) : [];
  const compare = compareSorted(scope.sort.map(({ descending }) => descending));
  return { rows: [...current, ...past].sort(compare).slice(0, limit), reached: end };
}
