import { Buffer } from 'node:buffer';
import type { Filter } from 'rostack-core';
import type { FieldLookup } from './filter-to-sql.ts';

/** An end of a range of ids. */
interface IdBound {
  readonly id: string;
  readonly inclusive: boolean;
}

/** The ids between two bounds, by code point; a missing bound is open. */
export interface IdRange {
  readonly low?: IdBound | undefined;
  readonly high?: IdBound | undefined;
}

const LAST_CODE_POINT = 0x10ffff;
const LAST_BEFORE_SURROGATES = 0xd7ff;
const FIRST_AFTER_SURROGATES = 0xe000;

/** A range that holds the ids of all records that a filter matches; the records in it still have to be tested. */
export function idRangeOf(
  filter: Filter | undefined,
  idPath: readonly string[],
  fieldOf: FieldLookup,
): IdRange {
  let range: IdRange = {};
  for (const part of filter?.kind === 'and' ? filter.filters : [filter]) {
    if (part?.kind !== 'comparison' || typeof part.operand !== 'string' || !isStored(part.operand)) continue;
    const { path } = fieldOf(part.pointer);
    if (path.length !== idPath.length || path.some((name, index) => name !== idPath[index])) continue;
    range = tightened(range, boundsOf(part.operator, part.operand));
  }
  return range;
}

/** Texts that no id can be are not told to the databases: PostgreSQL takes none of them as a text. */
const isStored = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

function boundsOf(operator: string, id: string): IdRange {
  switch (operator) {
    case 'gt':
      return { low: { id, inclusive: false } };
    case 'gte':
      return { low: { id, inclusive: true } };
    case 'lt':
      return { high: { id, inclusive: false } };
    case 'lte':
      return { high: { id, inclusive: true } };
    case 'starts_with':
      return { low: { id, inclusive: true }, high: endOf(id) };
    default:
      return {};
  }
}

/** The first text after all that begin with a prefix; undefined where none comes after them. */
function endOf(prefix: string): IdBound | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === LAST_CODE_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  const next = last === LAST_BEFORE_SURROGATES ? FIRST_AFTER_SURROGATES : last + 1;
  return { id: String.fromCodePoint(...points, next), inclusive: false };
}

/** Of two bounds the one that leaves fewer ids. */
function tightened(range: IdRange, { low, high }: IdRange): IdRange {
  return { low: tighter(range.low, low, 1), high: tighter(range.high, high, -1) };
}

function tighter(a: IdBound | undefined, b: IdBound | undefined, sign: 1 | -1): IdBound | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (a.id === b.id) return a.inclusive ? b : a;
  return sign * Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)) > 0 ? a : b;
}
