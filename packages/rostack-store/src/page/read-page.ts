import { type JsonValue, type PageKey, type PageQuery, pageKeyOf, type StoredRecord } from 'rostack-core';
import type { Database } from '../database/database.ts';
import { encodeOrderKey } from '../key/encode-key.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import { type Access, accessesOf, isExact } from './access.ts';
import { collectAccess, countAccess } from './collect.ts';
import { compareSorted } from './compare-rows.ts';
import { pointOf } from './key-range.ts';
import type { PageLimits } from './page-limits.ts';
import { PageReads } from './page-reads.ts';
import { type PageScope, type PlacedPageQuery, pageScope } from './page-scope.ts';
import { PageWalker } from './page-walker.ts';
import { rowAt, type ScannedRow, type SortPlace } from './scanned-row.ts';
import { BY_ID, type Walk } from './walk.ts';

export interface PageRecords {
  readonly records: readonly StoredRecord[];
  /** Key of the last record when there are more, else undefined. */
  readonly next: PageKey | undefined;
}

/**
 * One page of a resource, as of its position.
 *
 * Which index is used is decided here and not by the databases' planners, so that the cost is bounded the same way on both:
 * a filter that few records match is answered from its own index; else the page walks along its sort order (without one: along
 * the filter's index when that gives the ids in order) and tests each row.
 * @throws PositionExpiredError when the position lies below the floor, or is of another history
 * @throws SourceUnavailableError when the page is not complete in time
 */
export async function readPage(
  database: Database,
  target: StoredResource,
  query: PlacedPageQuery,
  timeoutMs: number,
  limits: PageLimits,
): Promise<PageRecords> {
  const scope = pageScope(database.dialect, target, query, limits);
  const reads = new PageReads(database, timeoutMs, limits.briefMs);
  // One row more than the page has tells whether there is a next page.
  const rows = await takeRows(reads, scope, placeOf(query.after), query.limit + 1);
  const records = rows.slice(0, query.limit).map(toRecord);
  const last = rows.length > query.limit ? records.at(-1) : undefined;
  return { records, next: last && keyOf(last, query) };
}

async function takeRows(
  reads: PageReads,
  scope: PageScope,
  after: SortPlace | undefined,
  limit: number,
): Promise<ScannedRow[]> {
  const accesses = scope.filter === undefined ? [] : accessesOf(scope.filter, scope.fieldOf);
  const alongOrder = walkOrder(scope, accesses);
  if (accesses.some((access) => access.length === 0)) return [];
  const others = accesses.filter((access) => access !== alongOrder.access);
  if (others.length > 0) {
    const few = await findFew(reads, scope, accesses);
    if (few !== undefined) return collect(reads, scope, few, after, limit);
  }
  return alongOrder.take(new PageWalker(scope, reads), after, limit);
}

/** How to walk in the order of the page. */
interface OrderWalk {
  /** The access that the walk keeps to, if any. */
  readonly access: Access | undefined;
  take(walker: PageWalker, after: SortPlace | undefined, limit: number): Promise<ScannedRow[]>;
}

function walkOrder(scope: PageScope, accesses: readonly Access[]): OrderWalk {
  const isAll = scope.condition === undefined;
  const [field] = scope.sortFields;
  const [key] = scope.sort;
  if (field === undefined || key === undefined) {
    const access = accesses.find((candidate) => isMergeable(candidate, scope.limits));
    if (access === undefined) {
      return {
        access,
        take: (walker, after, limit) => walker.takeMerged([BY_ID], after?.id, limit, isAll),
      };
    }
    const exact = scope.filter !== undefined && isExact(scope.filter, scope.fieldOf);
    const walks = access.map(({ field, range }) => ({ field, range, descending: false }));
    return { access, take: (walker, after, limit) => walker.takeMerged(walks, after?.id, limit, exact) };
  }
  const access = accesses.find((candidate) => candidate.length === 1 && candidate[0]?.field === field);
  const walk: Walk = { field, range: access?.[0]?.range ?? {}, descending: key.descending };
  if (scope.sort.length > 1 || key.descending) {
    return { access, take: (walker, after, limit) => walker.takeGrouped(walk, after, limit) };
  }
  return {
    access,
    take: (walker, after, limit) => {
      const place = after && { key: after.sortKeys[0], id: after.id };
      return walker.take(walk, place, limit, isAll);
    },
  };
}

/** Walks at one key each give ids in order. */
function isMergeable(access: Access, { maxMergedWalks }: PageLimits): boolean {
  return access.length <= maxMergedWalks && access.every(({ range }) => pointOf(range) !== undefined);
}

/** The access with the fewest entries, when these are few. */
async function findFew(
  reads: PageReads,
  scope: PageScope,
  accesses: readonly Access[],
): Promise<Access | undefined> {
  let limit = scope.limits.maxCollected + 1;
  let few: Access | undefined;
  for (const access of accesses) {
    const most = limit;
    const { value: count } = await reads.read(() => countAccess(scope, access, most));
    if (count >= limit) continue;
    limit = count;
    few = access;
    if (count === 0) break;
  }
  return few;
}

async function collect(
  reads: PageReads,
  scope: PageScope,
  access: Access,
  after: SortPlace | undefined,
  limit: number,
): Promise<ScannedRow[]> {
  const compare = compareSorted(scope.sort.map(({ descending }) => descending));
  const { value: rows } = await reads.read(() => collectAccess(scope, access));
  const beyond = after === undefined ? rows : rows.filter((row) => compare(row, rowAt(after)) > 0);
  return beyond.sort(compare).slice(0, limit);
}

function placeOf(after: PageKey | undefined): SortPlace | undefined {
  return after && { sortKeys: after.values.map(encodeOrderKey), id: after.id };
}

function keyOf({ id, body }: StoredRecord, { sort }: PageQuery): PageKey {
  return sort.length === 0
    ? { values: [], id }
    : pageKeyOf({ id, value: JSON.parse(body) as JsonValue }, sort);
}

function toRecord({ id, version, position, body }: ScannedRow): StoredRecord {
  return { id, version, position, body };
}
