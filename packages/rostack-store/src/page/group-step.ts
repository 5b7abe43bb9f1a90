import type { Work } from '../drivers/database.ts';
import { readHead } from '../log/read-head.ts';
import { compareSorted } from './compare-rows.ts';
import { erasBetween } from './eras.ts';
import { isBeyond, type SnapshotScope } from './page-scope.ts';
import type { SortPlace } from './scanned-row.ts';
import type { Walk, WalkPlace } from './walk.ts';
import { placeAfter, scan, shareOf, type WalkRest } from './walk-scans.ts';
import type { WalkStep } from './walk-step.ts';

/**
 * Looks through the next piece of a walk for the rows that come first in the order of the page: the database puts them in order, so
 * that at most `limit` rows come here from a piece of any length.
 * @param beyond the place in the page's order after which rows are wanted
 * @throws PositionExpiredError when the page's position lies below the floor, or is of another history
 */
export function* groupStep(
  scope: SnapshotScope,
  walk: Walk,
  after: WalkPlace | undefined,
  beyond: SortPlace | undefined,
  limit: number,
  sliceRows: number,
  isExact: boolean,
): Work<WalkStep> {
  const head = yield* readHead(scope.dialect, scope.target, scope);
  const isOld = scope.at < head.position;
  const conditions = beyond === undefined ? [] : [isBeyond(scope, beyond)];
  const eras = erasBetween(scope.at, head.position);
  const rest: WalkRest = { scope, walk, after, eras, conditions, isByPage: true };
  const recordEnd = yield* placeAfter(rest, 'record', undefined, sliceRows);
  const pastEnd = isOld ? yield* placeAfter(rest, 'past', recordEnd, shareOf(sliceRows, rest)) : undefined;
  const end = pastEnd ?? recordEnd;
  const current = yield* scan(rest, 'record', end, limit, isExact);
  const past = isOld ? yield* scan(rest, 'past', end, limit, isExact) : [];
  const compare = compareSorted(scope.sort.map(({ descending }) => descending));
  return { rows: [...current, ...past].sort(compare).slice(0, limit), reached: end };
}
