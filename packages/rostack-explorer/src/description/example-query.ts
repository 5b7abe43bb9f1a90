import type { FilterOperator, JsonObject, JsonValue } from 'rostack-core';
import type { FieldDescription } from './describe-fields.ts';

/** A query that a resource takes: a filter on one advertised field, and a sort by one. */
export interface ExampleQuery {
  readonly filter: JsonObject | undefined;
  readonly sort: string | undefined;
}

/** The most useful example: an enumeration is preferred to a date, a number and a text, in this order; newest or largest first. */
export function exampleQuery(fields: readonly FieldDescription[]): ExampleQuery {
  const conditions = fields
    .flatMap((field) => condition(field) ?? [])
    .sort((left, right) => left.rank - right.rank);
  const [best] = conditions;
  const sortable = fields.filter((field) => field.sortable && field.pointer !== undefined);
  const sorted = sortable.find(isTime) ?? sortable.find(isNumber) ?? sortable[0];
  return {
    filter: best && { [best.pointer]: { [best.operator]: best.operand } },
    sort: sorted && `${isTime(sorted) || isNumber(sorted) ? '-' : ''}${sorted.pointer}`,
  };
}

interface Condition {
  readonly rank: number;
  readonly pointer: string;
  readonly operator: FilterOperator;
  readonly operand: JsonValue;
}

function condition(field: FieldDescription): Condition | undefined {
  const { pointer, operators, values, minimum } = field;
  if (pointer === undefined) return undefined;
  const first = (...wanted: readonly FilterOperator[]) => wanted.find((one) => operators.includes(one));
  const build = (rank: number, operator: FilterOperator | undefined, operand: JsonValue) =>
    operator && { rank, pointer, operator, operand };
  const [value] = values ?? [];
  const isScalar = value !== undefined && (value === null || typeof value !== 'object');
  return (
    (isScalar ? (build(0, first('eq'), value) ?? build(0, first('in'), [value])) : undefined) ??
    (isTime(field) ? build(1, first('gte', 'gt'), '2026-01-01T00:00:00Z') : undefined) ??
    (isNumber(field) ? build(2, first('gte', 'gt', 'ne'), minimum ?? 0) : undefined) ??
    (field.types.includes('boolean') ? build(3, first('eq'), true) : undefined) ??
    build(4, first('exists'), true)
  );
}

const isTime = ({ format }: FieldDescription): boolean => format === 'date-time';

const isNumber = ({ types }: FieldDescription): boolean =>
  types.includes('number') || types.includes('integer');
