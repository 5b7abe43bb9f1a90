import {
  type AnyDiscoveryDocument,
  declaredErrors,
  PROBLEM_SLUGS,
  type ProblemSlug,
  problemTypeUri,
} from 'rostack-core';
import { undeclaredErrors } from '../../guard/undeclared-errors.ts';
import type { RequestOperation } from '../../options/http-hooks.ts';

type DeclaredOperation = Exclude<RequestOperation, 'schema' | 'upgrade' | 'audience'>;

/** The problem types that each operation may answer with, as discovery declares them (protocol section 2, `errors`). */
export type DeclaredProblems = Readonly<Record<DeclaredOperation, ReadonlySet<ProblemSlug>>>;

/** Problems that this server may answer with under any configuration. */
const ALWAYS_NEEDED: Readonly<Record<DeclaredOperation, readonly ProblemSlug[]>> = {
  discovery: ['invalid-request', 'method-not-allowed', 'internal-error'],
  list: [
    'invalid-request',
    'invalid-filter',
    'unsupported-filter',
    'invalid-sort',
    'invalid-fields',
    'invalid-cursor',
    'authentication-required',
    'permission-denied',
    'method-not-allowed',
    'representation-not-acceptable',
    'internal-error',
    'service-unavailable',
  ],
  get: [
    'invalid-request',
    'invalid-fields',
    'authentication-required',
    'permission-denied',
    'resource-not-found',
    'resource-gone',
    'method-not-allowed',
    'representation-not-acceptable',
    'internal-error',
    'service-unavailable',
  ],
};

/** Reads the declaration of a discovery document. */
export function declaredProblemsOf(discovery: AnyDiscoveryDocument): DeclaredProblems {
  const { http } = declaredErrors(discovery);
  const slugsOf = (operation: DeclaredOperation): ReadonlySet<ProblemSlug> => {
    const types = new Set<string>(
      http.filter(({ operations }) => operations.includes(operation)).map(({ type }) => type),
    );
    return new Set(PROBLEM_SLUGS.filter((slug) => types.has(problemTypeUri(slug))));
  };
  return { discovery: slugsOf('discovery'), list: slugsOf('list'), get: slugsOf('get') };
}

/** One sentence for each problem type that the server needs and discovery does not declare. */
export function undeclaredProblems(
  declared: DeclaredProblems,
  {
    isRateLimited,
    isDiscoveryPublic,
  }: { readonly isRateLimited: boolean; readonly isDiscoveryPublic: boolean },
): string[] {
  const limited: readonly ProblemSlug[] = isRateLimited ? ['rate-limited'] : [];
  const closed: readonly ProblemSlug[] = isDiscoveryPublic
    ? []
    : ['authentication-required', 'service-unavailable'];
  const { discovery, list, get } = ALWAYS_NEEDED;
  const needed = {
    discovery: [...discovery, ...limited, ...closed],
    list: [...list, ...limited],
    get: [...get, ...limited],
  };
  return undeclaredErrors('http', needed, (operation, slug) => declared[operation].has(slug));
}
