import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAuthorization } from './access.ts';

test.each([
  ['Bearer abc.def-_~+/==', { method: 'oauth2', token: 'abc.def-_~+/==' }],
  ['bearer abc', { method: 'oauth2', token: 'abc' }],
  ['Rostack-Token abc', { method: 'shared_token', token: 'abc' }],
  ['rOSTACK-tOKEN   abc', { method: 'shared_token', token: 'abc' }],
])('%s names a method and a token', (field, expected) => {
  expect(parseAuthorization(field)).toEqual(expected);
});

test.each([
  '',
  'Bearer',
  'Bearer ',
  'Basic dXNlcjpwYXNz',
  'Rostack-Token a b',
  'Rostack-Token abc, Bearer def',
  'Rostack-Token "abc"',
  'Rostack-Token a=b',
  'Rostack-Tokenabc',
])('%j names none', (field) => {
  expect(parseAuthorization(field)).toBeUndefined();
});

/** Texts of any UTF-16 units: `string` of fast-check takes seconds to list all code points. */
const anyText = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units));

test('a token, of any field, has only the characters of token68', () => {
  fc.assert(
    fc.property(fc.constantFrom('Bearer ', 'Rostack-Token ', ''), anyText, (scheme, text) => {
      const parsed = parseAuthorization(scheme + text);
      expect(parsed?.token ?? 'none').toMatch(/^[\w.~+/-]+=*$/);
    }),
  );
});
