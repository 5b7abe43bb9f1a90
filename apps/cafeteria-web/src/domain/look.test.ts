import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeLook, encodeLook, PLAIN_LOOK, parseLook } from './look.ts';

test('what a cookie remembers is what was asked for', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('protein', 'kcal', '', 'x'),
      fc.string({ unit: 'grapheme' }),
      (sort, words) => {
        const look = parseLook(sort, words);
        expect(encodeLook(look)).toMatch(/^[\w.!~*'()%-]*$/);
        expect(decodeLook(decodeURIComponent(encodeLook(look)))).toEqual({
          ...look,
          words: look.words.toWellFormed(),
        });
      },
    ),
  );
});

test.each([undefined, '', 'x', 'x.', '.', 'kcal'])('cookie %j is the plain look', (cookie) => {
  expect(decodeLook(cookie)).toEqual(PLAIN_LOOK);
});
