import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatEtag, matchesEtag } from './etag.ts';

describe('formatEtag', () => {
  test('quotes what an entity tag may hold and encodes the rest', () => {
    expect(formatEtag('v1.7-a_b')).toBe('"v1.7-a_b"');
    expect(formatEtag('a"b c')).toBe('"a%22b%20c"');
    expect(formatEtag('a%20b')).not.toBe(formatEtag('a b'));
    expect(formatEtag('\ud83d')).toBe('"%EF%BF%BD"');
    expect(formatEtag('서울')).toBe('"%EC%84%9C%EC%9A%B8"');
  });

  test('gives different versions different tags, each of which matches itself', () => {
    const version = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => text.isWellFormed());
    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(matchesEtag(formatEtag(a), formatEtag(a))).toBe(true);
        expect(matchesEtag(formatEtag(a), formatEtag(b))).toBe(a === b);
      }),
    );
  });
});

describe('matchesEtag', () => {
  test.for([
    ['*', true],
    ['"a"', true],
    ['W/"a"', true],
    ['"x", "a"', true],
    [' "x" ,W/"y",\t"a" ', true],
    ['"x",,"a"', true],
    ['"a-gzip"', true],
    ['"x", W/"a-br"', true],
    ['"a;gzip"', true],
    ['"a-gzip-gzip"', false],
    ['"gzip"', false],
    ['"x-gzip"', false],
    ['"x"', false],
    ['"x, a"', false],
    ['a', false],
    ['"a', false],
    ['"a" "b"', false],
    ['w/"a"', false],
    ['"a", b', false],
    ['', false],
  ] as const)('If-None-Match: %s against "a" is %s', ([field, expected]) => {
    expect(matchesEtag(field, '"a"')).toBe(expected);
  });

  test('answers for any text, in linear time', () => {
    fc.assert(fc.property(fc.string(), (field) => typeof matchesEtag(field, '"a"') === 'boolean'));
    expect(matchesEtag('"x",'.repeat(100_000), '"a"')).toBe(false);
    expect(matchesEtag(`"x"${' '.repeat(100_000)}x`, '"a"')).toBe(false);
  });
});
