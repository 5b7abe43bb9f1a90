/** What bounds the work of pages; nothing of it changes what a page holds. */
export interface PageLimits {
  /** Index entries looked through in one go: at first, and at most when a page needs more of them. */
  readonly sliceRows: { readonly first: number; readonly most: number };
  /** An access with at most this many index entries is read as a whole and put in order. */
  readonly maxCollected: number;
  /** Keys (of an `in`, say) that are walked one by one at most. */
  readonly maxMergedWalks: number;
  /** Up to this many changes since the page's position, past versions are found by when they ended. */
  readonly fewChanges: number;
}

/** SQLite holds the event loop for the length of a slice; PostgreSQL costs a round trip for each. */
export const PAGE_LIMITS: Readonly<Record<'sqlite' | 'postgres', PageLimits>> = {
  sqlite: {
    sliceRows: { first: 256, most: 4_096 },
    maxCollected: 1_000,
    maxMergedWalks: 16,
    fewChanges: 1_000,
  },
  postgres: {
    sliceRows: { first: 1_024, most: 65_536 },
    maxCollected: 1_000,
    maxMergedWalks: 16,
    fewChanges: 1_000,
  },
};
