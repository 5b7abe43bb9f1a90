import * as fc from 'fast-check';
import { type ProblemSlug, problemTypeUri, SourceUnavailableError } from 'rostack-core';
import { expect, test } from 'vitest';
import { Observatory, readProblem, station } from '../support/observatory.ts';
import { defineObservatory } from '../support/observatory-implementation.ts';

const SUMMARY = 'application/vnd.observatory.summary+json';

const paths = fc.oneof(
  fc.constantFrom(
    ['discovery', '/.well-known/rostack'] as const,
    ['list', '/api/stations'] as const,
    ['list', '/notes'] as const,
    ['get', '/api/stations/station-0001'] as const,
    ['get', '/api/stations/station-0002'] as const,
    ['get', '/note'] as const,
  ),
  fc
    .string({ unit: 'grapheme', minLength: 1 })
    .map((id) => ['get', `/api/stations/x${encodeURIComponent(id)}`] as const),
);
const values = fc.oneof(
  fc.constantFrom(
    '',
    '5',
    '/name',
    '-/altitude',
    '{"/name":{"eq":"x"}}',
    '{"/__proto__":{"eq":1}}',
    '{"$and":[]}',
    'AAAA',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.json({ maxDepth: 3 }),
);
const filters = fc.constantFrom(
  '{"/name":{"eq":"x"}}',
  '{"/colour":{"eq":"x"}}',
  '{"/__proto__":{"eq":1}}',
  '{"/region":{"gt":"x"}}',
  '{"$and":[]}',
  'x',
);
const parameters = fc.array(
  fc.oneof(
    fc.tuple(fc.constantFrom('filter', 'sort', 'fields', 'limit', 'cursor', 'id', 'x'), values),
    fc.tuple(fc.constant('filter'), filters),
  ),
  { maxLength: 3 },
);
const requests = fc.record({
  path: paths,
  parameters,
  method: fc.constantFrom('GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE'),
  credentials: fc.constantFrom('all', 'all', 'all', 'some', 'none', 'broken'),
  accept: fc.constantFrom(undefined, undefined, '*/*', SUMMARY, 'text/html', ';;;'),
  fault: fc.constantFrom('none', 'none', 'none', 'none', 'none', 'none', 'crowded', 'unavailable', 'broken'),
});

test('no answer carries a problem type that discovery does not declare for the operation', async () => {
  const { discovery } = defineObservatory();
  let fault = 'none';
  const fail = <T>(answer: () => Promise<T>): Promise<T> => {
    if (fault === 'unavailable') return Promise.reject(new SourceUnavailableError('down'));
    return fault === 'broken' ? Promise.reject(new TypeError('x is not a function')) : answer();
  };
  await using observatory = await Observatory.start({
    app: {
      rateLimiter: {
        consume: async (_scope, _key, points) => (fault === 'crowded' && points > 0 ? 1_000 : 0),
      },
    },
    wrapSource: (source) => ({
      head: () => fail(() => source.head()),
      page: (query) => fail(() => source.page(query)),
      get: (id) => fail(() => source.get(id)),
      tagAt: (position) => fail(() => source.tagAt(position)),
      read: (after, limit, tag) => source.read(after, limit, tag),
      watch: (onMoved) => source.watch(onMoved),
    }),
  });
  await observatory.putStations(station(1), station(2));
  await observatory.store.apply([{ op: 'delete', resource: 'stations', id: 'station-0002' }]);
  const tokens: Record<string, string | null> = {
    all: observatory.token,
    some: observatory.issueToken(['notes:read']),
    none: null,
    broken: 'rostack_x',
  };
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      requests,
      async ({ path: [operation, path], parameters, method, credentials, accept, fault: kind }) => {
        fault = kind;
        const search = parameters
          .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
          .join('&');
        const headers: Record<string, string> = accept === undefined ? {} : { accept };
        const url = `${path}${search === '' ? '' : '?'}${search}`;
        const response = await observatory.fetch(url, {
          method,
          headers,
          token: tokens[credentials] ?? null,
        });
        if (response.status < 400) return;
        if (method === 'HEAD') return;
        const { slug = '' } = await readProblem(response);
        const declared = discovery.errors.http.find(
          ({ type }) => type === problemTypeUri(slug as ProblemSlug),
        );
        expect([operation, slug, declared?.operations]).toEqual([
          operation,
          slug,
          expect.arrayContaining([operation]),
        ]);
        seen.add(slug);
      },
    ),
    { numRuns: 3_000, seed: 20260813 },
  );
  expect([...seen].sort()).toEqual([
    'authentication-required',
    'internal-error',
    'invalid-cursor',
    'invalid-fields',
    'invalid-filter',
    'invalid-request',
    'invalid-sort',
    'method-not-allowed',
    'permission-denied',
    'rate-limited',
    'representation-not-acceptable',
    'resource-gone',
    'resource-not-found',
    'service-unavailable',
    'unsupported-filter',
  ]);
});

test('a problem that the source of an error would need, but that is not declared, is sent as an internal error', async () => {
  const implementation = defineObservatory();
  const errors: unknown[] = [];
  await using observatory = await Observatory.start({
    implementation,
    app: {
      hooks: { onError: (error) => errors.push(error) },
      authenticators: [
        {
          method: 'shared_token',
          authenticate: () => Promise.reject(Object.assign(new Error('odd'), { code: 'invalid_filter' })),
          recheck: () => Promise.reject(new Error('odd')),
        },
      ],
    },
  });
  expect((await observatory.problem('/api/stations/x')).slug).toBe('internal-error');
  expect(errors).toHaveLength(1);
});
