import { Buffer } from 'node:buffer';
import type { Head, PageQuery } from 'rostack-core';
import { type Database, run } from '../drivers/database.ts';
import type { Once } from '../drivers/dialect/sql.ts';
import { type HeadRow, headFor, headQuery } from '../log/read-head.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import { idRangeOf } from './plan/key-range.ts';
import type { PageLimits } from './plan/page-limits.ts';
import { type PagePlan, planPage } from './plan/page-plan.ts';
import { type PageRequest, pageScope, requestOf, type SnapshotScope } from './plan/page-scope.ts';
import { PageScanner } from './scan/page-scanner.ts';
import { firstOf, type PageReads, SlicedWay } from './scan/sliced-way.ts';
import { type JoinedRows, PAGE_BYTES, type PageRow } from './statement/page-statement.ts';

/** A page that no statement read at once. */
interface SlowPage {
  readonly database: Database;
  readonly target: StoredResource;
  readonly query: PageQuery;
  readonly limits: PageLimits;
  /** The head that an incomplete statement read. */
  readonly head: Head | undefined;
}

/**
 * Reads the rows of a page as a long read in the background: by the statements that took too long before, or in slices.
 * @throws PositionExpiredError when the position is below the floor, or is of another history
 * @throws SourceUnavailableError when the page is not complete in time
 */
export async function readSlowPage(
  reads: PageReads,
  statements: readonly Once[],
  { database, target, query, limits, head: seen }: SlowPage,
): Promise<{ readonly head: Head; readonly rows: JoinedRows }> {
  let head = seen;
  for (const statement of statements) {
    const { value } = await reads.read(() => run<PageRow>(statement));
    const [row] = value;
    head = headFor(row, query, target);
    if (row?.is_whole === 1) return { head, rows: row };
  }
  const { dialect } = database;
  if (head === undefined) {
    const [row] = await database.query<HeadRow>(headQuery(dialect, target.tables, query.at));
    head = headFor(row, query, target);
  }
  const scope = pageScope(dialect, target, query, limits);
  const { at, tag } = query.at === undefined ? { at: head.position, tag: head.tag } : query;
  const snapshot = { ...scope, at: at ?? head.position, tag };
  const bodies = await readInSlices(reads, snapshot, planPage(scope), requestOf(query));
  return { head, rows: joined(bodies) };
}

/**
 * Reads the bodies of a page that no index bounds, and of one more row if there is one: its scans are read slice by slice, in turns with a
 * scan of all records by id if that may finish sooner. The versions that were current at a position do not change, so slices read at
 * different times fit together.
 */
async function readInSlices(
  reads: PageReads,
  scope: SnapshotScope,
  { scans, isOrdered, rest }: PagePlan,
  { after, limit }: PageRequest,
): Promise<readonly string[]> {
  const scanner = new PageScanner(scope, rest === undefined);
  const [scan] = scans;
  if (scan === undefined) return [];
  const want = limit + 1;
  const inOrder = isOrdered ? scanner.takeMerged(scans, after, want) : scanner.takeGrouped(scan, after, want);
  const { filter, fieldOf, limits, sort, target } = scope;
  // If every row of the scan matches, it fills the page at once; and a page without a sort is already scanned by id, or by keys that few
  // records have.
  const byId =
    rest === undefined || sort.length === 0
      ? undefined
      : scanner.takeById(idRangeOf(filter, target.resource.idPath, fieldOf), after, want);
  const rows = await firstOf(
    new SlicedWay(reads, inOrder, limits),
    byId && new SlicedWay(reads, byId, limits),
    want,
  );
  return rows.map(({ body }) => body);
}

/** Bodies in the form in which a statement joins them. */
function joined(bodies: readonly string[]): JoinedRows {
  let bytes = 0;
  const end = bodies.findIndex((body, index) => {
    bytes += Buffer.byteLength(body, 'utf8');
    return index > 0 && bytes > PAGE_BYTES;
  });
  const within = end === -1 ? bodies : bodies.slice(0, end);
  const leftOut = bodies.length - within.length;
  return { found: within.length, left_out: leftOut, bodies: Buffer.from(within.join(',')) };
}
