/** Limits of `parseFilter`; a filter that exceeds one is invalid. */
export interface FilterLimits {
  /**
   * Filters inside filters, the outermost being 1.
   * @default 16
   */
  readonly maxDepth: number;
  /**
   * Comparisons, `$and`, `$or` and `$not` together.
   * @default 256
   */
  readonly maxNodes: number;
  /**
   * Members of one array operand.
   * @default 1_000
   */
  readonly maxArrayMembers: number;
  /**
   * Bytes in UTF-8 of one operand string, and of one pointer.
   * @default 4_096
   */
  readonly maxStringBytes: number;
  /**
   * UTF-16 units of the JSON text that `parseFilterText` reads.
   * @default 65_536
   */
  readonly maxTextLength: number;
}

/**
 * Limits that ordinary filters stay well below: depth 16, 256 nodes, 1,000 array members, strings of 4
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
