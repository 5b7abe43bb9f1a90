import type { Filter, FilterComparison } from 'rostack-core';
import { INDEX_PREFIX_BYTES, type StoredField } from '../../schema/resource/field.ts';
import type { FieldLookup } from './filter-to-sql.ts';
import { intersection, type KeyRange, pointOf, pointRange, rangesOf } from './key-range.ts';

/** A range of a field's index. */
export interface IndexRange {
  readonly field: StoredField;
  readonly range: KeyRange;
}

/** Ranges of indexes that together hold every record a filter matches. */
export type Access = readonly IndexRange[];

/** The accesses by which a filter's records can be found; each of them suffices. Empty if only a scan over all records finds them. */
export function accessesOf(filter: Filter, fieldOf: FieldLookup): readonly Access[] {
  switch (filter.kind) {
    case 'and':
      return intersected(filter.filters.flatMap((part) => accessesOf(part, fieldOf)));
    case 'or': {
      const parts = filter.filters.map((part) => shortest(accessesOf(part, fieldOf)));
      return parts.includes(undefined) ? [] : [parts.flatMap((part) => part ?? [])];
    }
    case 'not':
      return [];
    default: {
      const field = fieldOf(filter.pointer);
      const ranges = rangesOf(filter);
      if (ranges === undefined || field.index === 'none') return [];
      return [ranges.map((range) => ({ field, range: indexedRange(field, range) }))];
    }
  }
}

/** The part of the filter that records of one of its accesses still have to be tested for; undefined if none is left. */
export function restOf(filter: Filter, access: Access, fieldOf: FieldLookup): Filter | undefined {
  if (filter.kind === 'comparison') return isExactComparison(filter, fieldOf) ? undefined : filter;
  const [only] = access;
  if (filter.kind !== 'and' || only === undefined || access.length > 1) return filter;
  // An access of one range is the intersection of all comparisons of its field that have one range.
  const rest = filter.filters.filter(
    (part) =>
      part.kind !== 'comparison' ||
      fieldOf(part.pointer) !== only.field ||
      !isExactComparison(part, fieldOf) ||
      rangesOf(part)?.length !== 1,
  );
  if (rest.length === 0) return undefined;
  return rest.length === 1 ? rest[0] : { kind: 'and', filters: rest };
}

function isExactComparison(comparison: FilterComparison, fieldOf: FieldLookup): boolean {
  const field = fieldOf(comparison.pointer);
  const ranges = rangesOf(comparison);
  if (ranges === undefined || field.index === 'none') return false;
  if (field.index === 'whole') return true;
  return ranges.every((range) => {
    const point = pointOf(range);
    return point !== undefined && point.length < INDEX_PREFIX_BYTES;
  });
}

/** Joins accesses of one range each on the same field (a lower bound and an upper bound, say) into one: their intersection. */
function intersected(accesses: readonly Access[]): readonly Access[] {
  const common = new Map<StoredField, IndexRange | undefined>();
  const others: Access[] = [];
  for (const access of accesses) {
    const [only] = access;
    if (only === undefined || access.length > 1) {
      others.push(access);
      continue;
    }
    const { field, range } = only;
    const known = common.get(field);
    if (!common.has(field)) common.set(field, only);
    else if (known !== undefined) {
      const both = intersection(known.range, range);
      common.set(field, both && { field, range: both });
    }
  }
  return [...[...common.values()].map((only) => (only === undefined ? [] : [only])), ...others];
}

function shortest(accesses: readonly Access[]): Access | undefined {
  return accesses.toSorted((a, b) => a.length - b.length)[0];
}

/** The range of the index that contains the range of keys: an index of prefixes needs a wider one. */
function indexedRange(field: StoredField, range: KeyRange): KeyRange {
  if (field.index === 'whole') return range;
  const point = pointOf(range);
  if (point !== undefined) return pointRange(point.subarray(0, INDEX_PREFIX_BYTES));
  const { low, high } = range;
  return {
    low: low && { key: low.key.subarray(0, INDEX_PREFIX_BYTES), inclusive: true },
    high: high && {
      key: high.key.subarray(0, INDEX_PREFIX_BYTES),
      inclusive: high.inclusive || high.key.length > INDEX_PREFIX_BYTES,
    },
  };
}

/** The ranges of an access, by field. */
export function rangesByField(access: Access): ReadonlyMap<StoredField, readonly KeyRange[]> {
  const ranges = new Map<StoredField, KeyRange[]>();
  for (const { field, range } of access) {
    const known = ranges.get(field);
    if (known === undefined) ranges.set(field, [range]);
    else known.push(range);
  }
  return ranges;
}
