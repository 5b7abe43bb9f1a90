import { Buffer } from 'node:buffer';
import {
  type Head,
  type JsonValue,
  type Page,
  type PageQuery,
  pageKeyOf,
  parseTrustedJson,
  recordIdText,
  resolvePointer,
} from 'rostack-core';
import { type Database, run } from '../drivers/database.ts';
import type { Dialect, Once } from '../drivers/dialect.ts';
import { OverTimeError } from '../drivers/time-bound.ts';
import { type HeadRow, headFor, headOf, headQuery } from '../log/read-head.ts';
import { encodeOrderKey } from '../schema/key/encode-key.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import { indexName } from '../schema/tables.ts';
import { idRangeOf } from './id-range.ts';
import type { IndexScan } from './index-scan.ts';
import { startOfLastObject } from './last-object.ts';
import type { PageRequest } from './page-builder.ts';
import type { PageLimits } from './page-limits.ts';
import { type PagePlan, planPage } from './page-plan.ts';
import { PageReads } from './page-reads.ts';
import { PageScanner } from './page-scanner.ts';
import { pageScope, type SnapshotScope } from './page-scope.ts';
import { PAGE_BYTES, type PageRow, pageStatement } from './page-statement.ts';
import type { PathStats } from './path-stats.ts';
import { firstOf, SlicedWay } from './sliced-way.ts';

/** How the pages of a resource are read. */
export interface PageReading {
  readonly pathStats: PathStats;
  /** How long a page may take. */
  readonly timeoutMs: number;
  readonly limits: PageLimits;
}

/**
 * One page of a resource, as of its position or the newest one: by one statement, where indexes bound what it has to look at; else in
 * slices of a walk. There is no third way.
 * @throws PositionExpiredError when the position lies below the floor, or is of another history
 * @throws SourceUnavailableError when the page is not complete in time
 */
export async function readPage(
  database: Database,
  target: StoredResource,
  query: PageQuery,
  reading: PageReading,
): Promise<Page> {
  let head: Head | undefined;
  const reads = new PageReads(database, reading.timeoutMs);
  const slow: AccessPath[] = [];
  for (const way of accessPathsOf(database.dialect, target, query, reading)) {
    const row = await tryPath(database, way, query, reading);
    if (row === undefined) {
      slow.push(way);
      continue;
    }
    head = headIn(row, query, target);
    if (row.is_whole === 1) return pageOf(row, head, query, target);
  }
  for (const { statement } of slow) {
    const { value } = await reads.read(() => run<PageRow>(statement));
    const [row] = value;
    head = headIn(row, query, target);
    if (row?.is_whole === 1) return pageOf(row, head, query, target);
  }
  const { dialect } = database;
  head ??= headIn(
    (await database.query<HeadRow>(headQuery(dialect, target.tables, query.at)))[0],
    query,
    target,
  );
  const scope = pageScope(dialect, target, query, reading.limits);
  const snapshot = {
    ...scope,
    at: query.at ?? head.position,
    tag: query.at === undefined ? head.tag : query.tag,
  };
  const bodies = await readInSlices(reads, snapshot, planPage(scope), requestOf(query));
  return pageOf(joined(bodies), head, query, target);
}

/** A statement that may read the page. */
interface AccessPath {
  readonly statement: Once;
  /** Names of the indexes that it goes by; `id` for that of the ids. */
  readonly indexes: readonly string[];
  readonly number: number;
  /** Whether another one was the likely one. */
  readonly isSecondChoice: boolean;
}

/** The ways of a page, the likely one first. @throws StoreOptionsError for fields that the resource was not opened with */
export function* accessPathsOf(
  dialect: Dialect,
  target: StoredResource,
  query: PageQuery,
  { pathStats, limits }: PageReading,
): Generator<AccessPath, void> {
  const scope = pageScope(dialect, target, query, limits);
  const plan = planPage(scope);
  const walked = { ...plan, ...plan.composite };
  const accesses = [undefined, ...plan.accesses];
  for (const [place, number] of pathStats.inOrder(query, accesses.length).entries()) {
    const access = accesses[number];
    const parts: readonly Pick<IndexScan, 'field' | 'within'>[] = access?.access ?? walked.scans;
    const names = parts.map(({ field, within }) =>
      field === undefined ? 'id' : indexName(target.tables.record, field, within?.field),
    );
    const statement = pageStatement(scope, walked, requestOf(query), access);
    yield { statement, indexes: [...new Set(names)], number, isSecondChoice: place > 0 };
  }
}

/**
 * What the statement read; undefined where it was ended, since it took too long for this thread: along another way the page may be short,
 * and the statement is bounded anyway, so that it may run on elsewhere.
 */
export async function tryPath(
  database: Database,
  { statement, number, isSecondChoice }: AccessPath,
  query: PageQuery,
  { pathStats, limits }: PageReading,
): Promise<PageRow | undefined> {
  const { filter } = query;
  try {
    const [row] = await database.query<PageRow>(statement, filter === undefined ? undefined : limits.briefMs);
    if (isSecondChoice && row?.is_whole === 1) pathStats.remember(query, number);
    return row;
  } catch (error) {
    if (error instanceof OverTimeError) return undefined;
    throw error;
  }
}

function requestOf({ at, after, limit }: PageQuery): PageRequest {
  const place = after && { sortKeys: after.values.map(encodeOrderKey), id: after.id };
  return { at, after: place, limit };
}

function headIn(row: HeadRow | undefined, { at, tag }: PageQuery, target: StoredResource): Head {
  return at === undefined ? headOf(row, target) : headFor(row, { at, tag }, target);
}

type JoinedRows = Pick<PageRow, 'found' | 'left_out' | 'bodies'>;

/** Bodies as a statement joins them. */
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

/** The page's rows out of those that were found, which are one more when there are more. */
function pageOf(
  { found, left_out: leftOut, bodies }: JoinedRows,
  head: Head,
  { limit, sort }: PageQuery,
  { resource }: StoredResource,
): Page {
  const all = bodies ?? Buffer.alloc(0);
  if (found <= limit && leftOut === 0) return { head, bodies: all, next: undefined };
  // Up to the comma before the row beyond the page.
  const end = found > limit ? startOfLastObject(all, all.byteLength) - 1 : all.byteLength;
  const last = parseTrustedJson(all.toString('utf8', startOfLastObject(all, end), end)) as JsonValue;
  const id = recordIdText(resolvePointer(last, resource.idPath)) as string;
  return { head, bodies: all.subarray(0, end), next: pageKeyOf({ id, value: last }, sort) };
}

/**
 * The bodies of a page that no index bounds, and of one more row where there are more: its walks are looked through slice by slice, and
 * in turns with them all records by id, where that may be sooner. What was current at a position does not change, so slices that are read at different times fit together.
 * @throws PositionExpiredError when the position lies below the floor, or is of another history
 * @throws SourceUnavailableError when the page is not complete in time
 */
async function readInSlices(
  reads: PageReads,
  scope: SnapshotScope,
  { scans, isOrdered, rest }: PagePlan,
  { after, limit }: PageRequest,
): Promise<readonly string[]> {
  const walker = new PageScanner(scope, rest === undefined);
  const [walk] = scans;
  if (walk === undefined) return [];
  const want = limit + 1;
  const inOrder = isOrdered ? walker.takeMerged(scans, after, want) : walker.takeGrouped(walk, after, want);
  const { filter, fieldOf, limits, sort, target } = scope;
  // Where every row of the walk matches, it finds the page at once; and without a sort it goes by id, or by keys that few records have.
  const byId =
    rest === undefined || sort.length === 0
      ? undefined
      : walker.takeById(idRangeOf(filter, target.resource.idPath, fieldOf), after, want);
  const rows = await firstOf(
    new SlicedWay(reads, inOrder, limits),
    byId && new SlicedWay(reads, byId, limits),
    want,
  );
  return rows.map(({ body }) => body);
}
