import type { DishCount, Restaurant } from 'menu-client';
import { expect, test } from 'vitest';
import { placeCounts } from './place-counts.ts';

const at = (id: string, ...location: string[]): Restaurant => ({
  vendor: 'welstory',
  id,
  name: id,
  location,
});
const counts: readonly DishCount[] = [
  { restaurant: at('a', '한빛', '구미', '1공장'), count: 9 },
  { restaurant: at('b', '한빛', '수원', 'R5'), count: 2 },
  { restaurant: at('c', '한빛', '수원', 'R4'), count: 1 },
];

test('places with most menus first; one with all says nothing, those with the same restaurants are named once', () => {
  expect(placeCounts(counts, [], 10)).toEqual([
    { place: '구미', count: 9 },
    { place: '수원', count: 3 },
    { place: 'R5', count: 2 },
    { place: 'R4', count: 1 },
  ]);
  expect(placeCounts(counts, [], 2)).toHaveLength(2);
  expect(placeCounts([], [], 2)).toEqual([]);
});

test('places of the own restaurants come first', () => {
  const mine = [at('x', '한빛', '수원', 'R5')];
  expect(placeCounts(counts, mine, 3).map(({ place }) => place)).toEqual(['수원', 'R5', '구미']);
});
