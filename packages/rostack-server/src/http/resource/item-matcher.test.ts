import fc from 'fast-check';
import { createUriMatcher, parseUriTemplate } from 'rostack-core';
import { describe, expect, test } from 'vitest';
import { ItemMatcher } from '../request/route-table.ts';

const ORIGIN = 'https://example.org';

test.each(['/api/stations/{id}', '/by-id/{id}/text', '/{id}', '/api{/id}', '/api/{+id}', '/{id}/of/{id}'])(
  'the path of %s gives the id that it was made of',
  (template) => {
    const matcher = new ItemMatcher(ORIGIN + template);
    for (const id of ['a', 'a/b', '서울', 'a b', '🙂', 'a,b', "it's (1*2)!", '100%', '..']) {
      // Reserved expansion keeps percent-encoded triplets, so these belong to the id.
      if (template.includes('+') && /[^\x21-\x7e]|%/.test(id)) continue;
      expect(matcher.match(parseUriTemplate(template).expand({ id })), id).toBe(id);
    }
  },
);

describe('a path with the id alone in it', () => {
  const template = '/api/stations/{id}/text';
  const matcher = new ItemMatcher(ORIGIN + template);
  const part = fc.constantFrom(
    '/api/stations/',
    '/text',
    '/',
    'a',
    ',',
    '%',
    '%2F',
    '%c3',
    '%a9',
    "'",
    '*',
    ';',
    '서',
    '\ud800',
  );

  test('is matched like every other template', () => {
    const path = fc.array(part, { maxLength: 5 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(path, fc.boolean(), (middle, isWhole) => {
        const text = isWhole ? `/api/stations/${middle}/text` : middle;
        const found = createUriMatcher(template)(text)?.['id'];
        const expected = Array.isArray(found) ? found.join(',') : found;
        expect(matcher.match(text)).toBe(expected === '' ? undefined : expected);
      }),
    );
  });
});
