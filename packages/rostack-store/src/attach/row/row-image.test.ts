import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ColumnMapping } from './column-mapping.ts';
import { decodeImage } from './row-image.ts';

const KEY = { keyMember: 'id', keyTypes: [{ typeName: 'int4' }], keyIsInteger: false, digest: '' };

function decode(mapping: Partial<ColumnMapping>, text: string | null): unknown {
  const base = { member: 'x', kind: 'text', isArray: false, asText: false, omitsNull: false } as const;
  const decoded = decodeImage({ ...KEY, columns: [{ ...base, ...mapping }] }, ['7', text]);
  return 'fault' in decoded ? decoded.fault : decoded.record['x'];
}

describe('decodeImage', () => {
  test.each<[Partial<ColumnMapping>, string | null, unknown]>([
    [{}, 'a "text"', 'a "text"'],
    [{}, null, null],
    [{ omitsNull: true }, null, undefined],
    [{ kind: 'number' }, '-32768', -32_768],
    [{ kind: 'number' }, '0.1', 0.1],
    [{ kind: 'number', asText: true }, '1e+20', '100000000000000000000'],
    [{ kind: 'number' }, 'Infinity', '/x: is not a finite number'],
    [{ kind: 'number', asText: true }, 'NaN', '/x: is not a finite number'],
    [{ kind: 'number', isArray: true }, '[1.5,null,-1e-7]', [1.5, null, -1e-7]],
    [{ kind: 'number', isArray: true }, '[1.5,"NaN"]', '/x: is not a finite number'],
    [{ kind: 'number', isArray: true, asText: true }, '[1.5,[2]]', ['1.5', ['2']]],
    [{ kind: 'exact' }, '-9007199254740993.000', expect.stringContaining('/x: ')],
    [{ kind: 'exact' }, '9007199254740992.000000', 9007199254740992],
    [{ kind: 'exact' }, '0.000000000000000000', 0],
    [{ kind: 'exact' }, '0.1234567890123456789', expect.stringContaining('/x: ')],
    [{ kind: 'exact' }, '0.30000000000000004', 0.30000000000000004],
    [{ kind: 'exact', asText: true }, '12345678901234567890.1200', '12345678901234567890.1200'],
    [{ kind: 'exact' }, 'NaN', '/x: is not a finite number'],
    [{ kind: 'boolean' }, 'false', false],
    [{ kind: 'utc' }, '"2026-11-21T19:42:37.12"', '2026-11-21T19:42:37.12Z'],
    [{ kind: 'utc' }, '"infinity"', expect.stringContaining('/x: ')],
    [{ kind: 'utc' }, '"0044-03-15T00:00:00 BC"', expect.stringContaining('/x: ')],
    [{ kind: 'base64' }, 'QUJD\nREVG', 'QUJDREVG'],
    [{ kind: 'json' }, '{"a":[null]}', { a: [null] }],
    [
      { kind: 'json' },
      '{"a":[12345678901234567890]}',
      '/x: in its JSON, /a/0 has more digits than a JSON number keeps; round it, or make it a string',
    ],
    [{ kind: 'json' }, '{"a":1,"a":2}', '/x: in its JSON, /a is repeated; keep one of the two'],
    [
      { kind: 'json', isArray: true },
      '[{"a":1e999}]',
      expect.stringContaining('/x: in its JSON, /0/a is beyond'),
    ],
    [{ kind: 'plain' }, '"2026-11-21"', '2026-11-21'],
    [{ kind: 'plain', isArray: true }, '[["a"],["b"]]', [['a'], ['b']]],
    [{ kind: 'exact', isArray: true }, '["1","2.50",null]', [1, 2.5, null]],
    [{ kind: 'exact', isArray: true, asText: true }, '["1","2.50",null]', ['1', '2.50', null]],
    [{ kind: 'number', isArray: true, asText: true }, '[1,[2]]', ['1', ['2']]],
    [{ kind: 'exact', isArray: true }, '["9007199254740993"]', expect.stringContaining('/x: ')],
  ])('%j of %j is %j', (mapping, text, value) => {
    expect(decode(mapping, text)).toEqual(value);
  });

  test.each([
    ['7', { record: { id: 7 } }],
    ['-9007199254740991', { record: { id: -9_007_199_254_740_991 } }],
    ['9007199254740992', { fault: expect.stringContaining('/id: is not from -(2^53 - 1) to 2^53 - 1') }],
  ])('a key %s whose schema wants an integer', (id, expected) => {
    expect(
      decodeImage({ ...KEY, keyTypes: [{ typeName: 'int8' }], keyIsInteger: true, columns: [] }, [id]),
    ).toEqual(expected);
  });

  test('a member may have any name', () => {
    const mapping = {
      member: '__proto__',
      kind: 'text',
      isArray: false,
      asText: false,
      omitsNull: false,
    } as const;
    const decoded = decodeImage({ ...KEY, columns: [mapping] }, ['7', 'a']);
    expect(JSON.stringify(decoded)).toBe('{"record":{"id":"7","__proto__":"a"}}');
  });

  test('a number is taken as such exactly when its digits come back', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: 1e-5, max: 1e20 }), (value) => {
        expect(decode({ kind: 'exact' }, String(value))).toBe(value);
      }),
    );
    fc.assert(
      fc.property(fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n }), (value) => {
        const isExact = String(Number(value)) === String(value);
        const decoded = decode({ kind: 'exact' }, String(value));
        expect(decoded === Number(value)).toBe(isExact);
      }),
    );
  });
});
