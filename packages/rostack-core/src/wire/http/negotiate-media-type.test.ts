import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { negotiateMediaType } from './negotiate-media-type.ts';

const AVAILABLE = ['application/json', 'application/geo+json', 'text/csv'] as const;

describe('negotiateMediaType', () => {
  test.for([
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['text/csv', 'text/csv'],
    ['TEXT/CSV', 'text/csv'],
    ['text/*', 'text/csv'],
    ['application/*', 'application/json'],
    ['application/json;q=0.5, text/csv', 'text/csv'],
    ['application/json;q=0.5, text/csv;q=0.5', 'application/json'],
    ['*/*;q=0.1, application/geo+json', 'application/geo+json'],
    ['*/*, application/json;q=0', 'application/geo+json'],
    ['application/*, application/json;q=0.2', 'application/geo+json'],
    ['text/html, application/xhtml+xml, */*;q=0.8', 'application/json'],
    ['application/json;q=0', undefined],
    ['text/html', undefined],
    ['application/json;profile=x', undefined],
    ['application/json; charset=UTF-8', 'application/json'],
    ['application/json; charset=latin1', undefined],
    ['*/json', undefined],
    ['application/json;q=2', undefined],
    ['application/json;q=0.1234', undefined],
    ['garbage, text/csv', 'text/csv'],
    ['application/json;q=0.9;ext=1', 'application/json'],
    ['application/json; q=0.4 , text/csv ; q=0.6', 'text/csv'],
    ['text/plain;a="x,y;z", text/csv', 'text/csv'],
    ['text/plain;a=", text/csv,"', undefined],
    ['text/plain;a="\\", text/csv, \\""', undefined],
  ] as const)('Accept: %s gives %s', ([accept, expected]) => {
    expect(negotiateMediaType(accept, AVAILABLE)).toBe(expected);
  });

  test('a parameter counts when the available type has it', () => {
    const available = ['application/json;profile="a b"', 'application/json'] as const;
    expect(negotiateMediaType('application/json;profile="a b"', available)).toBe(available[0]);
    expect(negotiateMediaType('application/json;profile=c', available)).toBeUndefined();
    const others = 'application/json, application/json;profile="a b";q=0';
    expect(negotiateMediaType(others, available)).toBe(available[1]);
  });

  test('gives one of the available types or undefined for any text, in linear time', () => {
    fc.assert(
      fc.property(fc.string(), (accept) => {
        const chosen = negotiateMediaType(accept, AVAILABLE);
        return chosen === undefined || AVAILABLE.includes(chosen);
      }),
    );
    expect(negotiateMediaType('a/b,'.repeat(100_000), AVAILABLE)).toBeUndefined();
  });
});
