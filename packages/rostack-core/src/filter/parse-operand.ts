import type { JsonScalar } from '../json/json.ts';
import { isLongerThan } from '../text/strings.ts';
import { type FilterPlace, invalidFilter } from './filter-error.ts';
import type { FilterLimits } from './filter-limits.ts';
import { FILTER_OPERATORS, type FilterOperand, type FilterOperator, type OperandKind } from './operators.ts';

type OperandParser = (value: unknown, limits: FilterLimits, place: FilterPlace) => FilterOperand;

const PARSERS: Readonly<Record<OperandKind, OperandParser>> = {
  scalar_or_array: (value, limits, place) =>
    Array.isArray(value) ? parseScalars(value, limits, place) : parseScalar(value, limits, place),
  array(value, limits, place) {
    if (Array.isArray(value)) return parseScalars(value, limits, place);
    throw invalidFilter('give an array of strings, numbers, booleans or nulls', place);
  },
  string(value, limits, place) {
    if (typeof value === 'string') return parseScalar(value, limits, place);
    throw invalidFilter('give a string', place);
  },
  boolean(value, _, place) {
    if (typeof value === 'boolean') return value;
    throw invalidFilter('give true or false', place);
  },
};

/** Parses the operand of an operator and checks its type and size. `place` is that of the operator. */
export function parseOperand(
  operator: FilterOperator,
  value: unknown,
  limits: FilterLimits,
  place: FilterPlace,
): FilterOperand {
  return PARSERS[FILTER_OPERATORS[operator].operand](value, limits, place);
}

function parseScalars(
  values: readonly unknown[],
  limits: FilterLimits,
  place: FilterPlace,
): readonly JsonScalar[] {
  if (values.length > limits.maxArrayMembers) {
    throw invalidFilter(`the array has more than ${limits.maxArrayMembers} members`, place);
  }
  return values.map((value) => parseScalar(value, limits, place));
}

function parseScalar(value: unknown, limits: FilterLimits, place: FilterPlace): JsonScalar {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw invalidFilter('the number is out of range', place);
      return value;
    case 'string':
      if (isLongerThan(value, limits.maxStringBytes)) {
        throw invalidFilter(`the string is longer than ${limits.maxStringBytes} bytes`, place);
      }
      // A lone surrogate is no code point: it could match half of a character.
      if (!value.isWellFormed()) throw invalidFilter('the string holds half of a surrogate pair', place);
      return value;
    default:
      if (value === null) return null;
      throw invalidFilter(
        'give a string, a number, a boolean or null, or an array of these where the operator takes one',
        place,
      );
  }
}
