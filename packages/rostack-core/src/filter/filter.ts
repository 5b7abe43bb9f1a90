import type { JsonScalar } from '../json.ts';

/** The twelve operators of a filter (protocol section 6). */
export const FILTER_OPERATORS = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'nin',
  'contains',
  'starts_with',
  'ends_with',
  'exists',
] as const;

export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** A scalar, or an array of scalars. */
export type FilterOperand = JsonScalar | readonly JsonScalar[];

/** One operator applied to one field. */
export interface FilterComparison {
  readonly kind: 'comparison';
  /** JSON Pointer of the field (RFC 6901), never empty. */
  readonly pointer: string;
  /** The pointer's reference tokens, unescaped. */
  readonly path: readonly string[];
  readonly operator: FilterOperator;
  readonly operand: FilterOperand;
}

/** A parsed filter; `and` and `or` hold at least one. */
export type Filter =
  | FilterComparison
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly kind: 'not'; readonly filter: Filter };
