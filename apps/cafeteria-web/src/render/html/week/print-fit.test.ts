import { expect, test } from 'vitest';
import { printFit } from './print-fit.ts';

const week = (days: number, dishes: number) =>
  ['조식', '중식', '석식'].map(() =>
    Array.from({ length: days }, () => Array.from({ length: dishes }, () => '돼지고기김치찌개 832 kcal')),
  );

test('the more a week holds, the smaller its print, but never below 9 points', () => {
  expect([2, 4, 6, 8, 14].map((dishes) => printFit(week(5, dishes)))).toEqual([13, 11, 11, 10, 'dense']);
  expect(printFit(week(7, 6))).toBe('dense');
  expect(printFit([])).toBe(13);
});
