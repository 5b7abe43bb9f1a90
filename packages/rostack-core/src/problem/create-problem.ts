import { parseProblem } from './parse-problem.ts';
import type { ProblemMembers, ProblemOf } from './problem.ts';
import {
  PROBLEM_TYPES,
  type ProblemSlug,
  problemTypeUri,
  type RetryAfterProblemSlug,
} from './problem-types.ts';

type MembersArgument<S extends ProblemSlug> = S extends RetryAfterProblemSlug
  ? [members: ProblemMembers<S>]
  : [members?: ProblemMembers<S>];

/**
 * Builds a problem object; members that are undefined are left out.
 * `retry_after_ms` is required for `rate-limited` and `service-unavailable` and impossible for the others.
 * @throws ProblemError code `invalid_problem` when a member breaks its rule
 * @see protocol section 5, problem object
 */
export function createProblem<S extends ProblemSlug>(
  slug: S,
  ...[members]: MembersArgument<S>
): ProblemOf<S> {
  const { title, status } = PROBLEM_TYPES[slug];
  const given = Object.entries(members ?? {}).filter(([, value]) => value !== undefined);
  const problem = parseProblem({ ...Object.fromEntries(given), type: problemTypeUri(slug), title, status });
  return problem as unknown as ProblemOf<S>;
}
