/** Up to so many rows are counted. */
export const COUNTED_ROWS = 10_000;

/** A count of rows. */
export interface Counted {
  readonly rows: number;
}
