import { expect, test } from 'vitest';
import type { AttachedResource } from '../../batch/attached-resource.ts';
import { KeptReads } from './kept-reads.ts';

const table = (number: number) => ({ attachment: { number } }) as AttachedResource;

test('the first tables in which something is found often stay prepared, and they are few', () => {
  const reads = new KeptReads();
  const tables = Array.from({ length: 20 }, (_, number) => table(number));
  for (let round = 0; round < 19; round += 1) for (const each of tables) reads.found(each);
  expect(tables.some((each) => reads.isKept(each))).toBe(false);
  for (let round = 0; round < 100; round += 1) for (const each of tables) reads.found(each);
  expect(tables.map((each) => reads.isKept(each))).toEqual(tables.map((_, number) => number < 8));
});
