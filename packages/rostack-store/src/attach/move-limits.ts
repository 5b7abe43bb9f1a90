import type { BatchLimits } from './choose-batch.ts';

/** How much of the inbox is moved at once. */
export interface MoveLimits extends BatchLimits {
  /** Rows of the table that are looked at to keep transactions together; the last row of the inbox may tell of some more. */
  readonly lookAheadRows: number;
  /** Rows of the table that are decoded and written at once; a larger transaction stays whole. */
  readonly partRows: number;
}

export const MOVE_LIMITS: MoveLimits = {
  maxRows: 2_000,
  maxBytes: 16 * 1_048_576,
  lookAheadRows: 4_000,
  partRows: 500,
};
