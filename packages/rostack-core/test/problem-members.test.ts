import { thrownBy } from 'test-support/thrown-by';
import { describe, expect, test } from 'vitest';
import {
  PROBLEM_SLUGS,
  PROBLEM_TYPES,
  type ProblemSlug,
  parseProblem,
  problemTypeUri,
} from '../src/index.ts';

const isTaken = (problem: object): boolean => thrownBy(() => parseProblem(problem)) === undefined;

/** What is refused in the place of a member, and what is taken, in a problem of any type. */
const OPTIONAL = {
  detail: { refused: [1, null, {}, ['x']], taken: ['', 'x'] },
  instance: {
    refused: [1, null, 'a b', '%zz', '^^^'],
    taken: ['', '/a?b#c', 'https://a.example/', 'x'],
  },
  request_id: { refused: [1, null, ''], taken: ['x'] },
} as const;

describe.each(PROBLEM_SLUGS)('a problem of type %s', (slug: ProblemSlug) => {
  const { title, status } = PROBLEM_TYPES[slug];
  const hasWait = slug === 'rate-limited' || slug === 'service-unavailable';
  const least = { type: problemTypeUri(slug), title, status, ...(hasWait && { retry_after_ms: 0 }) };

  test('has type, title and status, which go together', () => {
    expect(isTaken(least)).toBe(true);
    for (const name of ['type', 'title', 'status']) {
      expect([name, isTaken({ ...least, [name]: undefined })]).toEqual([name, false]);
      const others = PROBLEM_SLUGS.filter((other) => other !== slug).map((other) => ({
        type: problemTypeUri(other),
        title: PROBLEM_TYPES[other].title,
        status: PROBLEM_TYPES[other].status,
      }));
      for (const other of others) {
        const value = other[name as keyof typeof other];
        const isSame = value === least[name as keyof typeof other];
        expect([name, value, isTaken({ ...least, [name]: value })]).toEqual([name, value, isSame]);
      }
      for (const value of ['', null, 1, 'x', [], `${String(least[name as keyof typeof least])} `])
        expect([name, value, isTaken({ ...least, [name]: value })]).toEqual([name, value, false]);
    }
    for (const value of [String(status), status + 0.5, -status])
      expect([value, isTaken({ ...least, status: value })]).toEqual([value, false]);
  });

  test('may have detail, instance and request_id, and nothing else', () => {
    for (const [name, { refused, taken }] of Object.entries(OPTIONAL)) {
      for (const value of refused)
        expect([name, value, isTaken({ ...least, [name]: value })]).toEqual([name, value, false]);
      for (const value of taken)
        expect([name, value, isTaken({ ...least, [name]: value })]).toEqual([name, value, true]);
    }
    for (const name of ['errors', 'Detail', 'code', 'retryable', 'toString'])
      expect([name, isTaken({ ...least, [name]: 'x' })]).toEqual([name, false]);
  });

  test('has retry_after_ms if it is rate-limited or service-unavailable, and only then', () => {
    const { retry_after_ms: _, ...without }: typeof least & { retry_after_ms?: number } = least;
    expect(isTaken(without)).toBe(!hasWait);
    for (const value of [0, 1, 86_400_000])
      expect([value, isTaken({ ...least, retry_after_ms: value })]).toEqual([value, hasWait]);
    for (const value of [-1, 0.5, '0', null, Number.NaN])
      expect([value, isTaken({ ...least, retry_after_ms: value })]).toEqual([value, false]);
  });
});
