import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { HttpProblem } from '../problem/http-problem.ts';
import { parseQueryString } from './list-query.ts';

test('parameters are percent-decoded, + is a space, and empty pairs are passed over', () => {
  expect(parseQueryString('?a=%EA%B0%95+%2B1&&b', ['a', 'b'])).toEqual({ a: '강 +1', b: '' });
  expect(parseQueryString('', ['a'])).toEqual({});
});

test.each([
  '?a=1&a=2',
  '?a=1&%61=1',
  '?c=1',
  '?=1',
  '?a=%',
  '?a=%zz',
  '?a=%FF',
  '?__proto__=1',
  '?a=1&constructor=2',
])('%s is an invalid request', (search) => {
  expect(() => parseQueryString(search, ['a', 'b'])).toThrow(
    expect.objectContaining({ name: 'HttpProblem', slug: 'invalid-request' }),
  );
});

test('any value survives the way through URLSearchParams and through encodeURIComponent', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (value) => {
      expect(parseQueryString(`?${new URLSearchParams({ a: value }).toString()}`, ['a'])).toEqual({
        a: value,
      });
      expect(parseQueryString(`?a=${encodeURIComponent(value)}`, ['a'])).toEqual({ a: value });
    }),
  );
});

test('arbitrary text is read or refused, and nothing else', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      let thrown: unknown;
      try {
        parseQueryString(`?${text}`, ['a']);
      } catch (error) {
        thrown = error;
      }
      expect(thrown === undefined || thrown instanceof HttpProblem).toBe(true);
    }),
  );
});
