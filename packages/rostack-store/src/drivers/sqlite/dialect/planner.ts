import type { PlannerTraits } from '../../dialect/planner-traits.ts';

export const sqlitePlanner: PlannerTraits = {
  // SQLite does so for plain columns only, but in some indexes keys are expressions.
  seeksRowValues: false,
  seeksSeveralRanges: true,
  testsConstantsFirst: false,
  looksAheadCheaply: true,
  copiesWindowRows: true,
};
