import { expect, test } from 'vitest';
import { LruMap } from './lru-map.ts';

test('forgets what was not asked for the longest', () => {
  const map = new LruMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.get('a');
  map.set('c', 3);
  expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([1, undefined, 3]);
  map.set('a', 4);
  map.set('d', 5);
  expect(['a', 'c', 'd'].map((key) => map.has(key))).toEqual([true, false, true]);
});
