/** Bounds on the work for a page; they do not affect what the page contains. */
export interface PageLimits {
  /** Index entries whose rows one statement tests along a scan; at least twice the number of rows of the page. */
  readonly examined: number;
  /** An access with at most this many index entries is read completely and sorted; so is a group of rows with the same sort key. */
  readonly materialized: number;
  /** Comparisons that one statement makes at most: for a filter with many, `examined` and `materialized` are reduced. */
  readonly comparisons: number;
  /** Entries read beyond those of a page, in case more rows have the last sort key. */
  readonly spare: number;
  /** Index entries of past versions that one statement examines. */
  readonly past: number;
  /** Most keys (of an `in`, say) that are scanned one by one. */
  readonly mergedScans: number;
  /** How long the statement may block this process (SQLite). */
  readonly briefMs: number;
  /**
   * Index entries scanned in one slice: initially, and at most if a page needs more of them. PostgreSQL sorts the rest of a table to find
   * the entry at which a longer slice ends.
   */
  readonly sliceRows: { readonly first: number; readonly most: number };
}

/** In the end, slices are bounded by time and not by rows. */
export const PAGE_LIMITS: PageLimits = {
  examined: 1_000,
  materialized: 1_000,
  comparisons: 10_000,
  spare: 4,
  past: 10_000,
  mergedScans: 16,
  briefMs: 10,
  sliceRows: { first: 1_024, most: 16_384 },
};
