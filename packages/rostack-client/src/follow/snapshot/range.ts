import type { JsonObject, JsonScalar, Resource, SortKey } from 'rostack-core';
import { comparePageKeys, parsePointer, resolvePointer } from 'rostack-core/records';

/** An end of a range: a value of the field that divides the ranges. */
export type Bound = string | number;

/** Records whose field is at least `from` and below `to`. Without `to` it is open; without `from` it holds all records. */
export interface Range {
  readonly from: Bound | undefined;
  readonly to: Bound | undefined;
}

export const EVERYTHING: Range = { from: undefined, to: undefined };

/**
 * The field that divides the ranges: `by`, or the id, or the first other field that can be compared with `gte` and `lt` and sorted by.
 * @returns undefined if there is none
 */
export function rangePointer(
  { filtering }: Resource,
  by: string | undefined,
  isKept: (pointer: string) => boolean,
): string | undefined {
  const { filterable_fields: filterable, sortable_fields: sortable } = filtering;
  const fits = (pointer: string): boolean => {
    const operators = Object.hasOwn(filterable, pointer) ? filterable[pointer] : undefined;
    return (
      operators !== undefined &&
      operators.includes('gte') &&
      operators.includes('lt') &&
      sortable.includes(pointer) &&
      isKept(pointer)
    );
  };
  const candidates = by === undefined ? ['/id', ...Object.keys(filterable)] : [by];
  return candidates.find(fits);
}

/** The records of a filter that are in a range. */
export function rangeFilter(
  pointer: string,
  { from, to }: Range,
  filter: JsonObject | undefined,
): JsonObject | undefined {
  if (from === undefined) return filter;
  const inRange = { [pointer]: to === undefined ? { gte: from } : { gte: from, lt: to } };
  return filter === undefined ? inRange : { $and: [filter, inRange] };
}

/** What these ranges leave out. They do not overlap, but there may be holes between them. */
export function holesBetween(ranges: readonly Range[]): Range[] {
  const first = ranges.find(({ from }) => from === undefined);
  if (first === undefined) return [EVERYTHING];
  const holes: Range[] = [];
  let at = first.to;
  const others = ranges.filter((range) => range !== first);
  for (const { from, to } of others.sort((a, b) => compareBounds(a.from, b.from))) {
    if (at !== from) holes.push({ from: at, to: from });
    at = to;
  }
  if (at !== undefined) holes.push({ from: at, to: undefined });
  return holes;
}

const PLAIN: SortKey = { pointer: '', path: [], descending: false };
const compare = comparePageKeys([PLAIN]);

/** In the sort order of the protocol; undefined comes first. */
export function compareBounds(a: JsonScalar | undefined, b: JsonScalar | undefined): number {
  return compare({ values: [a], id: '' }, { values: [b], id: '' });
}

/** A value that a range can begin or end with; undefined for any other value. */
export const boundOf = (value: unknown): Bound | undefined =>
  typeof value === 'string' || typeof value === 'number' ? value : undefined;

/** Reads the field that records are sorted by; also undefined if it is an array or object. */
export function fieldReader(pointer: string): (record: JsonObject) => JsonScalar | undefined {
  const path = parsePointer(pointer);
  return (record) => {
    const value = resolvePointer(record, path);
    return typeof value === 'object' && value !== null ? undefined : value;
  };
}
