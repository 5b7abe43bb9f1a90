import type { JsonScalar } from '../../text/json.ts';
import { isLongerThan } from '../../text/strings.ts';
import type { Release } from '../../wire/release/release.ts';
import { type FilterError, type FilterPlace, filterError, invalidFilter } from './filter-error.ts';
import type { FilterLimits } from './filter-limits.ts';
import { type FilterOperator, OPERAND_KINDS, type OperandKind } from './operator-names.ts';
import type { FilterOperand } from './operators.ts';

/** The rules for operands; `unsupported` is the error for the first one that only the schema of release 2026-08-12 allows. */
export interface OperandRules {
  readonly limits: FilterLimits;
  readonly release: Release;
  unsupported: FilterError | undefined;
}

type OperandParser = (value: unknown, rules: OperandRules, place: FilterPlace) => FilterOperand;

const PARSERS: Readonly<Record<OperandKind, OperandParser>> = {
  scalar_or_array: (value, rules, place) =>
    Array.isArray(value) ? parseScalars(value, rules, place) : parseScalar(value, rules, place),
  array(value, rules, place) {
    if (Array.isArray(value)) return parseScalars(value, rules, place);
    throw invalidFilter('pass an array of strings, numbers, booleans or nulls', place);
  },
  string(value, rules, place) {
    if (typeof value === 'string') return parseScalar(value, rules, place);
    throw invalidFilter('pass a string', place);
  },
  boolean(value, _, place) {
    if (typeof value === 'boolean') return value;
    throw invalidFilter('pass true or false', place);
  },
};

/** Parses the operand of an operator and checks its type and size. `place` is that of the operator. */
export function parseOperand(
  operator: FilterOperator,
  value: unknown,
  rules: OperandRules,
  place: FilterPlace,
): FilterOperand {
  return PARSERS[OPERAND_KINDS[operator]](value, rules, place);
}

function parseScalars(
  values: readonly unknown[],
  rules: OperandRules,
  place: FilterPlace,
): readonly JsonScalar[] {
  const { maxArrayMembers } = rules.limits;
  if (values.length > maxArrayMembers) {
    throw invalidFilter(`the array has more than ${maxArrayMembers} members`, place, 'limits');
  }
  return values.map((value) => parseScalar(value, rules, place));
}

function parseScalar(value: unknown, rules: OperandRules, place: FilterPlace): JsonScalar {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw invalidFilter('the number is out of range', place);
      return value;
    case 'string':
      if (isLongerThan(value, rules.limits.maxStringBytes)) {
        throw invalidFilter(
          `the string is longer than ${rules.limits.maxStringBytes} bytes`,
          place,
          'limits',
        );
      }
      // A lone surrogate is not a character: it could match half of one.
      if (!value.isWellFormed()) {
        throw invalidFilter('the string contains half of a surrogate pair', place, 'whole_characters');
      }
      return value;
    default:
      if (value === null) return null;
      return refuseOther(rules, place);
  }
}

/** Release 2026-08-12 allows operands of any type, but no operator here compares them: unsupported, unless the rest is invalid. */
function refuseOther(rules: OperandRules, place: FilterPlace): null {
  const message =
    'pass a string, a number, a boolean or null, or an array of these where the operator takes one';
  if (rules.release !== '2026-08-12') throw invalidFilter(message, place);
  rules.unsupported ??= filterError('unsupported_filter', message, place, 'scalar_operand');
  return null;
}
