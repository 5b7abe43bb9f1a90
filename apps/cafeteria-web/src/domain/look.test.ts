import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeLook, encodeLook, lookParameters, PLAIN_LOOK, parseLook } from './look.ts';

const text = fc.string({ unit: 'grapheme' });
const flag = fc.constantFrom('1', '0', undefined);

test('what a cookie and an address remember is what was asked for', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('protein', 'kcal-high', '', 'x'),
      text,
      text,
      flag,
      flag,
      (sort, words, without, mains, noextras) => {
        const look = parseLook({ sort, words, without, mains, noextras });
        expect(encodeLook(look)).toMatch(/^[\w.!~*'()%-]*$/);
        expect(decodeLook(decodeURIComponent(encodeLook(look)))).toEqual({
          ...look,
          words: look.words.toWellFormed(),
          without: look.without.toWellFormed(),
        });
        expect(parseLook(lookParameters(look))).toEqual(look);
      },
    ),
  );
});

test.each([undefined, '', 'x', 'x.', '.', '\n\n', 'x\n\n\n0\n0\n'])(
  'cookie %j is the plain look',
  (cookie) => {
    expect(decodeLook(cookie)).toEqual(PLAIN_LOOK);
  },
);
