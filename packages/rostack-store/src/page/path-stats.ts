import type { Filter, PageQuery } from 'rostack-core';

/** More shapes of queries than a resource's clients have. */
const MAX_SHAPES = 1_000;

/**
 * Which way was the right one for the last page of the same shape: it is tried first for the next one. A page is the same on every way
 * that is complete, so this is a matter of time only.
 */
export class PathStats {
  readonly #ways = new Map<string, number>();

  /** The numbers of all ways, the likely one first. */
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
