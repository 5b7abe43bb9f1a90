import fc from 'fast-check';
import { thrownBy } from 'test-support/thrown-by';
import { describe, expect, test } from 'vitest';
import { codePoint } from '../../../test/support/code-point.ts';
import { UriTemplateError } from './template-parts.ts';
import { createUriMatcher } from './uri-matcher.ts';
import { parseUriTemplate } from './uri-template.ts';

describe('an item URL template', () => {
  const text = 'https://example.org/api/stations/{id}';
  const template = parseUriTemplate(text);
  const match = createUriMatcher(text);

  test('takes any id through and back', () => {
    const id = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
      .filter((text) => text.isWellFormed());
    fc.assert(
      fc.property(id, (value) => {
        const url = template.expand({ id: value });
        expect(url).toMatch(/^[\x21-\x7e]+$/);
        expect(match(url)).toEqual({ id: value });
      }),
      {
        examples: [
          ['a/b'],
          ['서울'],
          ['a b'],
          ['🙂'],
          ['a,b'],
          ["it's (1*2)!"],
          ['%2F'],
          ['constructor'],
          ['..'],
        ],
      },
    );
  });

  test.for([
    ['https://example.org/api/stations/a%2fb', { id: 'a/b' }],
    ['https://example.org/api/stations/%61', { id: 'a' }],
    ["https://example.org/api/stations/it's", { id: "it's" }],
    ['https://example.org/api/stations/a/b', undefined],
    ['https://example.org/api/stations/a?b', undefined],
    ['https://example.org/api/stations/%', undefined],
    ['https://example.org/api/stations/%ff', undefined],
    ['https://example.org/api/other/a', undefined],
    ['', undefined],
  ] as const)('matches %s as %o', ([uri, expected]) => {
    expect(match(uri)).toEqual(expected);
  });

  test('never throws, and gives one string or a list of them', () => {
    // `fc.webUrl` takes seconds of CPU time to build.
    const part = fc.constantFrom(
      '/',
      '?',
      '#',
      '%',
      '%20',
      '%ff',
      'a',
      ':',
      '@',
      ',',
      '&',
      '=',
      '{',
      '가',
      '.',
    );
    const urlText = fc.array(part).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(urlText, fc.string()), (rest) => {
        const { id } = match(`https://example.org/api/stations/${rest}`) ?? { id: '' };
        expect(typeof id === 'string' || Array.isArray(id)).toBe(true);
      }),
    );
  });
});

describe('parseUriTemplate', () => {
  test('names its variables once each', () => {
    expect(parseUriTemplate('/{a}/{b:3}{?a,c*}').variables).toEqual(['a', 'b', 'c']);
  });

  test('does not read inherited members', () => {
    expect(parseUriTemplate('/{constructor}/{toString}').expand({})).toBe('//');
  });

  test.for([
    '{',
    '}',
    '{}',
    '{a',
    'a}',
    '{a,}',
    '{,a}',
    '{a b}',
    '{!a}',
    '{=a}',
    '{a:0}',
    '{a:10000}',
    '{a:b}',
    '{a.}',
    '{.}',
    '{a**}',
    'a b',
    '%',
    '%4',
    '<',
    '{a}}',
    '{{a}',
    '{-a}',
  ])('refuses %j', (text) => {
    expect(() => parseUriTemplate(text)).toThrow(expect.objectContaining({ code: 'invalid_uri_template' }));
  });
});

test('any text is read or refused with the one error, and what was read never throws another', () => {
  const part = fc.constantFrom(
    '{',
    '}',
    'a',
    'b',
    '/',
    '?',
    '+',
    '*',
    ':',
    '3',
    ',',
    '%20',
    '%',
    '__proto__',
    '강',
    '&',
    ';',
  );
  const texts = fc.oneof(
    fc.string({ unit: codePoint }),
    fc.array(part, { maxLength: 10 }).map((parts) => parts.join('')),
  );
  const value = fc.oneof(
    fc.string({ unit: codePoint }),
    fc.array(fc.string()),
    fc.dictionary(fc.string(), fc.string()),
  );
  const values = fc.record({ a: value, b: value, __proto__: value }, { requiredKeys: [] });
  fc.assert(
    fc.property(texts, values, fc.string({ unit: codePoint }), (text, variables, uri) => {
      const error = thrownBy(() => {
        const template = parseUriTemplate(text);
        const match = createUriMatcher(text);
        match(uri);
        match(text);
        match(template.expand(variables));
      });
      expect(error === undefined || error instanceof UriTemplateError).toBe(true);
    }),
    { numRuns: 5_000, endOnFailure: true },
  );
});

test('a template that is too long is refused', () => {
  expect(() => parseUriTemplate('{a}'.repeat(100_000))).toThrow(UriTemplateError);
  expect(() => parseUriTemplate('{'.repeat(100_000))).toThrow(UriTemplateError);
});

test('a prefix of a list matches nothing', () => {
  expect(createUriMatcher('/{a:3}')('/x,y')).toBeUndefined();
  expect(createUriMatcher('/{a:3}')('/abc')).toEqual({ a: 'abc' });
  expect(createUriMatcher('/{a:3}')('/abcd')).toBeUndefined();
});

test('half of a surrogate pair is refused rather than replaced', () => {
  for (const template of ['{a}', '{+a}', '{?a}']) {
    expect(() => parseUriTemplate(template).expand({ a: 'x\ud83d' })).toThrow(UriTemplateError);
    expect(() => parseUriTemplate(template).expand({ a: ['\ude00'] })).toThrow(UriTemplateError);
  }
});

test('reserved expansion encodes private characters like all others', () => {
  expect(parseUriTemplate('{+a}').expand({ a: '\u{f0041}\u{fdd0}[%41' })).toBe('%F3%B0%81%81%EF%B7%90[%41');
  expect(parseUriTemplate('{+a}').expand({ a: '%EF%B7%90%F3%B0%81%81' })).toBe('%EF%B7%90%F3%B0%81%81');
});
