export {
  comparePageKeys,
  compareRecords,
  type IdentifiedRecord,
  pageKeyOf,
} from './compare-records.ts';
export { formatSort, parseSort } from './parse-sort.ts';
export type { SortKey } from './sort.ts';
export { SortError } from './sort-error.ts';
