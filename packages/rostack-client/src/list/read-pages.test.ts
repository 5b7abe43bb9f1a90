import { expect, test } from 'vitest';
import { collectionUrl } from './read-pages.ts';

test.for([
  ['https://a.example/s', { limit: '2', cursor: undefined }, 'https://a.example/s?limit=2'],
  ['https://a.example/s', {}, 'https://a.example/s'],
  ['https://a.example/s?v=1', { limit: '2' }, 'https://a.example/s?v=1&limit=2'],
  ['https://a.example/s', { limit: '2', cursor: 'c&d' }, 'https://a.example/s?limit=2&cursor=c%26d'],
  [
    'https://a.example/s',
    { filter: '{"/a":{"eq":"ㄱ"}}' },
    'https://a.example/s?filter=%7B%22%2Fa%22%3A%7B%22eq%22%3A%22%E3%84%B1%22%7D%7D',
  ],
] as const)('%s with %o is %s', ([collection, parameters, expected]) => {
  expect(collectionUrl(collection, parameters)).toBe(expected);
});
