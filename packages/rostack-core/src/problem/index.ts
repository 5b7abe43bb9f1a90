export { createProblem } from './create-problem.ts';
export { parseProblem } from './parse-problem.ts';
export { PROBLEM_MEDIA_TYPE, type Problem, type ProblemMembers, type ProblemOf } from './problem.ts';
export { ProblemError } from './problem-error.ts';
export type { AnyProblem } from './problem-model.ts';
export {
  carriesRetryAfter,
  PROBLEM_SLUGS,
  PROBLEM_TYPES,
  type ProblemSlug,
  type ProblemTypeUri,
  problemSlug,
  problemTypeUri,
  RETRY_AFTER_PROBLEMS,
  type RetryAfterProblemSlug,
} from './problem-types.ts';
