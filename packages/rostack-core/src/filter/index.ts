export { canonicalFilterText, canonicalizeFilter } from './canonicalize-filter.ts';
export { type AdvertisedFiltering, checkFilter } from './check-filter.ts';
export { compileFilter, type Predicate } from './compile-filter.ts';
export type { Filter, FilterComparison } from './filter.ts';
export { FilterError } from './filter-error.ts';
export { DEFAULT_FILTER_LIMITS, type FilterLimits } from './filter-limits.ts';
export { filterToJson } from './filter-to-json.ts';
export { hashFilter } from './hash-filter.ts';
export {
  FILTER_OPERATOR_NAMES,
  FILTER_OPERATORS,
  type FilterOperand,
  type FilterOperator,
  type OperandKind,
} from './operators.ts';
export { parseFilter, parseFilterText } from './parse-filter.ts';
