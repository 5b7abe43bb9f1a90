export { checkFilter, collateFilter } from '../query/filter/check-filter.ts';
export { compileFilter } from '../query/filter/compile-filter.ts';
export { canonicalFilterText, canonicalizeFilter, filterToJson, hashFilter } from '../query/filter/filter.ts';
export { FilterError } from '../query/filter/filter-error.ts';
export { parseFilter, parseFilterText } from '../query/filter/parse-filter.ts';
