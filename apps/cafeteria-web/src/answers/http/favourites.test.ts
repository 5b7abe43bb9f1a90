import { assert, property, string } from 'fast-check';
import { MAX_RESTAURANT_ID_LENGTH } from 'menu-client';
import { expect, test } from 'vitest';
import { parseFavourites } from './favourites.ts';

test('reads ids with commas and spaces, in order, each once, at most twelve', () => {
  expect(parseFavourites('shinsegae.CAF35%2C%20CAF36~welstory.REST1~welstory.REST1')).toEqual([
    { vendor: 'shinsegae', id: 'CAF35, CAF36' },
    { vendor: 'welstory', id: 'REST1' },
  ]);
  const many = Array.from({ length: 40 }, (_, index) => `welstory.R${index}`).join('~');
  for (const cookie of [many, `welstory.R0~${many}`]) expect(parseFavourites(cookie)).toHaveLength(12);
});

test('leaves out what it cannot read', () => {
  expect(parseFavourites('nobody.1~welstory~welstory.~welstory.%E0%A4%A~.~')).toEqual([]);
  expect(parseFavourites(undefined)).toEqual([]);
  assert(property(string(), (cookie) => parseFavourites(cookie).length <= 12));
});

test('an id may be as long as those that programs accept, and no longer', () => {
  const id = 'R'.repeat(MAX_RESTAURANT_ID_LENGTH);
  expect(parseFavourites(`welstory.${id}~welstory.${id}R`)).toEqual([{ vendor: 'welstory', id }]);
});
