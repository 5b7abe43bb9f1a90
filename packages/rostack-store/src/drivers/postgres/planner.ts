import type { PlannerTraits } from '../planner-traits.ts';

export const postgresPlanner: PlannerTraits = {
  seeksRowValues: true,
  seeksSeveralRanges: false,
  testsConstantsFirst: true,
  looksAheadCheaply: false,
  copiesWindowRows: false,
};
