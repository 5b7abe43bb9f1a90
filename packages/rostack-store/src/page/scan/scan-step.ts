import type { Work } from '../../drivers/database.ts';
import { readHead } from '../../log/read-head.ts';
import { compareAlong, compareSorted } from '../plan/compare-rows.ts';
import type { IndexScan, ScanPosition } from '../plan/index-scan.ts';
import { isBeyond, type SnapshotScope } from '../plan/page-scope.ts';
import { partitionsBetween } from '../plan/partitions.ts';
import type { ScannedRow, SortPlace } from '../plan/scanned-row.ts';
import { placeAfter, type ScanRest, scanRows, shareOf } from './scan-rows.ts';

/** The outcome of one bounded piece of a scan. */
export interface ScanStep {
  /** Matching rows as of the page's position, in the order of the scan. */
  readonly rows: readonly ScannedRow[];
  /** How far the scan has come; undefined at its end. */
  readonly reached: ScanPosition | undefined;
}

/** A piece of a scan to read. */
export interface ScanPiece {
  readonly scan: IndexScan;
  /** Where the piece before it ended; undefined at the beginning. */
  readonly after: ScanPosition | undefined;
  /** The most rows to return. */
  readonly limit: number;
  /** About how many index entries of current records to examine, and how many of past ones. */
  readonly sliceRows: number;
  /** Whether every row of the scan matches the filter. */
  readonly isExact: boolean;
}

/**
 * Reads the next piece of a scan, its rows in the order of the scan. The versions that were current at a position do not change, so pieces
 * read at different times fit together.
 * @throws PositionExpiredError when the page's position is below the floor, or is of another history
 */
export function scanStep(scope: SnapshotScope, piece: ScanPiece): Work<ScanStep> {
  const { scan, limit } = piece;
  return readPiece(scope, piece, {}, (rows, end) => {
    const first = rows.sort(compareAlong(scan)).slice(0, limit);
    return { rows: first, reached: reached(first, limit, scan) ?? end };
  });
}

/**
 * As `scanStep`, but returns the piece's first rows in the order of the page: the database sorts them, so it returns at most `limit` rows
 * of a piece of any length.
 * @param beyond the place in the page's order after which rows are wanted
 */
export function groupStep(
  scope: SnapshotScope,
  piece: ScanPiece,
  beyond: SortPlace | undefined,
): Work<ScanStep> {
  const conditions = beyond === undefined ? [] : [isBeyond(scope, beyond)];
  const compare = compareSorted(scope.sort.map(({ descending }) => descending));
  return readPiece(scope, piece, { conditions, isByPage: true }, (rows, end) => ({
    rows: rows.sort(compare).slice(0, piece.limit),
    reached: end,
  }));
}

function* readPiece(
  scope: SnapshotScope,
  { scan, after, limit, sliceRows, isExact }: ScanPiece,
  only: Pick<ScanRest, 'conditions' | 'isByPage'>,
  toStep: (rows: ScannedRow[], end: ScanPosition | undefined) => ScanStep,
): Work<ScanStep> {
  const head = yield* readHead(scope.dialect, scope.target, scope);
  const isOld = scope.at < head.position;
  const partitions = partitionsBetween(scope.at, head.position);
  const rest: ScanRest = { scope, scan, after, partitions, ...only };
  const recordEnd = yield* placeAfter(rest, 'record', undefined, sliceRows);
  const pastEnd = isOld ? yield* placeAfter(rest, 'past', recordEnd, shareOf(sliceRows, rest)) : undefined;
  const end = pastEnd ?? recordEnd;
  const current = yield* scanRows(rest, 'record', end, limit, isExact);
  const past = isOld ? yield* scanRows(rest, 'past', end, limit, isExact) : [];
  return toStep([...current, ...past], end);
}

/** If the limit was reached, the scan has come as far as the last row. */
function reached(rows: readonly ScannedRow[], limit: number, { field }: IndexScan): ScanPosition | undefined {
  const last = rows.length >= limit ? rows.at(-1) : undefined;
  return last && { key: field && last.key, id: last.id };
}
