import type { Position } from 'rostack-core';
import type { Work } from '../database/database.ts';
import { headFor } from '../log/read-head.ts';
import { eraOf } from '../schema/tables.ts';
import { compareAlong, type RowOrder } from './compare-rows.ts';
import { erasBetween } from './eras.ts';
import type { PageScope } from './page-scope.ts';
import type { ScannedRow } from './scanned-row.ts';
import type { Walk, WalkPlace } from './walk.ts';
import { isByEra, placeAfter, scan, scanEntries, scanRecent, shareOf, type WalkRest } from './walk-scans.ts';

/** The outcome of one bounded piece of a walk. */
export interface WalkStep {
  /** Matching rows as of the page's position, in the order of the walk. */
  readonly rows: readonly ScannedRow[];
  /** How far the walk was looked through; undefined when that is its end. */
  readonly reached: WalkPlace | undefined;
}

/**
 * Looks through the next piece of a walk: at most about `sliceRows` index entries of each half, at most `limit` rows to return.
 * What stood at a position does not change, so pieces read at different times fit together.
 * @param isExact whether every row of the walk matches the filter
 * @throws PositionExpiredError when the page's position lies below the floor, or is of another history
 */
export function* walkStep(
  scope: PageScope,
  walk: Walk,
  after: WalkPlace | undefined,
  limit: number,
  sliceRows: number,
  isExact: boolean,
): Work<WalkStep> {
  const head = yield* headFor(scope.dialect, scope.target, scope);
  const isOld = scope.at < head.position;
  const isRecent = head.position - scope.at <= scope.limits.fewChanges;
  const rest: WalkRest = { scope, walk, after, eras: erasBetween(scope.at, head.position) };
  // A walk on which few entries were rows is gone on with in slices, which grow.
  if (isOld && isExact && sliceRows === scope.limits.sliceRows.first) {
    const step = yield* stepByEntries(rest, limit, isRecent);
    if (step !== undefined) return step;
  }
  // Where every entry is a row to return, the limit alone bounds the piece.
  const isBounded = isExact && !isOld;
  const recordEnd = isBounded ? undefined : yield* placeAfter(rest, 'record', undefined, sliceRows);
  if (!isOld) {
    const rows = yield* scan(rest, 'record', recordEnd, limit, isExact);
    return { rows, reached: reached(rows, limit, walk) ?? recordEnd };
  }
  const pastEnd = isRecent ? undefined : yield* placeAfter(rest, 'past', recordEnd, shareOf(sliceRows, rest));
  const end = pastEnd ?? recordEnd;
  const current = yield* scan(rest, 'record', end, limit, isExact);
  const past = isRecent
    ? yield* scanRecent(rest, end, limit, isExact)
    : yield* scan(rest, 'past', end, limit, isExact);
  const rows = [...current, ...past].sort(compareAlong(walk)).slice(0, limit);
  return { rows, reached: reached(rows, limit, walk) ?? end };
}

/**
 * A piece of a walk on which every row matches: so few entries are looked through that their rows can be read before it is known
 * which of them stood at the position. Undefined when one record has too many past versions there.
 */
function* stepByEntries(rest: WalkRest, limit: number, isRecent: boolean): Work<WalkStep | undefined> {
  const { scope, walk } = rest;
  // Some of the rows were written since: a few more entries than rows.
  const most = limit + Math.ceil(limit / 8) + 2;
  const current = yield* scanEntries(rest, 'record', undefined, most);
  const end = reached(current, most, walk);
  const share = shareOf(most, rest);
  const past = isRecent
    ? yield* scanRecent(rest, end, most, true)
    : yield* scanEntries(rest, 'past', end, share);
  const compare = compareAlong(walk);
  past.sort(compare);
  // Versions of one record share a place, and the last place of an era may have more of them.
  const cut = isRecent ? undefined : firstCut(past, share, rest, compare);
  const last = cut && past.findLast((row) => compare(row, cut) < 0);
  if (cut !== undefined && last === undefined) return undefined;
  const all = past.length === 0 ? current : [...current, ...past].sort(compare);
  const rows = all
    .filter((row) => wasStanding(row, scope.at) && (last === undefined || compare(row, last) <= 0))
    .slice(0, limit);
  return { rows, reached: reached(rows, limit, walk) ?? (last && placeOf(last, walk)) ?? end };
}

/** The row at which the first of the eras ends that may have more than were read; undefined when all were read to their ends. */
function firstCut(
  past: readonly ScannedRow[],
  share: number,
  { walk }: WalkRest,
  compare: RowOrder,
): ScannedRow | undefined {
  const byEra = Map.groupBy(past, ({ until = 0 }) => (isByEra(walk, 'past') ? eraOf(until) : 0));
  const ends = [...byEra.values()].filter((rows) => rows.length >= share).map((rows) => rows.at(-1));
  return ends.filter((end) => end !== undefined).sort(compare)[0];
}

function wasStanding({ position, until }: ScannedRow, at: Position): boolean {
  return position <= at && (until === undefined || until > at);
}

/** When there are as many rows as were asked for, the walk was looked through as far as the last. */
function reached(rows: readonly ScannedRow[], limit: number, walk: Walk): WalkPlace | undefined {
  const last = rows.length >= limit ? rows.at(-1) : undefined;
  return last && placeOf(last, walk);
}

function placeOf({ key, id }: ScannedRow, { field }: Walk): WalkPlace {
  return { key: field && key, id };
}
