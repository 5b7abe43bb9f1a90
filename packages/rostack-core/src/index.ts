export * from './discovery/index.ts';
export {
  FILTER_OPERATORS,
  type Filter,
  type FilterComparison,
  type FilterOperand,
  type FilterOperator,
} from './filter/filter.ts';
export type { JsonObject, JsonScalar, JsonValue } from './json.ts';
export { jsonEquals } from './json-equals.ts';
export * from './message/index.ts';
export * from './model/index.ts';
export * from './permission/index.ts';
export * from './problem/index.ts';
export * from './record/index.ts';
export * from './release/index.ts';
export * from './schema/index.ts';
export type { SortKey } from './sort/sort.ts';
export * from './websocket-error/index.ts';
