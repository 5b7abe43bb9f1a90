import { PROBLEM_TYPES, type ProblemSlug, problemTypeUri } from 'rostack-core';
import type { CheckContext } from '../check/check-context.ts';
import type { ProbeResponse } from './http/http-probe.ts';

/** Whether an answer is a problem of one of these types. In release 2026-08-12, where problems may have any type, the status decides. */
export function isProblem(
  { status, json }: Pick<ProbeResponse, 'status' | 'json'>,
  release: CheckContext['release'],
  slugs: readonly ProblemSlug[],
): boolean {
  const { type } = (json ?? {}) as { readonly type?: unknown };
  return slugs.some(
    (slug) =>
      status === PROBLEM_TYPES[slug].status && (release === '2026-08-12' || type === problemTypeUri(slug)),
  );
}

/**
 * Judges whether a request is answered with a problem of a type.
 * @param ids the requirements that demand it
 * @param slugs the types that are right
 * @param why what was asked for, as a noun phrase that starts the sentence of what is expected
 */
export function judgeProblem(
  {
    findings,
    release,
    discovery,
  }: Pick<CheckContext, 'findings' | 'release'> & Partial<Pick<CheckContext, 'discovery'>>,
  ids: readonly string[],
  response: ProbeResponse,
  slugs: readonly ProblemSlug[],
  why: string,
): void {
  const isKept = isProblem(response, release, slugs);
  if (!isKept && slugs.includes('unsupported-filter') && hasNoFilters(discovery)) {
    if (isProblem(response, release, ['invalid-filter'])) {
      for (const id of ids)
        findings.note(id, 'There are no filters, and each is answered with invalid-filter.');
      return;
    }
  }
  const names = slugs.map((slug) => `${slug} (${PROBLEM_TYPES[slug].status})`).join(' or ');
  for (const id of ids) {
    findings.judge(id, isKept, () => ({
      expected: `${why} is answered with ${names}.`,
      got: describeAnswer(response),
      exchange: response.exchange,
    }));
  }
}

/** The specification does not say how such a server answers a filter, and whether it has to declare that. */
export const hasNoFilters = (discovery: CheckContext['discovery'] | undefined): boolean =>
  discovery?.capabilities.filter_operators.length === 0;

/** Status and type of an answer, for readers. */
export function describeAnswer({ status, json }: Pick<ProbeResponse, 'status' | 'json'>): string {
  const { type, detail } = (json ?? {}) as { readonly type?: unknown; readonly detail?: unknown };
  if (typeof type !== 'string') return `${status}.`;
  return `${status}, ${type}${typeof detail === 'string' ? `: ${detail}` : '.'}`;
}
