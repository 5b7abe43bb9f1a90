import { type PageQuery, parseSort } from 'rostack-core';
import { expect, test } from 'vitest';
import { PathStats } from './page-plan.ts';

/** A query whose shape differs for each number. */
const query = (number: number): PageQuery => ({
  sort: parseSort(`/field${number}`, [`/field${number}`]),
  limit: 10,
});

test('a way that was remembered goes first for queries of the same shape, and only for those', () => {
  const ways = new PathStats();
  ways.remember(query(1), 2);
  expect(ways.inOrder({ ...query(1), limit: 99 }, 4)).toEqual([2, 0, 1, 3]);
  expect(ways.inOrder(query(2), 4)).toEqual([0, 1, 2, 3]);
});

test('a thousand shapes are remembered; one more makes room by forgetting them', () => {
  const ways = new PathStats();
  const first = () => ways.inOrder(query(0), 2)[0];
  for (let number = 0; number < 1_000; number += 1) ways.remember(query(number), 1);
  expect(first()).toBe(1);
  ways.remember(query(1_000), 1);
  expect(first()).toBe(0);
  expect(ways.inOrder(query(1_000), 2)).toEqual([1, 0]);
});
