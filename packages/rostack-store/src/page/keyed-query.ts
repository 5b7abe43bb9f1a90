import { decimalKey, decimalOperand, type Filter, type PageQuery } from 'rostack-core';
import type { StoredResource } from '../schema/stored-resource.ts';

type IsDecimal = (pointer: string) => boolean;

/** The same query; what it compares decimals with are texts that compare as their keys do. */
export function keyedQuery(query: PageQuery, target: StoredResource): PageQuery {
  const isDecimal = decimalsOf(target);
  if (isDecimal === undefined) return query;
  const { filter, after, sort } = query;
  return {
    ...query,
    filter: filter && keyed(filter, isDecimal),
    after: after && {
      ...after,
      values: after.values.map((value, index) =>
        typeof value === 'string' && isDecimal(sort[index]?.pointer ?? '') ? decimalKey(value) : value,
      ),
    },
  };
}

/** The same filter, as `keyedQuery` has it. */
export function keyedFilter(filter: Filter, target: StoredResource): Filter {
  const isDecimal = decimalsOf(target);
  return isDecimal === undefined ? filter : keyed(filter, isDecimal);
}

/** Undefined where no field holds decimals. */
function decimalsOf({ tables: { fields } }: StoredResource): IsDecimal | undefined {
  const decimals = fields.filter(({ isDecimal }) => isDecimal === true);
  return decimals.length === 0 ? undefined : (pointer) => decimals.some((field) => field.pointer === pointer);
}

function keyed(filter: Filter, isDecimal: IsDecimal): Filter {
  switch (filter.kind) {
    case 'comparison':
      return isDecimal(filter.pointer) ? { ...filter, operand: decimalOperand(filter.operand) } : filter;
    case 'not':
      return { kind: 'not', filter: keyed(filter.filter, isDecimal) };
    default:
      return { kind: filter.kind, filters: filter.filters.map((part) => keyed(part, isDecimal)) };
  }
}
