import * as fc from 'fast-check';
import { thrownBy } from 'test-support/thrown-by';
import { expect, expectTypeOf, test } from 'vitest';
import {
  createProblem,
  MODELS,
  PROBLEM_CHECKS,
  PROBLEM_SLUGS,
  PROBLEM_TYPES,
  type Problem,
  ProblemError,
  type ProblemSlug,
  parseProblem,
  problemSlug,
  problemTypeUri,
  SPEC_BASE_URL,
} from '../../index.ts';

const build = (slug: ProblemSlug): Problem =>
  slug === 'rate-limited' || slug === 'service-unavailable'
    ? createProblem(slug, { retry_after_ms: 1500 })
    : createProblem(slug);

test('the catalogue holds the fifteen types of the protocol', () => {
  expect(
    Object.values(PROBLEM_TYPES).map(({ slug, title, status }) => `${slug} | ${title} | ${status}`),
  ).toEqual([
    'invalid-request | Invalid request | 400',
    'invalid-filter | Invalid filter | 400',
    'unsupported-filter | Unsupported filter | 400',
    'invalid-sort | Invalid sort | 400',
    'invalid-fields | Invalid fields | 400',
    'invalid-cursor | Invalid cursor | 400',
    'authentication-required | Authentication required | 401',
    'permission-denied | Permission denied | 403',
    'resource-not-found | Resource not found | 404',
    'method-not-allowed | Method not allowed | 405',
    'representation-not-acceptable | Representation not acceptable | 406',
    'resource-gone | Resource gone | 410',
    'rate-limited | Rate limited | 429',
    'internal-error | Internal error | 500',
    'service-unavailable | Service unavailable | 503',
  ]);
});

test('every slug names a type URI, and every type URI its slug', () => {
  for (const slug of PROBLEM_SLUGS) {
    expect(problemTypeUri(slug)).toBe(`${SPEC_BASE_URL}/problems/${slug}`);
    expect(problemSlug(problemTypeUri(slug))).toBe(slug);
  }
  expect(problemTypeUri('invalid-sort', 'https://spec.example')).toBe(
    'https://spec.example/problems/invalid-sort',
  );
  expect(problemSlug('about:blank')).toBeUndefined();
});

test.each(PROBLEM_SLUGS)('%s is built and read back', (slug) => {
  const problem = build(slug);
  expect(problem).toMatchObject({ title: PROBLEM_TYPES[slug].title, status: PROBLEM_TYPES[slug].status });
  expect(parseProblem(problem)).toEqual(problem);
});

test('members that are undefined are left out', () => {
  const problem = createProblem('invalid-sort', { detail: 'by what?', request_id: undefined });
  expect(Object.keys(problem)).toEqual(['type', 'title', 'status', 'detail']);
});

test('the types make retry_after_ms required or impossible', () => {
  expectTypeOf(createProblem('rate-limited', { retry_after_ms: 1 }).retry_after_ms).toEqualTypeOf<number>();
  expectTypeOf(createProblem('invalid-sort').status).toEqualTypeOf<400>();
  // @ts-expect-error a rate limit says when to come back
  expect(() => createProblem('rate-limited')).toThrow(ProblemError);
  // @ts-expect-error nothing else may
  expect(() => createProblem('invalid-sort', { retry_after_ms: 1 })).toThrow(ProblemError);
  expect(() => createProblem('rate-limited', { retry_after_ms: -1 })).toThrow(ProblemError);
  expect(() => createProblem('internal-error', { request_id: '' })).toThrow(
    /\/request_id: must not be empty/,
  );
});

test.each<[string, object]>([
  ['another title', { ...build('invalid-sort'), title: 'Invalid fields' }],
  ['another status', { ...build('invalid-sort'), status: 404 }],
  ['an unknown type', { ...build('invalid-sort'), type: 'about:blank' }],
  ['an unknown member', { ...build('invalid-sort'), hint: 'x' }],
  ['an empty request id', { ...build('invalid-sort'), request_id: '' }],
  ['an instance that is no reference', { ...build('invalid-sort'), instance: 'a b' }],
  ['a fraction of a millisecond', { ...build('rate-limited'), retry_after_ms: 0.5 }],
  ['no type', { title: 'Invalid sort', status: 400 }],
])('%s is refused', (_, value) => {
  expect(() => parseProblem(value)).toThrow(ProblemError);
});

test.each([
  ['whole_number_exact', '/retry_after_ms', { ...build('rate-limited'), retry_after_ms: 2 ** 53 }],
  ['uri_reference_valid', '/instance', { ...build('invalid-sort'), instance: '/a"b' }],
])('%s is a rule beyond the schema', (check, path, problem) => {
  expect(MODELS['2026-08-13'].problem.safeParse(problem).success).toBe(true);
  expect(thrownBy(() => parseProblem(problem))).toMatchObject({ faults: [{ check, path }] });
  expect(PROBLEM_CHECKS.map(({ name }) => name)).toContain(check);
});

test('the older release takes any RFC 9457 object', () => {
  expect(parseProblem({ title: 'Teapot', status: 418, colour: 'red' }, { release: '2026-08-12' })).toEqual({
    title: 'Teapot',
    status: 418,
    colour: 'red',
  });
  expect(() => parseProblem({ status: 'x' }, { release: '2026-08-12' })).toThrow(ProblemError);
});

test('nothing but a ProblemError comes out of parsing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.anything()), (value) => {
      const error = thrownBy(() => parseProblem(value));
      expect(error === undefined || error instanceof ProblemError).toBe(true);
    }),
    { numRuns: 500 },
  );
});
