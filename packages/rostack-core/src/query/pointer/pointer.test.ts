import * as fc from 'fast-check';
import { thrownBy } from 'test-support/thrown-by';
import { describe, expect, test } from 'vitest';
import { arbitraryRecord } from '../../../test/support/arbitrary-filter.ts';
import { codePoint } from '../../../test/support/code-point.ts';
import {
  formatPointer,
  isPointer,
  type JsonValue,
  PointerError,
  parsePointer,
  resolvePointer,
} from '../../index.ts';

// The examples of RFC 6901, section 5.
const document = {
  foo: ['bar', 'baz'],
  '': 0,
  'a/b': 1,
  'c%d': 2,
  'e^f': 3,
  'g|h': 4,
  'i\\j': 5,
  'k"l': 6,
  ' ': 7,
  'm~n': 8,
};

test.each<[string, JsonValue]>([
  ['', document],
  ['/foo', ['bar', 'baz']],
  ['/foo/0', 'bar'],
  ['/', 0],
  ['/a~1b', 1],
  ['/c%d', 2],
  ['/e^f', 3],
  ['/g|h', 4],
  ['/i\\j', 5],
  ['/k"l', 6],
  ['/ ', 7],
  ['/m~0n', 8],
])('RFC 6901: %j', (pointer, value) => {
  expect(resolvePointer(document, parsePointer(pointer))).toEqual(value);
});

test.each([
  '/foo/2',
  '/foo/-',
  '/foo/00',
  '/foo/length',
  '/foo/-1',
  '/foo/1e0',
  '/foo/0/length',
  '/foo/0/0',
  '/constructor',
  '/__proto__',
  '/foo/__proto__',
  '/toString/name',
  '/missing/a',
])('%s leads nowhere', (pointer) => {
  expect(resolvePointer(document, parsePointer(pointer))).toBeUndefined();
});

test('own members of hostile names are members', () => {
  const record = JSON.parse('{"__proto__":{"length":[1]},"constructor":null}') as JsonValue;
  expect(resolvePointer(record, ['__proto__', 'length', '0'])).toBe(1);
  expect(resolvePointer(record, ['constructor'])).toBeNull();
});

describe('text', () => {
  test('each path has one text, and it reads back', () => {
    const token = fc.oneof(fc.string({ unit: codePoint }), fc.constantFrom('~', '/', '~1', '~01', ''));
    fc.assert(
      fc.property(fc.array(token), fc.array(token), (path, other) => {
        expect(parsePointer(formatPointer(path))).toEqual(path);
        expect(formatPointer(path) === formatPointer(other)).toBe(
          JSON.stringify(path) === JSON.stringify(other),
        );
      }),
    );
  });

  test.each(['a', '#/a', ' /a', '/~', '/~2', '/a~/b', '/~~0'])('%j is no pointer', (text) => {
    expect(isPointer(text)).toBe(false);
    const error = thrownBy(() => parsePointer(text));
    expect(error).toBeInstanceOf(PointerError);
    expect(error).toMatchObject({ code: 'invalid_pointer', retryable: false });
  });

  test('any text is read or refused with the one error, and a pointer is what reads', () => {
    const texts = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.string().map((text) => `/${text}`),
      fc.constant('/~0~1~2'),
    );
    fc.assert(
      fc.property(texts, arbitraryRecord, (text, record) => {
        const error = thrownBy(() => resolvePointer(record, parsePointer(text)));
        expect(error === undefined || error instanceof PointerError).toBe(true);
        expect(isPointer(text)).toBe(error === undefined);
      }),
    );
  });
});
