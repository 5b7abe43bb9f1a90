import type { JsonScalar } from '../json.ts';
import { canonicalJson } from '../text/canonical-json.ts';
import type { Filter, FilterComparison } from './filter.ts';
import { filterToJson } from './filter-to-json.ts';

/**
 * The normal form of a filter: it matches the same records, and filters that differ only in order, repetition, nesting of
 * like conjunctions, double negation, or in writing a negation as `ne`, `nin` or `exists: false` have the same one.
 * @see protocol section 6
 */
export function canonicalizeFilter(filter: Filter): Filter {
  switch (filter.kind) {
    case 'comparison':
      return canonicalComparison(filter);
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

function canonicalComparison(filter: FilterComparison): FilterComparison {
  const { operator, operand } = filter;
  if (operator === 'in' || operator === 'nin') {
    const members = sortedScalars(operand as readonly JsonScalar[]);
    const only = members[0];
    return members.length === 1 && only !== undefined
      ? { ...filter, operator: operator === 'in' ? 'eq' : 'ne', operand: only }
      : { ...filter, operand: members };
  }
  return filter;
}

function sortedScalars(values: readonly JsonScalar[]): JsonScalar[] {
  const byText = new Map(values.map((value) => [canonicalJson(value), value]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}

const NEGATION = { eq: 'ne', ne: 'eq', in: 'nin', nin: 'in' } as const;

function negation(filter: Filter): Filter {
  if (filter.kind === 'not') return filter.filter;
  if (filter.kind !== 'comparison') return { kind: 'not', filter };
  const { operator, operand } = filter;
  if (operator === 'exists') return { ...filter, operand: operand === false };
  if (operator === 'eq' || operator === 'ne' || operator === 'in' || operator === 'nin') {
    return { ...filter, operator: NEGATION[operator] };
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

/** One comparison is what most filters are: its text is written without the object. */
function textOf(filter: Filter): string {
  if (filter.kind !== 'comparison') return canonicalJson(filterToJson(filter));
  return `{${JSON.stringify(filter.pointer)}:{"${filter.operator}":${canonicalJson(filter.operand)}}}`;
}
