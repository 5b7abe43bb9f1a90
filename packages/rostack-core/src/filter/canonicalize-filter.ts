import { canonicalJson } from '../text/canonical-json.ts';
import type { Filter } from './filter.ts';
import { filterToJson } from './filter-to-json.ts';
import { FILTER_OPERATORS } from './operators.ts';

/**
 * The normal form of a filter: it matches the same records, and filters that differ only in order, repetition, nesting of
 * like conjunctions, double negation, or in writing a negation as `ne`, `nin` or `exists: false` have the same one.
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
  const negate = filter.kind === 'comparison' ? FILTER_OPERATORS[filter.operator].negate : undefined;
  return filter.kind === 'comparison' && negate !== undefined
    ? { ...filter, ...negate(filter.operand) }
    : { kind: 'not', filter };
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

/** One comparison is what most filters are: its text is written without the object. */
function textOf(filter: Filter): string {
  if (filter.kind !== 'comparison') return canonicalJson(filterToJson(filter));
  return `{${JSON.stringify(filter.pointer)}:{"${filter.operator}":${canonicalJson(filter.operand)}}}`;
}
