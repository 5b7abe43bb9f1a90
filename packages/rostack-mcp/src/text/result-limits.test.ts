import { expect, test } from 'vitest';
import { BoundedItems } from './result-limits.ts';

/** An item of that many bytes of JSON. */
const itemOf = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });

function added(
  limits: { readonly maxCount: number; readonly maxBytes: number },
  ...sizes: readonly number[]
) {
  const bounded = new BoundedItems(limits);
  const taken = sizes.map((bytes) => bounded.add(itemOf(bytes)));
  return { taken, count: bounded.items.length, cut: bounded.cut };
}

test('as many items as allowed are taken, and one more is left out', () => {
  const limits = { maxCount: 2, maxBytes: 1_000 };
  expect(added(limits, 10, 10)).toEqual({ taken: [true, true], count: 2, cut: undefined });
  expect(added(limits, 10, 10, 10)).toEqual({ taken: [true, true, false], count: 2, cut: 'count' });
});

test('items of as many bytes as allowed are taken, and a byte more is left out', () => {
  const limits = { maxCount: 10, maxBytes: 100 };
  expect(added(limits, 60, 40)).toEqual({ taken: [true, true], count: 2, cut: undefined });
  expect(added(limits, 60, 41)).toEqual({ taken: [true, false], count: 1, cut: 'bytes' });
  expect(added(limits, 101)).toEqual({ taken: [false], count: 0, cut: 'bytes' });
});

test('bytes are counted, not characters', () => {
  const bounded = new BoundedItems({ maxCount: 10, maxBytes: 20 });
  expect(bounded.add({ a: '가나다라' })).toBe(true);
  expect(new BoundedItems({ maxCount: 10, maxBytes: 19 }).add({ a: '가나다라' })).toBe(false);
});

test('after the first that was left out nothing more is taken, so that the rest has no gap', () => {
  expect(added({ maxCount: 10, maxBytes: 100 }, 60, 90, 10)).toEqual({
    taken: [true, false, false],
    count: 1,
    cut: 'bytes',
  });
});
