import { Buffer } from 'node:buffer';
import { comparePageKeys } from 'rostack-core';
import type { IndexScan, ScanPosition } from './index-scan.ts';
import type { ScannedRow } from './scanned-row.ts';

const byId = comparePageKeys([]);

export type RowOrder = (a: ScannedRow, b: ScannedRow) => number;

/** The order of a scan: by its key, then by id, both in its direction. */
export function compareAlong({ field, descending }: IndexScan): (a: ScanPosition, b: ScanPosition) => number {
  const sign = descending ? -1 : 1;
  return (a, b) => {
    const order = field === undefined ? 0 : compareKeys(a.key, b.key);
    return sign * (order === 0 ? compareIds(a, b) : order);
  };
}

/** The order of a page: by each sort key in its own direction, then by id, ascending. */
export function compareSorted(descending: readonly boolean[]): RowOrder {
  return (a, b) => {
    for (const [index, isDescending] of descending.entries()) {
      const order = compareKeys(a.sortKeys[index], b.sortKeys[index]);
      if (order !== 0) return isDescending ? -order : order;
    }
    return compareIds(a, b);
  };
}

export function compareIds(a: { readonly id: string }, b: { readonly id: string }): number {
  return byId({ id: a.id, values: [] }, { id: b.id, values: [] });
}

function compareKeys(a: Buffer | undefined, b: Buffer | undefined): number {
  return a === undefined || b === undefined ? 0 : Buffer.compare(a, b);
}
