export { canonicalFilterText, canonicalizeFilter, hashFilter } from '../query/filter/canonicalize-filter.ts';
export { checkFilter } from '../query/filter/check-filter.ts';
export { collateFilter } from '../query/filter/collate-filter.ts';
export { compileFilter } from '../query/filter/compile-filter.ts';
export { filterToJson } from '../query/filter/filter.ts';
export { FilterError } from '../query/filter/filter-error.ts';
export { parseFilter, parseFilterText } from '../query/filter/parse-filter.ts';
