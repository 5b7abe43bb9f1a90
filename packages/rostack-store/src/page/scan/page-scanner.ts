import type { Buffer } from 'node:buffer';
import { compareIds, compareSorted } from '../plan/compare-rows.ts';
import type { IndexScan, ScanPosition } from '../plan/index-scan.ts';
import { type KeyRange, pointOf, pointRange } from '../plan/key-range.ts';
import type { SnapshotScope } from '../plan/page-scope.ts';
import { rowAt, type ScannedRow, type SortPlace } from '../plan/scanned-row.ts';
import { groupStep, scanStep } from './scan-step.ts';
import type { Slice, Sliced } from './sliced-way.ts';

/** Reads the rows of one page, slice by slice. */
export class PageScanner {
  readonly #scope: SnapshotScope;
  readonly #isExact: boolean;

  /** @param isExact whether every row of the scans matches the filter */
  constructor(scope: SnapshotScope, isExact: boolean) {
    this.#scope = scope;
    this.#isExact = isExact;
  }

  /** The first `limit` rows of scans in the order of the page; several scans have one key each and are merged by id. */
  *takeMerged(
    scans: readonly IndexScan[],
    after: SortPlace | undefined,
    limit: number,
  ): Sliced<ScannedRow[]> {
    const byId = new Map<string, ScannedRow>();
    for (const scan of scans) {
      const { field, range } = scan;
      const key = field && (pointOf(range) ?? after?.sortKeys[0]);
      // A record may be on the scans of several fields.
      for (const row of yield* this.#take(scan, after && { key, id: after.id }, limit)) byId.set(row.id, row);
    }
    const rows = [...byId.values()];
    return scans.length > 1 ? rows.sort(compareIds).slice(0, limit) : rows;
  }

  /** The first `limit` rows of a scan after a place, in its own order. */
  *#take(scan: IndexScan, after: ScanPosition | undefined, limit: number): Sliced<ScannedRow[]> {
    const rows: ScannedRow[] = [];
    let from = after;
    while (rows.length < limit) {
      const step = yield this.#step(scan, from, limit - rows.length);
      rows.push(...step.rows);
      if (step.reached === undefined) break;
      from = step.reached;
    }
    return rows;
  }

  /**
   * The first `limit` rows after a place where the page's order is not the scan's: the scan goes by the first sort key,
   * and rows with the same first key (a group) are put in order here.
   */
  *takeGrouped(scan: IndexScan, after: SortPlace | undefined, limit: number): Sliced<ScannedRow[]> {
    const compare = compareSorted(this.#scope.sort.map(({ descending }) => descending));
    const isBeyond = (row: ScannedRow) => after === undefined || compare(row, rowAt(after)) > 0;
    const afterKey = after?.sortKeys[0];
    const rows: ScannedRow[] = [];
    let rest = afterKey === undefined ? scan : startingAt(scan, afterKey, true);
    while (rows.length < limit) {
      // Two more than are missing: the row at the place itself, and one that shows where the last group ends.
      const most = limit - rows.length + 2;
      const step = yield this.#step(rest, undefined, most);
      const cut = step.reached?.key;
      // The last group of the piece may be incomplete.
      const whole = cut === undefined ? step.rows : step.rows.filter(({ key }) => key?.equals(cut) !== true);
      rows.push(...whole.filter(isBeyond).sort(compare));
      if (cut === undefined) break;
      if (whole.length > 0) {
        rest = startingAt(rest, cut, true);
        continue;
      }
      const place = afterKey?.equals(cut) === true ? after : undefined;
      rows.push(...(yield* this.#takeGroup(scan, cut, place, limit - rows.length)));
      rest = startingAt(rest, cut, false);
    }
    return rows.slice(0, limit);
  }

  /** The first `limit` rows after a place in the page's order, out of all records, which are scanned by id. */
  takeById(ids: KeyRange<string>, after: SortPlace | undefined, limit: number): Sliced<ScannedRow[]> {
    return this.#takeFirst({ range: {}, ids, descending: false }, after, limit);
  }

  /** The first `limit` rows after a place within one group. */
  *#takeGroup(
    scan: IndexScan,
    key: Buffer,
    after: SortPlace | undefined,
    limit: number,
  ): Sliced<ScannedRow[]> {
    const group: IndexScan = { field: scan.field, range: pointRange(key), descending: false };
    if (this.#scope.sort.length === 1) return yield* this.#take(group, after && { key, id: after.id }, limit);
    return yield* this.#takeFirst(group, after, limit);
  }

  /** Reads a scan to its end and returns its first `limit` rows after a place, both in the order of the page. */
  *#takeFirst(scan: IndexScan, after: SortPlace | undefined, limit: number): Sliced<ScannedRow[]> {
    const compare = compareSorted(this.#scope.sort.map(({ descending }) => descending));
    let first: ScannedRow[] = [];
    let from: ScanPosition | undefined;
    do {
      const place = from;
      const step = yield {
        limit,
        read: (sliceRows) =>
          groupStep(this.#scope, { scan, after: place, limit, sliceRows, isExact: this.#isExact }, after),
      };
      first = [...first, ...step.rows].sort(compare).slice(0, limit);
      from = step.reached;
    } while (from !== undefined);
    return first;
  }

  #step(scan: IndexScan, after: ScanPosition | undefined, limit: number): Slice {
    return {
      limit,
      read: (sliceRows) => scanStep(this.#scope, { scan, after, limit, sliceRows, isExact: this.#isExact }),
    };
  }
}

/** The part of a scan that starts at a key, or after it. */
function startingAt(scan: IndexScan, key: Buffer, inclusive: boolean): IndexScan {
  const bound = { key, inclusive };
  const { low, high } = scan.range;
  return { ...scan, range: scan.descending ? { low, high: bound } : { low: bound, high } };
}
