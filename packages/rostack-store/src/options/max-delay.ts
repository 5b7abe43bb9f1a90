/** Timers and the settings of PostgreSQL take no more milliseconds. */
export const MAX_DELAY_MS = 2 ** 31 - 1;
