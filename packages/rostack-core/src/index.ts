export {
  FILTER_OPERATORS,
  type Filter,
  type FilterComparison,
  type FilterOperand,
  type FilterOperator,
} from './filter/filter.ts';
export type { JsonObject, JsonScalar, JsonValue } from './json.ts';
export * from './record/index.ts';
export type { SortKey } from './sort/sort.ts';
