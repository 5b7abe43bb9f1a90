import type { Restaurant } from 'menu-client';
import { expect, test } from 'vitest';
import { commonPlaces } from './first-visit.ts';

const at = (...location: string[]): Restaurant => ({
  vendor: 'welstory',
  id: location.join(),
  name: 'x',
  location,
});

test('places by how many restaurants are there; those with one, and marks of one letter, are left out', () => {
  const restaurants = [
    at('한빛', '수원', 'A', 'R5'),
    at('한빛', '수원', 'A', 'R5'),
    at('한빛', '서울', 'A'),
    at('누리', '서울'),
    at('부산', '부산'),
  ];
  expect(commonPlaces(restaurants, 10)).toEqual(['한빛', 'R5', '서울', '수원']);
  expect(commonPlaces(restaurants, 1)).toEqual(['한빛']);
  expect(commonPlaces([], 10)).toEqual([]);
});
