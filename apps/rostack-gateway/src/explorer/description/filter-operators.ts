import type { FilterOperator } from 'rostack-core';

/** What each operator asks, for readers who know the field's value as "it" (protocol section 6). */
export const OPERATOR_MEANINGS: Readonly<
  Record<FilterOperator, { readonly words: string; readonly operand: string; readonly meaning: string }>
> = {
  eq: { words: 'is', operand: 'a value', meaning: 'The field equals the value, in type and content.' },
  ne: { words: 'is not', operand: 'a value', meaning: 'The field differs, or is missing.' },
  gt: {
    words: 'is above',
    operand: 'a number or text',
    meaning: 'The field is greater. Texts compare by code point.',
  },
  gte: { words: 'is at least', operand: 'a number or text', meaning: 'The field is greater or equal.' },
  lt: { words: 'is below', operand: 'a number or text', meaning: 'The field is smaller.' },
  lte: { words: 'is at most', operand: 'a number or text', meaning: 'The field is smaller or equal.' },
  in: { words: 'is one of', operand: 'a list of values', meaning: 'The field equals one of them.' },
  nin: {
    words: 'is none of',
    operand: 'a list of values',
    meaning: 'The field equals none of them, or is missing.',
  },
  contains: {
    words: 'contains',
    operand: 'a value',
    meaning: 'The text has this part, or the array this member.',
  },
  starts_with: { words: 'starts with', operand: 'a text', meaning: 'The text begins so; case counts.' },
  ends_with: { words: 'ends with', operand: 'a text', meaning: 'The text ends so; case counts.' },
  exists: { words: 'exists', operand: 'true or false', meaning: 'The field is there, or is missing.' },
};
