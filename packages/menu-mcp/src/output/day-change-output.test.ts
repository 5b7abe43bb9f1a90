import type { DayChange } from 'menu-client';
import { expect, test } from 'vitest';
import { toDayChanges } from './day-change-output.ts';

const CHANGES = ['a', 'b', 'c'].map(
  (name, hour): DayChange => ({
    kind: 'added',
    menuId: name,
    name,
    at: new Date(hour * 3_600_000).toISOString(),
  }),
);
const namesOf = (most?: number) => toDayChanges(CHANGES, most)?.map(({ name }) => name);

test('the latest changes are told, the newest first', () => {
  expect(namesOf()).toEqual(['c', 'b', 'a']);
  expect(namesOf(2)).toEqual(['c', 'b']);
  expect(namesOf(3)).toEqual(['c', 'b', 'a']);
});

test('without changes there is nothing to tell', () => {
  expect(toDayChanges()).toBeUndefined();
  expect(toDayChanges([], 8)).toBeUndefined();
});
