import type { Buffer } from 'node:buffer';
import type { Row } from '../../drivers/dialect/query.ts';
import type { IndexScan } from './index-scan.ts';
import { pointOf } from './key-range.ts';

/** A row read for a page. */
export interface ScannedRow {
  readonly id: string;
  readonly body: string;
  /** Its key on the scan; undefined for a scan by id. */
  readonly key: Buffer | undefined;
  /** Order key of each sort key. */
  readonly sortKeys: readonly Buffer[];
}

/** Reads the columns `id, body, s0, s1, ...`. @param scan on which the row was found, if it goes by keys */
export function toScannedRow(row: Row, sortKeyCount: number, scan?: IndexScan): ScannedRow {
  const sortKeys: Buffer[] = [];
  for (let index = 0; index < sortKeyCount; index += 1) sortKeys.push(row[`s${index}`] as Buffer);
  return {
    id: row['id'] as string,
    body: row['body'] as string,
    key: scan && keyOn(scan, sortKeys),
    sortKeys,
  };
}

/** A scan has a single key, or goes by the first field of the page's order. */
function keyOn({ field, range }: IndexScan, sortKeys: readonly Buffer[]): Buffer | undefined {
  return field && (pointOf(range) ?? sortKeys[0]);
}

/** A place in the order of a page, as order keys. */
export interface SortPlace {
  readonly sortKeys: readonly Buffer[];
  readonly id: string;
}

/** A row at a place, to compare others with. */
export function rowAt(place: SortPlace): ScannedRow {
  return { ...place, key: undefined, body: '' };
}
