import type { FilterOperand, FilterOperator } from './operators.ts';

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
