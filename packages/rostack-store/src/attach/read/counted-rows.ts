/** The most rows that are counted. */
export const COUNTED_ROWS = 10_000;

/** A count of rows. */
export interface Counted {
  readonly rows: number;
}
