/** The most milliseconds that timers and PostgreSQL's settings accept. */
export const MAX_DELAY_MS = 2 ** 31 - 1;
