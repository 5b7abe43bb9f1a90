/** What a database's planner does by itself, and what statements have to spell out for it. */
export interface PlannerTraits {
  /** Whether `(key, id) > (?, ?)` leads to the index; required where the planner drops an equality of the key from the order. */
  readonly seeksRowValues: boolean;
  /**
   * Whether one select reads several ranges of an index; where the order of a select leads to the index, each range needs a select of its
   * own.
   */
  readonly seeksSeveralRanges: boolean;
  /** Whether a condition on no column is tested once per select, before the first row, and not for each row. */
  readonly testsConstantsFirst: boolean;
  /** Whether reading one more index entry costs less than keeping the entries before it until they are counted. */
  readonly looksAheadCheaply: boolean;
  /** Whether a window sum copies preceding rows with all their columns, so that sizes are better read without the texts themselves. */
  readonly copiesWindowRows: boolean;
}
