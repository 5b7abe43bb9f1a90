import { describe, expect, test } from 'vitest';
import { PAGE_LIMITS } from '../plan/page-limits.ts';
import type { ScannedRow } from '../plan/scanned-row.ts';
import { firstOf, type PageReads, type Slice, type Sliced, SlicedWay } from './sliced-way.ts';

const PAGE_ROWS = 51;
const RECORDS = 200_000;
/** Index entries in the page's order point to records all over the table. */
const SCANNED_ENTRIES_PER_MS = 400;
const RECORDS_PER_MS = 1_600;

interface Table {
  /** One in so many records matches. */
  readonly every: number;
  /** Number of records that the scan meets before the first one that matches. */
  readonly before?: number;
}

/** Scans a table in two ways, with a clock that counts the entries read: how long each takes alone, and both in turns. */
async function timesOf({ every, before = 0 }: Table) {
  let nowMs = 0;
  let entriesPerMs = 1;
  const reads = {
    read: (work: () => { readonly examined: number }) => {
      const value = work();
      const tookMs = 1 + value.examined / entriesPerMs;
      nowMs += tookMs;
      return Promise.resolve({ value, speed: 50 / tookMs, tookMs });
    },
  } as unknown as PageReads;

  function* through(rate: number, stopsWhenFull: boolean): Sliced<readonly ScannedRow[]> {
    const rows: ScannedRow[] = [];
    const matchedUpTo = (place: number) => Math.max(0, Math.floor((place - before) / every));
    const reached = { records: 0 };
    do {
      const start = reached.records;
      const read = (sliceRows: number) => {
        entriesPerMs = rate;
        const examined = Math.min(sliceRows, RECORDS - start);
        reached.records = start + examined;
        const found = Array.from({ length: matchedUpTo(start + examined) - matchedUpTo(start) }, () => row);
        return { rows: found, reached: { key: undefined, id: String(start + examined) }, examined };
      };
      const step = yield { limit: PAGE_ROWS, read: read as unknown as Slice['read'] };
      rows.push(...step.rows);
      if (stopsWhenFull && rows.length >= PAGE_ROWS) break;
    } while (reached.records < RECORDS);
    return rows.slice(0, PAGE_ROWS);
  }
  const scan = () => new SlicedWay(reads, through(SCANNED_ENTRIES_PER_MS, true), PAGE_LIMITS);
  const byId = () => new SlicedWay(reads, through(RECORDS_PER_MS, false), PAGE_LIMITS);
  const timed = async (run: () => Promise<readonly ScannedRow[]>) => {
    const startMs = nowMs;
    const { length } = await run();
    return { ms: nowMs - startMs, rows: length };
  };
  return {
    scan: await timed(() => firstOf(scan(), undefined, PAGE_ROWS)),
    byId: await timed(() => firstOf(byId(), undefined, PAGE_ROWS)),
    both: await timed(() => firstOf(scan(), byId(), PAGE_ROWS)),
  };
}

const row: ScannedRow = { id: 'x', body: '{}', key: undefined, sortKeys: [] };

describe('two ways to one page', () => {
  test('where nothing matches, the page takes little longer than going through all records', async () => {
    const { scan, byId, both } = await timesOf({ every: RECORDS + 1 });
    expect(scan.ms).toBeGreaterThan(3 * byId.ms);
    expect(both.ms).toBeLessThan(1.5 * byId.ms);
  });

  test('where fewer match than the page holds, it takes less than half as long again', async () => {
    const { byId, both } = await timesOf({ every: RECORDS / 5 });
    expect(both.ms).toBeLessThan(1.5 * byId.ms);
    expect(both.rows).toBe(5);
  });

  test.each([
    ['often', 20],
    ['now and then', 100],
  ])('where records match %s, the scan ends it and the other way hardly costs time', async (_name, every) => {
    const { scan, byId, both } = await timesOf({ every });
    expect(scan.ms).toBeLessThan(byId.ms);
    expect(both.ms).toBeLessThan(1.5 * scan.ms);
    expect(both.rows).toBe(PAGE_ROWS);
  });

  test('a late first match costs no more than both ways together', async () => {
    const { scan, byId, both } = await timesOf({ every: 3, before: RECORDS / 3 });
    expect(both.ms).toBeLessThan(scan.ms + byId.ms);
    expect(both.rows).toBe(PAGE_ROWS);
  });
});
