import type { FilterOperator } from 'rostack-core';

/**
 * What an operator compares a field with: an equal `value`, one before or after in `order`, a `list` of values, the beginning or
 * end of a `text`, a `part` of a text or an array, or only whether there is one (`presence`).
 */
export type OperandKind = 'value' | 'order' | 'list' | 'text' | 'part' | 'presence';

interface OperatorDescription {
  readonly kind: OperandKind;
  /** Shown between field and value in the filter builder. */
  readonly words: string;
  /** The operand that it takes. */
  readonly operand: string;
  /** When it matches. */
  readonly meaning: string;
}

/** What each operator means, for readers (protocol section 6). */
export const OPERATORS = {
  eq: {
    kind: 'value',
    words: 'is',
    operand: 'a value',
    meaning: 'The field equals the value, in type and content.',
  },
  ne: { kind: 'value', words: 'is not', operand: 'a value', meaning: 'The field differs, or is missing.' },
  gt: {
    kind: 'order',
    words: 'is above',
    operand: 'a number or text',
    meaning: 'The field is greater. Texts compare by code point.',
  },
  gte: {
    kind: 'order',
    words: 'is at least',
    operand: 'a number or text',
    meaning: 'The field is greater or equal.',
  },
  lt: { kind: 'order', words: 'is below', operand: 'a number or text', meaning: 'The field is smaller.' },
  lte: {
    kind: 'order',
    words: 'is at most',
    operand: 'a number or text',
    meaning: 'The field is smaller or equal.',
  },
  in: {
    kind: 'list',
    words: 'is one of',
    operand: 'a list of values',
    meaning: 'The field equals one of them.',
  },
  nin: {
    kind: 'list',
    words: 'is none of',
    operand: 'a list of values',
    meaning: 'The field equals none of them, or is missing.',
  },
  contains: {
    kind: 'part',
    words: 'contains',
    operand: 'a value',
    meaning: 'The text has this part, or the array this member.',
  },
  starts_with: {
    kind: 'text',
    words: 'starts with',
    operand: 'a string',
    meaning: 'The text begins so; case counts.',
  },
  ends_with: {
    kind: 'text',
    words: 'ends with',
    operand: 'a string',
    meaning: 'The text ends so; case counts.',
  },
  exists: {
    kind: 'presence',
    words: 'exists',
    operand: 'true or false',
    meaning: 'The field is there, or is missing.',
  },
} satisfies Record<FilterOperator, OperatorDescription>;
