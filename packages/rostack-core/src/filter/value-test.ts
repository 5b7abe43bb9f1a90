import type { JsonScalar, JsonValue } from '../json.ts';
import { compareCodePoints, hasNativeOrder } from '../text/code-point-order.ts';
import type { FilterOperand } from './filter.ts';

/** Decides on a value that is there; a missing one never gets here. */
export type ValueTest = (value: JsonValue) => boolean;

export type OrderOperator = 'gt' | 'gte' | 'lt' | 'lte';

/** Scalars are equal when type and value are; arrays when they have equal members in the same order. */
export function equalTo(operand: FilterOperand): ValueTest {
  if (!isArray(operand)) return (value) => value === operand;
  return (value) =>
    isArray(value) && value.length === operand.length && value.every((member, at) => member === operand[at]);
}

/** An array or object is never a member: the members are scalars. */
export function oneOf(operand: readonly JsonScalar[]): ValueTest {
  const members = new Set<unknown>(operand);
  return (value) => members.has(value);
}

/** A substring of a string, or a member of an array. */
export function contains(operand: FilterOperand): ValueTest {
  if (isArray(operand)) {
    const isOperand = equalTo(operand);
    return (value) => isArray(value) && value.some(isOperand);
  }
  if (typeof operand !== 'string') return (value) => isArray(value) && value.includes(operand);
  return (value) =>
    typeof value === 'string' ? value.includes(operand) : isArray(value) && value.includes(operand);
}

export function startsWith(operand: string): ValueTest {
  return (value) => typeof value === 'string' && value.startsWith(operand);
}

export function endsWith(operand: string): ValueTest {
  return (value) => typeof value === 'string' && value.endsWith(operand);
}

/** Order among values of the operand's own type: numbers, strings by code point, false before true, null equal to null. */
export function ordered(operator: OrderOperator, operand: FilterOperand): ValueTest {
  if (isArray(operand)) return () => false;
  if (operand === null) {
    const matches = accepts(operator, 0);
    return (value) => value === null && matches;
  }
  if (typeof operand !== 'string') return orderedNatively(operator, operand);
  if (hasNativeOrder(operand)) return orderedNatively(operator, operand);
  return (value) => typeof value === 'string' && accepts(operator, compareCodePoints(value, operand));
}

function orderedNatively(operator: OrderOperator, operand: NonNullable<JsonScalar>): ValueTest {
  const type = typeof operand;
  switch (operator) {
    case 'gt':
      return (value) => typeof value === type && (value as typeof operand) > operand;
    case 'gte':
      return (value) => typeof value === type && (value as typeof operand) >= operand;
    case 'lt':
      return (value) => typeof value === type && (value as typeof operand) < operand;
    default:
      return (value) => typeof value === type && (value as typeof operand) <= operand;
  }
}

function accepts(operator: OrderOperator, comparison: number): boolean {
  switch (operator) {
    case 'gt':
      return comparison > 0;
    case 'gte':
      return comparison >= 0;
    case 'lt':
      return comparison < 0;
    default:
      return comparison <= 0;
  }
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
