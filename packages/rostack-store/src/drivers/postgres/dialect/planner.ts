import type { PlannerTraits } from '../../dialect/planner-traits.ts';

export const postgresPlanner: PlannerTraits = {
  seeksRowValues: true,
  seeksSeveralRanges: false,
  testsConstantsFirst: true,
  looksAheadCheaply: false,
  copiesWindowRows: false,
};
