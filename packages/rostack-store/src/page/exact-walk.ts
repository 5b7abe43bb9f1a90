import type { Filter, FilterComparison, PageQuery } from 'rostack-core';
import type { StoredField } from '../resource/field.ts';
import { isExact } from './access.ts';
import type { FieldLookup } from './filter-to-sql.ts';
import { intersection, type KeyRange, pointOf, rangesOf } from './key-range.ts';
import { BY_ID, type Walk } from './walk.ts';

/**
 * The walk whose entries are the query's records, all of them in the order of the page; undefined when no single walk up an
 * index is: rows would have to be tested, merged or sorted.
 */
export function exactWalkOf(
  { filter, sort }: PageQuery,
  sortFields: readonly StoredField[],
  fieldOf: FieldLookup,
): Walk | undefined {
  const [key] = sort;
  if (sort.length > 1 || key?.descending === true) return undefined;
  const [sortField] = sortFields;
  if (filter === undefined)
    return sortField === undefined ? BY_ID : { field: sortField, range: {}, descending: false };
  const range = exactRangeOf(filter, fieldOf);
  if (range === undefined) return undefined;
  // At one key the ids are in order; within a range they are in the order of the range's field.
  const isOrdered = sortField === undefined ? pointOf(range.range) !== undefined : sortField === range.field;
  return isOrdered ? { ...range, descending: false } : undefined;
}

/** The one range of a field's index that holds exactly the filter's records. */
function exactRangeOf(
  filter: Filter,
  fieldOf: FieldLookup,
): { readonly field: StoredField; readonly range: KeyRange } | undefined {
  const comparisons = comparisonsOf(filter);
  const [first] = comparisons ?? [];
  if (comparisons === undefined || first === undefined) return undefined;
  let common: KeyRange = {};
  for (const comparison of comparisons) {
    const [range, ...others] = isExact(comparison, fieldOf) ? (rangesOf(comparison) ?? []) : [];
    if (range === undefined || others.length > 0 || comparison.pointer !== first.pointer) return undefined;
    const both = intersection(common, range);
    if (both === undefined) return undefined;
    common = both;
  }
  return { field: fieldOf(first.pointer), range: common };
}

function comparisonsOf(filter: Filter): readonly FilterComparison[] | undefined {
  if (filter.kind === 'comparison') return [filter];
  if (filter.kind !== 'and') return undefined;
  const comparisons = filter.filters.filter((part) => part.kind === 'comparison');
  return comparisons.length === filter.filters.length ? comparisons : undefined;
}
