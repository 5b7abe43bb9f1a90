import { isArray, type JsonScalar, type JsonValue } from '../../text/json.ts';
import { quote } from '../../text/strings.ts';
import { COLLATIONS, type Collation, type Collations, collationKey } from '../collation/collation.ts';
import type { Filter, FilterComparison } from './filter.ts';
import { FilterError } from './filter-error.ts';
import type { FilterOperand } from './operators.ts';

/**
 * Marks the comparisons of fields that have a collation, which then compare by value.
 * @param collations of these fields; see `fieldCollations`
 * @throws FilterError `invalid_filter` when such a field is compared with anything but texts of its format, and null
 */
export function collateFilter(filter: Filter, collations: Collations): Filter {
  switch (filter.kind) {
    case 'comparison': {
      const collation = collations.get(filter.pointer);
      return collation === undefined ? filter : collateComparison(filter, collation);
    }
    case 'not':
      return { kind: 'not', filter: collateFilter(filter.filter, collations) };
    default:
      return { kind: filter.kind, filters: filter.filters.map((part) => collateFilter(part, collations)) };
  }
}

function collateComparison(comparison: FilterComparison, collation: Collation): Filter {
  const { pointer, operator, operand } = comparison;
  if (operator === 'exists') return comparison;
  const { accepts, holds, operand: wanted } = COLLATIONS[collation];
  const isList = operator === 'in' || operator === 'nin';
  const operands: readonly FilterOperand[] = isList && isArray(operand) ? operand : [operand];
  const isComparable = (each: FilterOperand) => each === null || (typeof each === 'string' && accepts(each));
  if (!operands.every(isComparable)) {
    const message = `the field ${quote(pointer)} holds ${holds}: compare it with ${wanted}`;
    throw new FilterError('invalid_filter', message, '', 'advertised');
  }
  return { ...comparison, collation };
}

/** An operand, its strings as texts that compare by code point. */
export function collatedOperand(operand: FilterOperand, collation: Collation): FilterOperand {
  const keyOf = (scalar: JsonScalar): JsonScalar =>
    typeof scalar === 'string' ? collationKey(collation, scalar) : scalar;
  return isArray(operand) ? operand.map(keyOf) : keyOf(operand);
}

/** A value of a field that has a collation, as a text that compares by code point. */
export function collatedValue<Value extends JsonValue | undefined>(
  value: Value,
  collation: Collation,
): Value | string {
  return typeof value === 'string' ? collationKey(collation, value) : value;
}
