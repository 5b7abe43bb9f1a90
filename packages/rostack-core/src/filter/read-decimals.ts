import { type DecimalFields, decimalKey, isDecimal } from '../decimal/decimal.ts';
import { isArray, type JsonScalar, type JsonValue } from '../json/json.ts';
import { quote } from '../text/strings.ts';
import type { Filter, FilterComparison } from './filter.ts';
import { FilterError } from './filter-error.ts';
import type { FilterOperand } from './operators.ts';

/**
 * Marks the comparisons of fields that hold decimals, which then compare numbers.
 * @param decimals these fields; see `decimalFields`
 * @throws FilterError `invalid_filter` when such a field is compared with anything but decimals in strings, and null
 */
export function readDecimals(filter: Filter, decimals: DecimalFields): Filter {
  switch (filter.kind) {
    case 'comparison':
      return decimals.has(filter.pointer) ? readComparison(filter) : filter;
    case 'not':
      return { kind: 'not', filter: readDecimals(filter.filter, decimals) };
    default:
      return { kind: filter.kind, filters: filter.filters.map((part) => readDecimals(part, decimals)) };
  }
}

function readComparison(comparison: FilterComparison): Filter {
  const { pointer, operator, operand } = comparison;
  if (operator === 'exists') return comparison;
  const isList = operator === 'in' || operator === 'nin';
  const operands = isList && isArray(operand) ? operand : [operand];
  if (!operands.every(isComparable)) {
    throw new FilterError(
      'invalid_filter',
      `the field ${quote(pointer)} holds decimals: compare it with a decimal in a string, such as "12.50", without an exponent or leading zeros`,
      '',
      'advertised',
    );
  }
  return { ...comparison, isDecimal: true };
}

const isComparable = (operand: FilterOperand): boolean =>
  operand === null || (typeof operand === 'string' && isDecimal(operand));

/** An operand, its decimals as texts that compare by code point. */
export function decimalOperand(operand: FilterOperand): FilterOperand {
  return isArray(operand) ? operand.map(keyOf) : keyOf(operand);
}

/** A value of a field that holds decimals, as a text that compares by code point. */
export function decimalValue(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === 'string' ? decimalKey(value) : value;
}

const keyOf = (scalar: JsonScalar): JsonScalar => (typeof scalar === 'string' ? decimalKey(scalar) : scalar);
