import * as fc from 'fast-check';
import { thrownBy } from 'test-support/thrown-by';
import { expect, test } from 'vitest';
import { arbitraryRecord } from '../../../test/support/arbitrary-filter.ts';
import { codePoint } from '../../../test/support/code-point.ts';
import {
  FieldsError,
  type JsonObject,
  type JsonValue,
  parseFields,
  project,
  schemaFields,
} from '../../index.ts';

const anyField = (): boolean => true;
const show = (record: JsonValue, fields: string): JsonValue => project(record, parseFields(fields, anyField));

const station = {
  id: 's1',
  name: 'Seoul',
  position: { latitude: 37.5, longitude: 127, height: null },
  sensors: [
    { kind: 'rain', unit: 'mm' },
    { kind: 'wind', unit: 'm/s' },
  ],
};

test('keeps what the pointers name', () => {
  expect(show(station, '/name')).toEqual({ name: 'Seoul' });
  expect(show(station, '/position/latitude,/id')).toEqual({ id: 's1', position: { latitude: 37.5 } });
  expect(show(station, '/position/height')).toEqual({ position: { height: null } });
  expect(show(station, '/sensors/1/unit')).toEqual({ sensors: [{ unit: 'm/s' }] });
  expect(show(station, '/sensors/1,/sensors/0/kind')).toEqual({
    sensors: [{ kind: 'rain' }, { kind: 'wind', unit: 'm/s' }],
  });
});

test('leaves out what the record lacks', () => {
  expect(show(station, '/missing,/name/first,/sensors/7,/sensors/-,/sensors/length,/sensors/01')).toEqual({
    sensors: [],
  });
  expect(show(station, '/position/depth')).toEqual({ position: {} });
  expect(show({}, '/constructor,/__proto__,/toString/name')).toEqual({});
});

test('a member named __proto__ is a member', () => {
  const record = JSON.parse('{"__proto__":{"a":1},"b":2}') as JsonObject;
  const shown = show(record, '/__proto__/a');
  expect(JSON.stringify(shown)).toBe('{"__proto__":{"a":1}}');
  expect(Object.getPrototypeOf(shown)).toBe(Object.prototype);
});

test('selections that keep the same are told by equal pointers', () => {
  const pointers = (text: string): readonly string[] => parseFields(text, anyField).pointers;
  expect(pointers('/b,/a/x,/a')).toEqual(['/a', '/b']);
  expect(pointers('/a,/a/y')).toEqual(['/a']);
  expect(pointers('/a,/b,/a/y,/a')).toEqual(['/a', '/b']);
  expect(pointers('/a~1b,/c,d')).toEqual(['/a~1b', '/c,d']);
});

test.for(['', ',', 'name', '/a,', '/a,,/b', '/a,b/c', '/~', '/~2', '#/a', ' /a'])('refuses %j', (text) => {
  const error = thrownBy(() =>
    parseFields(text, (path) => path.length === 1 && /^[a-z]$/.test(path[0] ?? '')),
  );
  expect(error).toBeInstanceOf(FieldsError);
  expect(error).toMatchObject({ code: 'invalid_fields', retryable: false });
});

test('refuses too many and too deep fields', () => {
  expect(() => parseFields(Array.from({ length: 257 }, () => '/a').join(','), anyField)).toThrow(FieldsError);
  expect(() => parseFields('/a'.repeat(65), anyField)).toThrow(FieldsError);
  expect(() => parseFields('/a'.repeat(64), anyField)).not.toThrow();
});

test('a field has to exist in the graph of schemas', () => {
  const schemas = new Map<string, JsonObject>([
    [
      'https://example.org/station.json',
      {
        type: 'object',
        properties: { name: { type: 'string' }, position: { $ref: 'position.json' } },
        allOf: [{ properties: { sensors: { type: 'array', items: { $ref: '#/$defs/sensor' } } } }],
        anyOf: [{ properties: { pair: { prefixItems: [{ type: 'string' }, { properties: { x: true } }] } } }],
        patternProperties: { '^x-[a-z]+$': { type: 'string' } },
        unevaluatedProperties: false,
        $defs: {
          sensor: { properties: { kind: { type: 'string' }, parts: { items: { $ref: '#/$defs/sensor' } } } },
        },
      },
    ],
    [
      'https://example.org/position.json',
      { properties: { latitude: { type: 'number' } }, additionalProperties: false },
    ],
  ]);
  const hasField = schemaFields(schemas, 'https://example.org/station.json');
  const fields = (text: string): unknown => thrownBy(() => parseFields(text, hasField));
  for (const text of [
    '/name,/position,/position/latitude',
    '/sensors,/sensors/0,/sensors/12/kind',
    '/sensors/0/parts/3/parts/1/kind',
    '/pair/0,/pair/1/x',
    '/x-color',
  ]) {
    expect(fields(text)).toBeUndefined();
  }
  for (const text of [
    '/nam',
    '/name/x',
    '/position/longitude',
    '/sensors/-',
    '/sensors/kind',
    '/sensors/01',
    '/pair/2',
    '/$defs',
    '/x-1',
    '/constructor',
    '/__proto__',
  ]) {
    expect(fields(text)).toBeInstanceOf(FieldsError);
  }
  expect(
    thrownBy(() => parseFields('/name', schemaFields(schemas, 'https://example.org/other'))),
  ).toBeInstanceOf(FieldsError);
});

test('any text is read or refused with the one error, and any record can be shown', () => {
  const parts = fc.constantFrom('/', 'a', ',', '~', '0', '1', '-', '/a', '__proto__', '\ud83d');
  const texts = fc.oneof(
    fc.string({ unit: codePoint }),
    fc.array(parts).map((list) => list.join('')),
  );
  fc.assert(
    fc.property(texts, arbitraryRecord, (text, record) => {
      const error = thrownBy(() => {
        const shown = show(record, text);
        expect(project(shown, parseFields(text, anyField))).toBeDefined();
      });
      expect(error === undefined || error instanceof FieldsError).toBe(true);
    }),
    { numRuns: 1_000, endOnFailure: true },
  );
});
