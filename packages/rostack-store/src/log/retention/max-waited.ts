/**
 * A change of an attached table counts as occurred when its row was committed, but at most this long before it was written. Its log is kept
 * that much longer, since what may be read later depends on when changes were written.
 */
export const MAX_WAITED_MS = 600_000;
