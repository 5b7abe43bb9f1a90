/** What bounds the work of pages; nothing of it changes what a page holds. */
export interface PageLimits {
  /** Index entries looked through in one go: at first, and at most when a page needs more of them. */
  readonly sliceRows: { readonly first: number; readonly most: number };
  /** A page that has taken longer is a long one: it goes on in turn with others. */
  readonly briefMs: number;
  /** An access with at most this many index entries is read as a whole and put in order. */
  readonly maxCollected: number;
  /** Keys (of an `in`, say) that are walked one by one at most. */
  readonly maxMergedWalks: number;
  /** Up to this many changes since the page's position, past versions are found by when they ended. */
  readonly fewChanges: number;
}

/** A slice costs PostgreSQL a round trip; how long one may take in the end is a matter of its time, not of its rows. */
export const PAGE_LIMITS: Readonly<Record<'sqlite' | 'postgres', PageLimits>> = {
  sqlite: {
    sliceRows: { first: 256, most: 65_536 },
    briefMs: 5,
    maxCollected: 1_000,
    maxMergedWalks: 16,
    fewChanges: 1_000,
  },
  postgres: {
    sliceRows: { first: 1_024, most: 65_536 },
    briefMs: 20,
    maxCollected: 1_000,
    maxMergedWalks: 16,
    fewChanges: 1_000,
  },
};
