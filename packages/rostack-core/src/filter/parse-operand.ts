import type { JsonScalar } from '../json.ts';
import { isLongerThan } from '../text/utf8-length.ts';
import type { FilterLimits } from './filter-limits.ts';
import { type FilterPlace, invalidFilter } from './filter-place.ts';
import { FILTER_OPERATORS, type FilterOperand, type FilterOperator } from './operators.ts';

/** The operand of an operator, checked for its type and size. `place` is that of the operator. */
export function parseOperand(
  operator: FilterOperator,
  value: unknown,
  limits: FilterLimits,
  place: FilterPlace,
): FilterOperand {
  switch (FILTER_OPERATORS[operator].operand) {
    case 'boolean':
      if (typeof value !== 'boolean') throw invalidFilter('give true or false', place);
      return value;
    case 'string':
      if (typeof value !== 'string') throw invalidFilter('give a string', place);
      return parseScalar(value, limits, place);
    case 'array':
      if (!Array.isArray(value))
        throw invalidFilter('give an array of strings, numbers, booleans or nulls', place);
      return parseScalars(value, limits, place);
    case 'scalar_or_array':
      return Array.isArray(value) ? parseScalars(value, limits, place) : parseScalar(value, limits, place);
  }
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
