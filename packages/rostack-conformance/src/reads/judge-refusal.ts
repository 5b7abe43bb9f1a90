import { PROBLEM_TYPES, type ProblemSlug } from 'rostack-core';
import type { CheckContext } from '../check/check-context.ts';
import type { ProbeResponse } from '../http/http-probe.ts';
import { judgeProblem } from '../problem/judge-problem.ts';

/**
 * Judges whether something is refused, and how. What is refused with the right status and the wrong problem breaks the requirement of the
 * problem type alone.
 * @param ids what it breaks not to refuse it
 */
export function judgeRefusal(
  context: Pick<CheckContext, 'findings' | 'release'>,
  ids: readonly string[],
  response: ProbeResponse,
  slug: ProblemSlug,
  why: string,
): void {
  const isRefused = response.status === PROBLEM_TYPES[slug].status;
  if (isRefused) for (const id of ids) context.findings.pass(id);
  judgeProblem(context, isRefused ? [`err.http.type.${slug}`] : ids, response, [slug], why);
}
