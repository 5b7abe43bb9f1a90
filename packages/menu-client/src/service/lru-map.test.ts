import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LruMap } from './lru-map.ts';

test('forgets what was not asked for the longest', () => {
  const map = new LruMap<string, number>(2);
  map.set('a', 1, 1);
  map.set('b', 2, 1);
  map.get('a');
  map.set('c', 3, 1);
  expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([1, undefined, 3]);
  map.set('a', 4, 1);
  map.set('d', 5, 1);
  expect(['a', 'c', 'd'].map((key) => map.has(key))).toEqual([true, false, true]);
});

test('a heavy value pushes several light ones out, and stays even when it is too heavy alone', () => {
  const map = new LruMap<string, number>(10);
  for (const key of ['a', 'b', 'c']) map.set(key, 1, 3);
  map.set('d', 2, 6);
  expect(['a', 'b', 'c', 'd'].map((key) => map.has(key))).toEqual([false, false, true, true]);
  map.set('e', 3, 99);
  expect(['c', 'd', 'e'].map((key) => map.has(key))).toEqual([false, false, true]);
});

test('never holds more than its weight but for the newest value', () => {
  const step = fc.record({ key: fc.nat(9), weight: fc.nat(12) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const map = new LruMap<number, number>(20);
      const weights = new Map<number, number>();
      for (const { key, weight } of steps) {
        map.set(key, weight, weight);
        weights.set(key, weight);
        expect(map.get(key)).toBe(weight);
        const kept = [...weights].filter(([each]) => map.has(each));
        const sum = kept.reduce((total, [, each]) => total + each, 0);
        expect(kept.length === 1 || sum <= 20).toBe(true);
      }
    }),
  );
});
