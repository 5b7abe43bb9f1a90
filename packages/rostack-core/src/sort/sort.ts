/** One key of a sort order (protocol section 5, `sort`). */
export interface SortKey {
  /** JSON Pointer of the field (RFC 6901). */
  readonly pointer: string;
  /** The pointer's reference tokens, unescaped. */
  readonly path: readonly string[];
  readonly descending: boolean;
}
