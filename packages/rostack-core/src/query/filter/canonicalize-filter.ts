import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../../text/json.ts';
import { type Filter, filterToJson } from './filter.ts';
import { FILTER_OPERATORS } from './operators.ts';

/**
 * The normal form of a filter, which matches the same records. Filters have the same one if they differ only in order,
 * repetition, nesting of `$and` in `$and` or `$or` in `$or`, double negation, or in how they negate a comparison.
 * @see protocol section 6
 */
export function canonicalizeFilter(filter: Filter): Filter {
  switch (filter.kind) {
    case 'comparison':
      return { ...filter, ...FILTER_OPERATORS[filter.operator].normalize?.(filter.operand) };
    case 'not':
      return negation(canonicalizeFilter(filter.filter));
    default:
      return combination(filter.kind, filter.filters.map(canonicalizeFilter));
  }
}

/** Text that is equal for filters of the same normal form, and different otherwise. */
export function canonicalFilterText(filter: Filter): string {
  return textOf(canonicalizeFilter(filter));
}

function negation(filter: Filter): Filter {
  if (filter.kind === 'not') return filter.filter;
  if (filter.kind === 'comparison') {
    const opposite = FILTER_OPERATORS[filter.operator].negate?.(filter.operand);
    if (opposite !== undefined) return { ...filter, ...opposite };
  }
  return { kind: 'not', filter };
}

function combination(kind: 'and' | 'or', filters: readonly Filter[]): Filter {
  const byText = new Map<string, Filter>();
  for (const filter of filters) {
    const parts = filter.kind === kind ? filter.filters : [filter];
    for (const part of parts) byText.set(textOf(part), part);
  }
  const sorted = [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part);
  const only = sorted[0];
  return sorted.length === 1 && only !== undefined ? only : { kind, filters: sorted };
}

/** Most filters are one comparison, whose text needs no object. */
function textOf(filter: Filter): string {
  if (filter.kind !== 'comparison') return canonicalJson(filterToJson(filter));
  return `{${JSON.stringify(filter.pointer)}:{"${filter.operator}":${canonicalJson(filter.operand)}}}`;
}

/** SHA-256 of the filter's normal form, 64 hexadecimal digits: equal for filters of the same normal form. */
export function hashFilter(filter: Filter): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalFilterText(filter))));
}
