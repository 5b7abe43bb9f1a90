import type { PlannerTraits } from '../../dialect/planner-traits.ts';

export const sqlitePlanner: PlannerTraits = {
  // On plain columns it does, but keys are expressions in some indexes.
  seeksRowValues: false,
  seeksSeveralRanges: true,
  testsConstantsFirst: false,
  looksAheadCheaply: true,
  copiesWindowRows: true,
};
