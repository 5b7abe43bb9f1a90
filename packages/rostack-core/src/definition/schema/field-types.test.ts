import { expect, test } from 'vitest';
import { fieldCollation, fieldTypes, isAlwaysThere } from './field-types.ts';

const schema = {
  type: 'object',
  required: ['place'],
  properties: {
    place: { $ref: '#/$defs/place' },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    any: {},
  },
  $defs: { place: { type: 'object', required: ['lat'], properties: { lat: { type: 'number' } } } },
};

test('types are found through references, with or without an identifier of the schema', () => {
  for (const one of [schema, { $id: 'https://data.example/schemas/stations', ...schema }]) {
    expect(fieldTypes(one, '/place/lat')).toEqual(new Set(['number']));
    expect(fieldTypes(one, '/note')).toEqual(new Set(['string', 'null']));
    expect(fieldTypes(one, '/any')?.size).toBe(6);
    expect(fieldTypes(one, '/place/lon')).toBeUndefined();
    expect(isAlwaysThere(one, '/place/lat')).toBe(true);
    expect(isAlwaysThere(one, '/note')).toBe(false);
  }
});

test('a field inside what may be null is not always there', () => {
  const { place } = schema.$defs;
  const nullable = { ...schema, $defs: { place: { ...place, type: ['object', 'null'] } } };
  expect(isAlwaysThere(nullable, '/place')).toBe(true);
  expect(isAlwaysThere(nullable, '/place/lat')).toBe(false);
});

test.each([
  [{ type: 'string', format: 'decimal' }, 'decimal'],
  [{ type: 'string', format: 'date-time' }, 'date-time'],
  [{ type: 'string', format: 'time' }, 'time'],
  [{ type: ['string', 'null'], format: 'decimal' }, 'decimal'],
  [{ $ref: '#/$defs/amount' }, 'decimal'],
  [{ anyOf: [{ $ref: '#/$defs/amount' }, { type: 'null' }] }, 'decimal'],
  [{ anyOf: [{ $ref: '#/$defs/amount' }, { type: 'string' }] }, undefined],
  [{ anyOf: [{ $ref: '#/$defs/amount' }, { type: 'string', format: 'date-time' }] }, undefined],
  // The texts of dates compare as the dates do.
  [{ type: 'string', format: 'date' }, undefined],
  [{ type: 'string', format: 'constructor' }, undefined],
  [{ type: 'number', format: 'decimal' }, undefined],
  [{}, undefined],
])('%j has the collation %s', (amount, expected) => {
  const $defs = { amount: { type: 'string', format: 'decimal' } };
  expect(fieldCollation({ type: 'object', properties: { amount }, $defs }, '/amount')).toBe(expected);
});

test('the fields of a schema are found without going through all of them for each', () => {
  let readings = 0;
  const all = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`f${index}`, { type: 'string' }]),
  );
  const properties = new Proxy(all, {
    ownKeys: (target) => {
      readings += 1;
      return Reflect.ownKeys(target);
    },
  });
  const schema = { type: 'object', properties };
  for (const name of Object.keys(all)) {
    expect(fieldTypes(schema, `/${name}`)).toEqual(new Set(['string']));
    expect(fieldCollation(schema, `/${name}`)).toBeUndefined();
  }
  expect(readings).toBeLessThan(5);
});
