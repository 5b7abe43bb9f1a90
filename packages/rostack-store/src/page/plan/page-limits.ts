/** What bounds the work of pages; nothing of it changes what a page holds. */
export interface PageLimits {
  /** Index entries whose rows one statement tests along a scan; twice as many as the page has rows where that is more. */
  readonly examined: number;
  /** An access with at most this many index entries is read as a whole and put in order; so is a group of rows with one sort key. */
  readonly materialized: number;
  /** What one statement compares at most: `examined` and `materialized` are fewer for a filter of many comparisons. */
  readonly comparisons: number;
  /** Entries beyond those of a page that are read where rows with the last sort key may go on. */
  readonly spare: number;
  /** Index entries of past versions that one statement examines. */
  readonly past: number;
  /** Keys (of an `in`, say) that are scanned one by one at most. */
  readonly mergedScans: number;
  /** How long the statement may hold up this process (SQLite). */
  readonly briefMs: number;
  /**
   * Index entries scanned in one slice: at first, and at most when a page needs more of them. PostgreSQL sorts the rest of a table
   * to find the entry where a longer slice ends.
   */
  readonly sliceRows: { readonly first: number; readonly most: number };
}

/** How long a slice may take in the end is a matter of its time, not of its rows. */
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
