/** What a database's planner does by itself, and what has to be written for it. */
export interface PlannerTraits {
  /** Whether `(key, id) > (?, ?)` leads to the index; only that does where an equality of the key is taken out of the order. */
  readonly seeksRowValues: boolean;
  /** Whether one select reads several ranges of an index; where the select's order leads to the index, each range has to be one of its own. */
  readonly seeksSeveralRanges: boolean;
  /** Whether a condition on no column is tested once for a select, before the first row, and not for each of its rows. */
  readonly testsConstantsFirst: boolean;
  /** Whether it costs less to look for one more entry of an index than to keep those before it until they are counted. */
  readonly looksAheadCheaply: boolean;
  /** Whether a sum over preceding rows copies them with all their columns, so that sizes are better read without what they are of. */
  readonly copiesWindowRows: boolean;
}
