import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Bound, compareBounds, holesBetween } from './range.ts';
import { splitPoints } from './split-range.ts';

const COUNT = 10_000;

/** Shares of the values that fall between the points. */
function shares(values: readonly Bound[], points: readonly Bound[]): number[] {
  const counts = points.map((point) => values.filter((value) => compareBounds(value, point) < 0).length);
  return [...counts, values.length].map((count, index) => (count - (counts[index - 1] ?? 0)) / values.length);
}

describe('splitPoints', () => {
  test.for<readonly [string, (index: number) => Bound]>([
    ['numbers in texts', (index) => `station-${String(index).padStart(6, '0')}`],
    ['digests', (index) => createHash('sha256').update(`${index}`).digest('hex')],
    ['integers', (index) => index * 7],
    ['names', (index) => `관측소 ${(index * 9973) % 100_000}`],
  ])('cuts evenly: %s', ([, valueOf]) => {
    const values = Array.from({ length: COUNT }, (_, index) => valueOf(index)).sort(compareBounds);
    const [first = '', last = ''] = [values[0], values.at(-1)];
    const points = splitPoints(first, last, 3, values.slice(0, 500));
    expect(points).toHaveLength(3);
    for (const share of shares(values, points)) expect(share).toBeGreaterThan(0.1);
  });

  test('gives values between the two, in order, or none', () => {
    const bound = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 4 }), fc.double({ noNaN: true }));
    fc.assert(
      fc.property(bound, bound, fc.integer({ min: 0, max: 15 }), fc.array(bound), (a, b, count, samples) => {
        const all = [a, ...splitPoints(a, b, count, samples), b];
        return all.length === 2 || all.slice(1).every((value, index) => compareBounds(all[index], value) < 0);
      }),
    );
    expect(splitPoints(1, 2, 3, [])).toEqual([]);
    expect(splitPoints('a', 5, 3, [])).toEqual([]);
  });
});

test('what was read and what is left are everything, once', () => {
  const ends = fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(ends, fc.array(fc.boolean()), fc.boolean(), (points, chosen, isShuffled) => {
      const sorted = points.toSorted((a, b) => a - b);
      const whole = [undefined, ...sorted].map((from, index) => ({ from, to: sorted[index] }));
      const read = whole.filter((_, index) => index === 0 || chosen[index] === true);
      const holes = holesBetween(isShuffled ? read.toReversed() : read);
      const covered = [...read, ...holes].sort((a, b) => compareBounds(a.from, b.from));
      // From no beginning to no end, each where the one before ends.
      const ends = covered.map(({ to }) => to);
      expect(covered.map(({ from }) => from)).toEqual([undefined, ...ends.slice(0, -1)]);
      expect(ends.at(-1)).toBeUndefined();
    }),
  );
  expect(holesBetween([{ from: 3, to: 4 }])).toEqual([{ from: undefined, to: undefined }]);
});
