import { expect, test } from 'vitest';
import { type FollowQuery, followText } from './follow-query.ts';

test('components share a follow when they ask for the same, and only then', () => {
  const queries: readonly FollowQuery[] = [
    {},
    { filter: { '/a': { eq: 1 } } },
    { filter: { '/a': { eq: 2 } } },
    { sort: ['/a'] },
    { sort: ['-/a'] },
    { sort: ['/a'], limit: 1 },
    { sort: ['/a'], limit: 2 },
    { sort: ['/a'], limit: 2, margin: 1 },
    { fields: ['/a'] },
    { fields: ['/b'] },
    { key: 'a' },
    { recordId: '/a' },
    { recordId: '/b' },
  ];
  const texts = ['stations', 'boats'].flatMap((resource) =>
    queries.map((query) => followText(resource, query)),
  );
  expect(new Set(texts).size).toBe(texts.length);
  expect(queries.map((query) => followText('stations', structuredClone(query)))).toEqual(
    texts.slice(0, queries.length),
  );
});
