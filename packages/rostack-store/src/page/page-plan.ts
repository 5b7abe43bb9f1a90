import type { Filter } from 'rostack-core';
import { type Access, accessesOf, restOf } from './access.ts';
import { idRangeOf } from './id-range.ts';
import { pointOf } from './key-range.ts';
import type { PageScope } from './page-scope.ts';
import type { Walk } from './walk.ts';

/**
 * How a page is found. Which index is used is decided here and not by the databases' planners, so that the cost is bounded the same
 * way on both.
 */
export interface PagePlan {
  /** Walks that together hold every record of the page. One, or several at one key each: these are merged by id. */
  readonly walks: readonly Walk[];
  /** Whether the page's order is the walk's. If not, the walk goes by the first sort key, and rows with the same one are put in order. */
  readonly isOrdered: boolean;
  /** What rows of the walks have to be tested for; undefined: nothing, every one matches. */
  readonly rest: Filter | undefined;
  /** Other ways through indexes to every record of the page, for where walks meet too few of them. */
  readonly accesses: readonly TestedAccess[];
  /** Whether nothing can match. */
  readonly isEmpty: boolean;
}

export interface TestedAccess {
  readonly access: Access;
  /** What its records have to be tested for; undefined: nothing. */
  readonly rest: Filter | undefined;
}

/** Each of them may be a statement that is tried in vain. */
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
    const access = accesses.find((candidate) => isMergeable(candidate, limits.mergedWalks));
    const byId = { range: {}, ids: idRangeOf(filter, target.resource.idPath, fieldOf), descending: false };
    const walks = access?.map(({ field, range }) => ({ field, range, descending: false })) ?? [byId];
    return { walks, isOrdered: true, rest: restOn(access), accesses: others(access), isEmpty };
  }
  const access = accesses.find((candidate) => candidate.length === 1 && candidate[0]?.field === field);
  const walk: Walk = { field, range: access?.[0]?.range ?? {}, descending: key.descending };
  const isOrdered = sort.length === 1 && !key.descending;
  return { walks: [walk], isOrdered, rest: restOn(access), accesses: others(access), isEmpty };
}

/** Walks at one key each give ids in order. */
function isMergeable(access: Access, most: number): boolean {
  return access.length <= most && access.every(({ range }) => pointOf(range) !== undefined);
}
