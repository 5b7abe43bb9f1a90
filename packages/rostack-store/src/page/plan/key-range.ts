import { Buffer } from 'node:buffer';
import type { Filter, FilterComparison, JsonScalar } from 'rostack-core';
import { encodeOrderKey, successorOf, typeRange } from '../../schema/key/encode-key.ts';

const LAST_CODE_POINT = 0x10ffff;
const LAST_BEFORE_SURROGATES = 0xd7ff;
const FIRST_AFTER_SURROGATES = 0xe000;

/** One end of a range of keys. */
export interface Bound<Key = Buffer> {
  readonly key: Key;
  readonly inclusive: boolean;
}

/** The keys between two bounds: order keys, or ids; a missing bound is open. */
export interface KeyRange<Key = Buffer> {
  readonly low?: Bound<Key> | undefined;
  readonly high?: Bound<Key> | undefined;
}

/** Whether the range has a bound at all. */
export function isBounded({ low, high }: KeyRange<unknown>): boolean {
  return low !== undefined || high !== undefined;
}

/** Whether the range is bounded on both sides. */
export function isClosed({ low, high }: KeyRange<unknown>): boolean {
  return low !== undefined && high !== undefined;
}

/** The range that contains one key. */
export function pointRange(key: Buffer): KeyRange {
  const bound = { key, inclusive: true };
  return { low: bound, high: bound };
}

/** The key of a range that contains only one. */
export function pointOf({ low, high }: KeyRange): Buffer | undefined {
  return low !== undefined && low === high ? low.key : undefined;
}

/** Splits ranges into the distinct keys of those with one key, and the other ranges. */
export function partedRanges(ranges: readonly KeyRange[]): {
  readonly points: readonly Buffer[];
  readonly others: readonly KeyRange[];
} {
  const points = new Map<string, Buffer>();
  const others: KeyRange[] = [];
  for (const range of ranges) {
    const point = pointOf(range);
    if (point === undefined) others.push(range);
    else points.set(point.toString('latin1'), point);
  }
  return { points: [...points.values()], others };
}

/** The keys that are in both ranges; undefined when there are none. */
export function intersection(a: KeyRange, b: KeyRange): KeyRange | undefined {
  const low = tighter(a.low, b.low, 1, compareKeys);
  const high = tighter(a.high, b.high, -1, compareKeys);
  if (low === undefined || high === undefined) return { low, high };
  const order = Buffer.compare(low.key, high.key);
  if (order < 0) return { low, high };
  return order === 0 && low.inclusive && high.inclusive ? pointRange(low.key) : undefined;
}

/** Of two lower bounds the higher one (sign 1), of two upper bounds the lower one (sign -1). */
function tighter<Key>(
  a: Bound<Key> | undefined,
  b: Bound<Key> | undefined,
  sign: 1 | -1,
  compare: (a: Key, b: Key) => number,
): Bound<Key> | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const order = sign * compare(a.key, b.key);
  if (order === 0) return a.inclusive ? b : a;
  return order > 0 ? a : b;
}

/**
 * The order keys that a comparison matches, as ranges; undefined if ranges cannot express it (then each row is tested). These are the keys
 * of exactly the values that match.
 */
export function rangesOf({ operator, operand }: FilterComparison): readonly KeyRange[] | undefined {
  switch (operator) {
    case 'eq':
      return isArray(operand) ? undefined : [pointRange(encodeOrderKey(operand))];
    case 'in':
      return isArray(operand) ? pointRanges(operand) : undefined;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return isArray(operand) ? [] : [orderedRange(operator, operand)];
    case 'starts_with':
      return typeof operand === 'string' ? [prefixRange(operand)] : undefined;
    case 'ne':
    case 'nin':
    case 'exists':
    case 'ends_with':
    case 'contains':
      return undefined;
    default:
      return operator satisfies never;
  }
}

function pointRanges(members: readonly JsonScalar[]): KeyRange[] {
  return [...new Set(members.map((member) => (member === 0 ? 0 : member)))].map((member) =>
    pointRange(encodeOrderKey(member)),
  );
}

function orderedRange(operator: 'gt' | 'gte' | 'lt' | 'lte', operand: JsonScalar): KeyRange {
  const { low, high } = typeRange(operand);
  const bound = { key: encodeOrderKey(operand), inclusive: operator === 'gte' || operator === 'lte' };
  return operator === 'gt' || operator === 'gte'
    ? { low: bound, high: { key: high, inclusive: false } }
    : { low: { key: low, inclusive: true }, high: bound };
}

function prefixRange(prefix: string): KeyRange {
  const key = encodeOrderKey(prefix);
  return { low: { key, inclusive: true }, high: { key: successorOf(key), inclusive: false } };
}

function isArray(operand: FilterComparison['operand']): operand is readonly JsonScalar[] {
  return Array.isArray(operand);
}

/** A range of ids, by code point, that contains all records that a filter matches; its records still have to be tested. */
export function idRangeOf(
  filter: Filter | undefined,
  idPath: readonly string[],
  fieldOf: (pointer: string) => { readonly path: readonly string[] },
): KeyRange<string> {
  let range: KeyRange<string> = {};
  for (const part of filter?.kind === 'and' ? filter.filters : [filter]) {
    if (part?.kind !== 'comparison' || typeof part.operand !== 'string' || !isStored(part.operand)) continue;
    const { path } = fieldOf(part.pointer);
    if (path.length !== idPath.length || path.some((name, index) => name !== idPath[index])) continue;
    const { low, high } = boundsOf(part.operator, part.operand);
    range = { low: tighter(range.low, low, 1, compareIds), high: tighter(range.high, high, -1, compareIds) };
  }
  return range;
}

/** Texts that cannot be ids are not sent to the database: PostgreSQL rejects them as text. */
const isStored = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

function boundsOf(operator: string, id: string): KeyRange<string> {
  switch (operator) {
    case 'gt':
      return { low: { key: id, inclusive: false } };
    case 'gte':
      return { low: { key: id, inclusive: true } };
    case 'lt':
      return { high: { key: id, inclusive: false } };
    case 'lte':
      return { high: { key: id, inclusive: true } };
    case 'starts_with':
      return { low: { key: id, inclusive: true }, high: endOf(id) };
    default:
      return {};
  }
}

/** The first text after all texts with a prefix; undefined if there is none. */
function endOf(prefix: string): Bound<string> | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === LAST_CODE_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  const next = last === LAST_BEFORE_SURROGATES ? FIRST_AFTER_SURROGATES : last + 1;
  return { key: String.fromCodePoint(...points, next), inclusive: false };
}

const compareKeys = (a: Buffer, b: Buffer): number => Buffer.compare(a, b);

function compareIds(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
