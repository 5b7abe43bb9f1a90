import * as fc from 'fast-check';
import { thrownBy } from 'test-support/thrown-by';
import { describe, expect, test } from 'vitest';
import { codePoint } from '../../../test/support/code-point.ts';
import {
  comparePageKeys,
  compareRecords,
  formatSort,
  type IdentifiedRecord,
  type JsonObject,
  pageKeyOf,
  parseSort,
  SortError,
} from '../../index.ts';

const FIELDS = ['/name', '/a/b', '/a~1b', '/a,b', '/-'];

describe('parseSort', () => {
  test('reads pointers, with a hyphen in front for descending', () => {
    expect(parseSort('/name,-/a/b,/a~1b', FIELDS)).toEqual([
      { pointer: '/name', path: ['name'], descending: false },
      { pointer: '/a/b', path: ['a', 'b'], descending: true },
      { pointer: '/a~1b', path: ['a/b'], descending: false },
    ]);
    expect(parseSort('/a,b,-/-', FIELDS).map(({ pointer }) => pointer)).toEqual(['/a,b', '/-']);
  });

  test.each([
    '',
    ',',
    '/name,',
    ',/name',
    '/name,,/a/b',
    'name',
    '+/name',
    '--/name',
    '-',
    '/name,/name',
    '/name,-/name',
    '/other',
    '/constructor',
    ' /name',
    '/name asc',
  ])('refuses %j', (text) => {
    const error = thrownBy(() => parseSort(text, FIELDS));
    expect(error).toBeInstanceOf(SortError);
    expect(error).toMatchObject({ code: 'invalid_sort', retryable: false });
  });

  test('tells which fields are sortable', () => {
    expect(() => parseSort('/other', ['/name', '/height'])).toThrow(
      '"/other" is not a sortable field; sortable fields: /name, /height',
    );
    expect(() => parseSort('/other', [])).toThrow('this resource has no sortable fields');
  });

  test('reads back what formatSort writes', () => {
    const sort = fc.uniqueArray(
      fc.record({ pointer: fc.constantFrom(...FIELDS), descending: fc.boolean() }),
      {
        selector: ({ pointer }) => pointer,
        minLength: 1,
      },
    );
    fc.assert(
      fc.property(sort, (keys) => {
        const text = keys.map(({ pointer, descending }) => (descending ? `-${pointer}` : pointer)).join(',');
        expect(formatSort(parseSort(text, FIELDS))).toBe(text);
      }),
    );
  });

  test('any text is read or refused with the one error', () => {
    const part = fc.constantFrom('/name', '-', ',', '/', '/a,b', 'x', '~');
    const texts = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.array(part).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const error = thrownBy(() => parseSort(text, FIELDS));
        expect(error === undefined || error instanceof SortError).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('order', () => {
  const byV = parseSort('/v', ['/v']);
  const record = (id: string, value: JsonObject): IdentifiedRecord => ({ id, value });
  const ids = (records: readonly IdentifiedRecord[], sort: string): string =>
    records
      .toSorted(compareRecords(parseSort(sort, ['/v', '/w'])))
      .map(({ id }) => id)
      .join(' ');

  const ascending = [
    record('missing', {}),
    record('null', { v: null }),
    record('false', { v: false }),
    record('true', { v: true }),
    record('least', { v: -1e308 }),
    record('zero', { v: 0 }),
    record('tiny', { v: 5e-324 }),
    record('great', { v: 1e308 }),
    record('empty', { v: '' }),
    record('10', { v: '10' }),
    record('9', { v: '9' }),
    record('Z', { v: 'Z' }),
    record('a', { v: 'a' }),
    record('a0', { v: 'a\u0000' }),
    record('가', { v: '가' }),
    record('U+FF5E', { v: '\uff5e' }),
    record('U+1F600', { v: '\u{1f600}' }),
  ];
  const order = ascending.map(({ id }) => id).join(' ');

  test('goes by type, then by value; descending is the reverse', () => {
    expect(ids(ascending.toReversed(), '/v')).toBe(order);
    expect(ids(ascending, '-/v')).toBe(order.split(' ').toReversed().join(' '));
  });

  test('ties are broken by id, ascending by code point, in both directions', () => {
    const tied = [
      record('\u{1f600}', { v: 1 }),
      record('\uff5e', { v: 1 }),
      record('b', { v: 1 }),
      record('a', { v: 2 }),
    ];
    expect(ids(tied, '/v')).toBe('b \uff5e \u{1f600} a');
    expect(ids(tied, '-/v')).toBe('a b \uff5e \u{1f600}');
    expect(tied.toSorted(compareRecords([])).map(({ id }) => id)).toEqual(['a', 'b', '\uff5e', '\u{1f600}']);
  });

  test('later keys decide where earlier ones tie', () => {
    const records = [record('1', { v: 1, w: 1 }), record('2', { v: 1, w: 2 }), record('3', { v: 0, w: 3 })];
    expect(ids(records, '-/v,-/w')).toBe('2 1 3');
    expect(ids(records, '/v,/w')).toBe('3 1 2');
  });

  test('an array or object counts as missing, 0 and -0 are one', () => {
    expect(pageKeyOf(record('x', { v: [1] }), byV)).toEqual({ values: [undefined], id: 'x' });
    expect(ids([record('b', {}), record('a', { v: {} }), record('c', { v: [] })], '/v')).toBe('a b c');
    expect(ids([record('b', { v: -0 }), record('a', { v: 0 })], '/v')).toBe('a b');
  });

  test('is total, and the same over page keys', () => {
    const value = fc.constantFrom(null, true, false, 0, 1, -1, '', 'a', '\uff5e', '\u{1f600}', [], {});
    const records = fc.record({
      id: fc.string({ unit: codePoint, maxLength: 2 }),
      value: fc.record({ v: value, w: value }, { requiredKeys: [] }),
    });
    const sort = fc
      .constantFrom('/v', '-/v', '/v,-/w', '-/w,-/v')
      .map((text) => parseSort(text, ['/v', '/w']));
    fc.assert(
      fc.property(records, records, records, sort, (a, b, c, keys) => {
        const compare = compareRecords(keys);
        const sign = Math.sign(compare(a, b));
        expect(Math.sign(compare(b, a)) + sign).toBe(0);
        expect(compare(a, a)).toBe(0);
        const ordered = compare(a, b) <= 0 && compare(b, c) <= 0;
        expect(ordered && compare(a, c) > 0).toBe(false);
        expect(Math.sign(comparePageKeys(keys)(pageKeyOf(a, keys), pageKeyOf(b, keys)))).toBe(sign);
      }),
      { numRuns: 2_000, endOnFailure: true },
    );
  });
});
