import type { JsonScalar } from '../json.ts';
import { isLongerThan } from '../text/utf8-length.ts';
import type { FilterOperand, FilterOperator } from './filter.ts';
import type { FilterError } from './filter-error.ts';
import type { FilterLimits } from './filter-limits.ts';

/** The operand of an operator, checked for its type and size. `fail` makes the error to throw of a sentence. */
export function parseOperand(
  operator: FilterOperator,
  value: unknown,
  limits: FilterLimits,
  fail: (fault: string) => FilterError,
): FilterOperand {
  switch (operator) {
    case 'exists':
      if (typeof value !== 'boolean') throw fail('give true or false');
      return value;
    case 'starts_with':
    case 'ends_with':
      if (typeof value !== 'string') throw fail('give a string');
      return parseScalar(value, limits, fail);
    case 'in':
    case 'nin':
      if (!Array.isArray(value)) throw fail('give an array of strings, numbers, booleans or nulls');
      return parseScalars(value, limits, fail);
    default:
      return Array.isArray(value) ? parseScalars(value, limits, fail) : parseScalar(value, limits, fail);
  }
}

function parseScalars(
  values: readonly unknown[],
  limits: FilterLimits,
  fail: (fault: string) => FilterError,
): readonly JsonScalar[] {
  if (values.length > limits.maxArrayMembers) {
    throw fail(`the array has more than ${limits.maxArrayMembers} members`);
  }
  return values.map((value) => parseScalar(value, limits, fail));
}

function parseScalar(value: unknown, limits: FilterLimits, fail: (fault: string) => FilterError): JsonScalar {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw fail('the number is out of range');
      return value;
    case 'string':
      if (isLongerThan(value, limits.maxStringBytes)) {
        throw fail(`the string is longer than ${limits.maxStringBytes} bytes`);
      }
      // A lone surrogate is no code point: it could match half of a character.
      if (!value.isWellFormed()) throw fail('the string holds half of a surrogate pair');
      return value;
    default:
      if (value === null) return null;
      throw fail(
        'give a string, a number, a boolean or null, or an array of these where the operator takes one',
      );
  }
}
