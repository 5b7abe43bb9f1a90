export { canonicalFilterText, canonicalizeFilter, hashFilter } from '../filter/canonicalize-filter.ts';
export { checkFilter } from '../filter/check-filter.ts';
export { collateFilter } from '../filter/collate-filter.ts';
export { compileFilter } from '../filter/compile-filter.ts';
export { filterToJson } from '../filter/filter.ts';
export { FilterError } from '../filter/filter-error.ts';
export { parseFilter, parseFilterText } from '../filter/parse-filter.ts';
