export { canonicalFilterText, canonicalizeFilter } from './canonicalize-filter.ts';
export { type AdvertisedFiltering, checkFilter } from './check-filter.ts';
export { compileFilter } from './compile-filter.ts';
export {
  FILTER_OPERATORS,
  type Filter,
  type FilterComparison,
  type FilterOperand,
  type FilterOperator,
} from './filter.ts';
export { FilterError } from './filter-error.ts';
export { DEFAULT_FILTER_LIMITS, type FilterLimits } from './filter-limits.ts';
export { filterToJson } from './filter-to-json.ts';
export { hashFilter } from './hash-filter.ts';
export { parseFilter, parseFilterText } from './parse-filter.ts';
export type { Predicate } from './predicate.ts';
