import type { JsonObject } from 'rostack-core';

/** Ids that are easily got wrong in URLs, cursors and orders. */
const IDS = [
  'a/b',
  'a b',
  'a+b',
  '100%',
  '%41',
  'q?x=1&y=2',
  '#top',
  'é',
  '한글',
  '\uffee',
  '😀',
  "it's",
  'a;b,c',
  '~tilde_-.',
  'A',
  'a',
];
const NAMES = [
  'oak',
  'Oak',
  'ash',
  'Ash tree',
  'é',
  'e\u0301',
  '\uffee reed',
  '😀 lily',
  '9',
  '10',
  '소나무',
  'oak',
];
const HEIGHTS = [0, 1, 9, 10, 100, 100.5, -3, null, 1e21];
const MOMENTS = [
  '2026-11-28T11:00:00Z',
  '2026-11-28T11:00:00.5Z',
  '2026-11-28T11:00:00.55Z',
  '2026-11-28T20:00:00+09:00',
  '2026-11-28T11:00:01Z',
  '2026-11-28t10:59:59.999z',
];
const PRICES = ['9', '10', '10.0', '9.95', '-1', '0'];

/** The member in an object of its own, or none, so that a record may lack it. */
const maybe = (isThere: boolean, members: JsonObject): JsonObject => (isThere ? members : {});

/** A plant; equal numbers give equal plants. */
function plant(number: number): JsonObject {
  return {
    id: IDS[number] ?? `plant-${String(number).padStart(3, '0')}`,
    name: NAMES[number % NAMES.length] ?? '',
    family: number % 5 === 0 ? null : (['Fagaceae', 'fagaceae', 'Pinaceae', ''][number % 4] ?? null),
    isEvergreen: number % 3 === 0,
    ...maybe(number % 4 !== 1, { heightCm: HEIGHTS[number % HEIGHTS.length] ?? null }),
    ...maybe(number % 3 !== 2, { tags: ['red', 'old', 'rare'].slice(0, number % 4) }),
    ...maybe(number % 7 !== 3, { place: { garden: number % 2 === 0 ? 'north' : 'south', bed: number % 6 } }),
    ...maybe(number % 2 === 0, { price: PRICES[number % PRICES.length] ?? '0' }),
    ...maybe(number % 5 !== 4, { plantedAt: MOMENTS[number % MOMENTS.length] ?? '' }),
    ...maybe(number % 6 === 0, { note: `seen ${number}% by "X"\\` }),
  };
}

const numbered = <T>(count: number, make: (number: number) => T): T[] =>
  Array.from({ length: count }, (_, number) => make(number));

/** The records of each resource at the start. */
export const REFERENCE_RECORDS: Readonly<Record<string, readonly JsonObject[]>> = {
  plants: numbered(53, plant),
  sheets: numbered(12, (number) => ({
    id: number * 7 - 14,
    title: `Sheet ${number % 5}`,
    pages: number % 4,
  })),
  gifts: numbered(3, (number) => ({ id: `gift/${number}`, giver: `Giver ${number}` })),
};
