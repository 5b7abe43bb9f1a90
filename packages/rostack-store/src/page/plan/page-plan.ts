import type { Filter, PageQuery } from 'rostack-core';
import type { FieldPair, StoredField } from '../../schema/resource/field.ts';
import { type Access, accessesOf, restOf } from './access.ts';
import type { IndexScan, Within } from './index-scan.ts';
import { idRangeOf, pointOf } from './key-range.ts';
import type { PageLimits } from './page-limits.ts';
import type { PageScope } from './page-scope.ts';

/** How a page is read. The index is chosen here and not by the databases' planners, so that the cost has the same bound on both. */
export interface PagePlan {
  /** Scans that together cover every record of the page: one, or several of one key each, which are merged by id. */
  readonly scans: readonly IndexScan[];
  /** Whether the scan has the page's order. If not, it goes by the first sort key, and rows with the same first key are sorted. */
  readonly isOrdered: boolean;
  /** The filter that the scans' rows have to be tested for; undefined if all of them match. */
  readonly rest: Filter | undefined;
  /** Used instead of the scans if a composite index covers the page: a part of them, in the same order. */
  readonly composite: Pick<PagePlan, 'scans' | 'rest'> | undefined;
  /** Other access paths to every record of the page, used when the scans meet too few of them. */
  readonly accesses: readonly TestedAccess[];
  /** Whether no record can match. */
  readonly isEmpty: boolean;
}

export interface TestedAccess {
  readonly access: Access;
  /** The filter that its records have to be tested for; undefined if all of them match. */
  readonly rest: Filter | undefined;
}

/** Each of them may cost a statement that does not find the page. */
const MAX_ACCESSES = 3;

export function planPage(scope: PageScope): PagePlan {
  const { filter, sort, sortFields, fieldOf, limits, target } = scope;
  const accesses = filter === undefined ? [] : accessesOf(filter, fieldOf);
  const isEmpty = accesses.some((access) => access.length === 0);
  const restOn = (access: Access | undefined) =>
    filter && (access === undefined ? filter : restOf(filter, access, fieldOf));
  const others = (kept: Access | undefined) =>
    accesses
      .filter((access) => access !== kept)
      .slice(0, MAX_ACCESSES)
      .map((access) => ({ access, rest: restOn(access) }));
  const [field] = sortFields;
  const [key] = sort;
  if (field === undefined || key === undefined) {
    const access = accesses.find((candidate) => isMergeable(candidate, limits.mergedScans));
    const byId = { range: {}, ids: idRangeOf(filter, target.resource.idPath, fieldOf), descending: false };
    const scans = access?.map(({ field, range }) => ({ field, range, descending: false })) ?? [byId];
    return {
      scans,
      isOrdered: true,
      rest: restOn(access),
      composite: undefined,
      accesses: others(access),
      isEmpty,
    };
  }
  const access = accesses.find((candidate) => candidate.length === 1 && candidate[0]?.field === field);
  const scan: IndexScan = { field, range: access?.[0]?.range ?? {}, descending: key.descending };
  const isOrdered = sort.length === 1 && !key.descending;
  const rest = restOn(access);
  const within = withinOf(target.tables.compositeIndexes, field, accesses);
  const composite = within && {
    scans: [{ ...scan, within: { field: within.field, key: within.key } }],
    rest: rest && restOf(rest, within.access, fieldOf),
  };
  return { scans: [scan], isOrdered, rest, composite, accesses: others(access), isEmpty };
}

/** The single key of a field that has a composite index with the field that the page is sorted by. */
function withinOf(
  indexes: readonly FieldPair<StoredField>[],
  sorted: StoredField,
  accesses: readonly Access[],
): (Within & { readonly access: Access }) | undefined {
  for (const { equal, sort } of indexes) {
    if (sort !== sorted) continue;
    for (const access of accesses) {
      const [only] = access;
      const key = access.length === 1 && only?.field === equal ? pointOf(only.range) : undefined;
      if (key !== undefined) return { field: equal, key, access };
    }
  }
  return undefined;
}

/** Scans of one key each return ids in order. */
function isMergeable(access: Access, most: number): boolean {
  return access.length <= most && access.every(({ range }) => pointOf(range) !== undefined);
}

/** More than the number of query shapes that a resource's clients use. */
const MAX_SHAPES = 1_000;

/**
 * Remembers which access path read the last page of the same query shape, to try it first for the next one. Every complete path returns the
 * same page, so this only affects time.
 */
export class PathStats {
  readonly #ways = new Map<string, number>();

  /** The numbers of all access paths, the likeliest first. */
  inOrder(query: PageQuery, count: number): readonly number[] {
    const all = Array.from({ length: count }, (_, index) => index);
    const known = count > 1 ? (this.#ways.get(shapeOf(query)) ?? 0) : 0;
    return known === 0 ? all : [known, ...all.filter((way) => way !== known)];
  }

  remember(query: PageQuery, way: number): void {
    if (this.#ways.size >= MAX_SHAPES) this.#ways.clear();
    this.#ways.set(shapeOf(query), way);
  }
}

/** The query without its values. */
function shapeOf({ filter, sort }: PageQuery): string {
  const keys = sort.map(({ pointer, descending }) => `${pointer} ${descending}`);
  return JSON.stringify([keys, filter && shapeOfFilter(filter)]);
}

function shapeOfFilter(filter: Filter): unknown {
  if (filter.kind === 'comparison') return [filter.operator, filter.pointer];
  return filter.kind === 'not'
    ? [filter.kind, shapeOfFilter(filter.filter)]
    : [filter.kind, filter.filters.map(shapeOfFilter)];
}

/** How the pages of a resource are read. */
export interface PageReading {
  readonly pathStats: PathStats;
  /** How long a page may take. */
  readonly timeoutMs: number;
  readonly limits: PageLimits;
}
