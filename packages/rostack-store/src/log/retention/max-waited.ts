/**
 * A change of an attached table counts as occurred when its row was committed, but no longer than this before it was written. Its log is
 * kept for so much longer, since what may be read later depends on when changes were written.
 */
export const MAX_WAITED_MS = 600_000;
