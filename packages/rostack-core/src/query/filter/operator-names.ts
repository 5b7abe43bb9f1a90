/** What an operator takes: a scalar or an array of scalars, an array of scalars, a string, or a boolean. */
export type OperandKind = 'scalar_or_array' | 'array' | 'string' | 'boolean';

/** The operators of a filter with what each takes, in the order of the protocol (section 6). */
export const OPERAND_KINDS = {
  eq: 'scalar_or_array',
  ne: 'scalar_or_array',
  gt: 'scalar_or_array',
  gte: 'scalar_or_array',
  lt: 'scalar_or_array',
  lte: 'scalar_or_array',
  in: 'array',
  nin: 'array',
  contains: 'scalar_or_array',
  starts_with: 'string',
  ends_with: 'string',
  exists: 'boolean',
} as const satisfies Readonly<Record<string, OperandKind>>;

/**
 * Name of an operator: `eq`, `ne`, `gt`, `gte`, `lt`, `lte`, `in`, `nin`, `contains`, `starts_with`, `ends_with` or
 * `exists`.
 */
export type FilterOperator = keyof typeof OPERAND_KINDS;

/** The operators by name, in the order of the protocol. */
export const FILTER_OPERATOR_NAMES = Object.keys(OPERAND_KINDS) as readonly FilterOperator[];
