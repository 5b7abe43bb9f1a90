import {
  type Collation,
  type Collations,
  collatedOperand,
  collationKey,
  type Filter,
  type PageQuery,
} from 'rostack-core';
import type { StoredResource } from '../schema/stored-resource.ts';

/** The same query; what it compares strings with that have a collation are texts that compare as their keys do. */
export function keyedQuery(query: PageQuery, target: StoredResource): PageQuery {
  const collations = collationsOf(target);
  if (collations === undefined) return query;
  const { filter, after, sort } = query;
  return {
    ...query,
    filter: filter && keyed(filter, collations),
    after: after && {
      ...after,
      values: after.values.map((value, index) => {
        const collation = collations.get(sort[index]?.pointer ?? '');
        return typeof value === 'string' && collation !== undefined ? collationKey(collation, value) : value;
      }),
    },
  };
}

/** The same filter, as `keyedQuery` has it. */
export function keyedFilter(filter: Filter, target: StoredResource): Filter {
  const collations = collationsOf(target);
  return collations === undefined ? filter : keyed(filter, collations);
}

/** Undefined where no field has one. */
function collationsOf({ tables: { fields } }: StoredResource): Collations | undefined {
  const collations = fields.flatMap(({ pointer, collation }): [string, Collation][] =>
    collation === undefined ? [] : [[pointer, collation]],
  );
  return collations.length === 0 ? undefined : new Map(collations);
}

function keyed(filter: Filter, collations: Collations): Filter {
  switch (filter.kind) {
    case 'comparison': {
      const collation = collations.get(filter.pointer);
      return collation === undefined
        ? filter
        : { ...filter, operand: collatedOperand(filter.operand, collation) };
    }
    case 'not':
      return { kind: 'not', filter: keyed(filter.filter, collations) };
    default:
      return { kind: filter.kind, filters: filter.filters.map((part) => keyed(part, collations)) };
  }
}
