import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseUriTemplate } from './index.ts';

describe('an item URL template', () => {
  const template = parseUriTemplate('https://example.org/api/stations/{id}');

  test('takes any id through and back', () => {
    const id = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
      .filter((text) => text.isWellFormed());
    fc.assert(
      fc.property(id, (value) => {
        const url = template.expand({ id: value });
        expect(url).toMatch(/^[\x21-\x7e]+$/);
        expect(template.match(url)).toEqual({ id: value });
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
    expect(template.match(uri)).toEqual(expected);
  });

  test('never throws, and gives one string or a list of them', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.string()), (rest) => {
        const { id } = template.match(`https://example.org/api/stations/${rest}`) ?? { id: '' };
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
