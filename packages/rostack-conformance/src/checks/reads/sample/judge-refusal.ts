import { PROBLEM_TYPES, type ProblemSlug } from 'rostack-core';
import type { CheckContext } from '../../../check/check-context.ts';
import type { ProbeResponse } from '../../../probe/http/http-probe.ts';
import { judgeProblem } from '../../../probe/judge-problem.ts';

/**
 * Judges whether something is refused, and how. A refusal with the right status but the wrong problem only breaks the requirement for the
 * problem type.
 * @param ids the requirements that not refusing it breaks
 */
export function judgeRefusal(
  context: Pick<CheckContext, 'findings' | 'release' | 'discovery'>,
  ids: readonly string[],
  response: ProbeResponse,
  slug: ProblemSlug,
  why: string,
): void {
  const isRefused = response.status === PROBLEM_TYPES[slug].status;
  if (isRefused) for (const id of ids) context.findings.pass(id);
  judgeProblem(context, isRefused ? [`err.http.type.${slug}`] : ids, response, [slug], why);
}
