import { PROBLEM_MEDIA_TYPE, PROBLEM_TYPES, type ProblemSlug, problemTypeUri } from 'rostack-core';
import type { CheckContext } from '../check/check-context.ts';
import { mediaTypeOf } from '../http/exchange.ts';
import type { ProbeResponse } from '../http/http-probe.ts';

/** Whether an answer is a problem of this type; in release 2026-08-12 only the status tells, since the type is free there. */
export function isProblem(
  { release }: Pick<CheckContext, 'release'>,
  { status, json, exchange }: ProbeResponse,
  slug: ProblemSlug,
): boolean {
  if (status !== PROBLEM_TYPES[slug].status || mediaTypeOf(exchange) !== PROBLEM_MEDIA_TYPE) return false;
  return release === '2026-08-12' || typeOf(json) === problemTypeUri(slug);
}

/** Judges requirements by whether an answer is a problem of a type. */
export function judgeProblem(
  context: CheckContext,
  response: ProbeResponse,
  slug: ProblemSlug,
  what: string,
  ids: readonly string[],
): void {
  const isKept = isProblem(context, response, slug);
  for (const id of ids) {
    context.findings.judge(id, isKept, () => ({
      expected: `${what} is answered with ${slug} (status ${PROBLEM_TYPES[slug].status}).`,
      got: `${saidBy(response)}.`,
      exchange: response.exchange,
    }));
  }
}

/** Status and problem type of an answer, in words. */
export function saidBy({ status, json }: Pick<ProbeResponse, 'status' | 'json'>): string {
  const type = typeOf(json);
  return type === undefined ? `Status ${status}` : `Status ${status} and the problem type ${type}`;
}

const typeOf = (json: unknown): string | undefined =>
  typeof json === 'object' && json !== null && 'type' in json && typeof json.type === 'string'
    ? json.type
    : undefined;
