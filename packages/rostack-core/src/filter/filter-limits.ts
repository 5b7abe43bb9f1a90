/** Limits of `parseFilter`; a filter that exceeds one is invalid. */
export interface FilterLimits {
  /** Filters inside filters, the outermost being 1. */
  readonly maxDepth: number;
  /** Comparisons, `$and`, `$or` and `$not` together. */
  readonly maxNodes: number;
  /** Members of one array operand. */
  readonly maxArrayMembers: number;
  /** Bytes in UTF-8 of one operand string, and of one pointer. */
  readonly maxStringBytes: number;
  /** UTF-16 units of the JSON text that `parseFilterText` reads. */
  readonly maxTextLength: number;
}

/**
 * Limits that a filter of a person or a program stays below: depth 16, 256 nodes, 1,000 array members, strings of 4
 * KiB, texts of 65,536 UTF-16 units.
 * @see protocol section 10
 */
export const DEFAULT_FILTER_LIMITS: FilterLimits = {
  maxDepth: 16,
  maxNodes: 256,
  maxArrayMembers: 1_000,
  maxStringBytes: 4_096,
  maxTextLength: 65_536,
};
