import type { ProblemSlug, Resource } from 'rostack-core';
import type { Check } from '../../check/check.ts';
import { judgeProblem } from '../../probe/judge-problem.ts';
import { readableResources } from '../../probe/place/readable-resources.ts';
import { listUrl } from '../../probe/place/urls.ts';

const AUTHORITATIVE = 'discovery.authoritative';
const PARAMETERS = 'decided.parameters';

interface Refusal {
  readonly slugs: readonly ProblemSlug[];
  readonly ids: readonly string[];
  readonly why: string;
  readonly query: (resource: Resource, maxPageSize: number) => Readonly<Record<string, string>>;
}

const UNKNOWN_FIELD = '/rostack-conformance';

/** One query for each problem that a list can answer a query with. */
const REFUSALS: readonly Refusal[] = [
  {
    slugs: ['invalid-filter'],
    ids: ['err.http.type.invalid-filter'],
    why: 'A filter that is not JSON',
    query: () => ({ filter: '{' }),
  },
  {
    slugs: ['unsupported-filter'],
    ids: ['err.http.type.unsupported-filter', 'filter.advertised-only', AUTHORITATIVE],
    why: 'A filter by a field that is not advertised',
    query: () => ({ filter: JSON.stringify({ [UNKNOWN_FIELD]: { eq: 1 } }) }),
  },
  {
    slugs: ['invalid-sort'],
    ids: ['err.http.type.invalid-sort', AUTHORITATIVE],
    why: 'A sort by a field that is not advertised',
    query: () => ({ sort: UNKNOWN_FIELD }),
  },
  {
    slugs: ['invalid-fields'],
    ids: ['err.http.type.invalid-fields'],
    why: 'A field that is not a JSON Pointer',
    query: () => ({ fields: 'rostack-conformance' }),
  },
  {
    slugs: ['invalid-cursor'],
    ids: ['err.http.type.invalid-cursor'],
    why: 'A cursor that nobody has given',
    query: () => ({ cursor: 'rostack-conformance' }),
  },
  {
    slugs: ['invalid-request'],
    ids: ['err.http.type.invalid-request', 'json.query.limit'],
    why: 'A limit of 0',
    query: () => ({ limit: '0' }),
  },
  {
    slugs: ['invalid-request'],
    ids: ['decided.limit.above'],
    why: 'A limit above the maximum',
    query: (_, maxPageSize) => ({ limit: String(maxPageSize + 1) }),
  },
  {
    slugs: ['invalid-request'],
    ids: [PARAMETERS],
    why: 'A query parameter that is unknown',
    query: () => ({ 'rostack-conformance': '1' }),
  },
];

/** Each problem of queries is used where it belongs; anything not advertised is refused. */
export const queries: Check = {
  name: 'speaks.queries',
  level: 'speaks',
  requirements: [...new Set(REFUSALS.flatMap(({ ids }) => ids))],
  needs: ['token'],
  async run(context) {
    const { discovery, http, tokens } = context;
    for (const resource of await readableResources(context)) {
      for (const { slugs, ids, why, query } of REFUSALS) {
        const url = listUrl(resource, query(resource, discovery.capabilities.max_page_size));
        judgeProblem(context, ids, await http.get(url, { token: tokens.main }), slugs, why);
      }
    }
  },
};
