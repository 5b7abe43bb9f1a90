import * as fc from 'fast-check';
import { thrownBy } from 'test-support/thrown-by';
import { describe, expect, test } from 'vitest';
import { arbitraryRecord } from '../../../test/support/arbitrary-filter.ts';
import {
  checkMapping,
  compileMapping,
  formatPointer,
  type JsonObject,
  type JsonValue,
  type MappedValue,
  MappingError,
  parsePointer,
  type RecordMapping,
} from '../../index.ts';

const feature: RecordMapping = {
  '/type': { constant: 'Feature' },
  '/id': { from: '/id' },
  '/geometry/type': { constant: 'Point' },
  '/geometry/coordinates/1': { from: '/place/lat' },
  '/geometry/coordinates/0': { from: '/place/lon' },
  '/properties/name': { from: '/name' },
};
const station: JsonObject = { id: 's1', name: 'Seoul', place: { lat: 37.5, lon: 127 } };

test('members are chosen, renamed, nested and flattened, with constants between them', () => {
  expect(compileMapping(feature)(station)).toEqual({
    type: 'Feature',
    id: 's1',
    geometry: { type: 'Point', coordinates: [127, 37.5] },
    properties: { name: 'Seoul' },
  });
  const flat: RecordMapping = {
    '/a~1b': { from: '/place/lat' },
    '/all': { from: '' },
    '/none': { constant: null },
  };
  expect(compileMapping(flat)(station)).toEqual({ 'a/b': 37.5, all: station, none: null });
});

test('the items of an array go by their numbers, however many there are', () => {
  const items = Array.from({ length: 12 }, (_, index) => [`/all/${index}`, { constant: index }] as const);
  expect(compileMapping(Object.fromEntries(items.toReversed()))(station)).toEqual({
    all: items.map((_, index) => index),
  });
});

test('a value that the record lacks is left out, and an array without one of its items; objects stay', () => {
  expect(compileMapping(feature)({ id: 's2', place: { lat: 1 } })).toEqual({
    type: 'Feature',
    id: 's2',
    geometry: { type: 'Point' },
    properties: {},
  });
});

test('a member named __proto__ is a member, and inherited ones are missing', () => {
  const shown = compileMapping({ '/__proto__/a': { from: '/id' }, '/b': { from: '/constructor' } })(station);
  expect(JSON.stringify(shown)).toBe('{"__proto__":{"a":"s1"}}');
  expect(Object.getPrototypeOf(shown)).toBe(Object.prototype);
});

test.each<[string, RecordMapping, string]>([
  ['nothing', {}, ': must map at least one member'],
  ['a target that is no pointer', { name: { from: '/name' } }, '/name: must be the JSON Pointer of a member'],
  ['the whole as a target', { '': { from: '' } }, '/: must be the JSON Pointer of a member'],
  ['a source that is no pointer', { '/name': { from: 'name' } }, '/~1name/from: must be a JSON Pointer'],
  [
    'a target inside another',
    { '/a': { from: '' }, '/a/b': { from: '/name' } },
    '/~1a~1b: is inside /a, which is also mapped; keep one of them',
  ],
  [
    'a target around another',
    { '/a/b': { from: '/name' }, '/a': { from: '' } },
    '/~1a: contains /a/b, which is also mapped; keep one of them',
  ],
  ['an array that begins with its second item', { '/a/1': { from: '' } }, '/~1a~11: /a/0 is missing'],
  [
    'a gap',
    { '/a/0': { from: '' }, '/a/2': { from: '' } },
    '/~1a~10: /a/1 is missing; add every item of an array',
  ],
  [
    'numbers and names',
    { '/a/0': { from: '' }, '/a/b': { from: '' } },
    '/~1a~10: /a has numbers and names for its parts; write only numbers',
  ],
  ['an array for a representation', { '/0': { from: '' } }, ': must make an object; name its members'],
])('%s is refused', (_name, mapping, expected) => {
  const error: unknown = thrownBy(() => compileMapping(mapping));
  expect(error).toBeInstanceOf(MappingError);
  expect((error as MappingError).faults.map(({ path, message }) => `${path}: ${message}`)).toEqual([
    expect.stringContaining(expected),
  ]);
});

/** The meaning of a mapping, said the slow way: every step looks through the whole mapping. */
function interpret(mapping: RecordMapping, record: JsonObject, at = ''): JsonValue | undefined {
  const rule = Object.hasOwn(mapping, at) ? mapping[at] : undefined;
  if (rule !== undefined && 'constant' in rule) return rule.constant;
  if (rule !== undefined) {
    return parsePointer(rule.from).reduce<JsonValue | undefined>((value, token) => {
      if (typeof value !== 'object' || value === null) return undefined;
      if (Array.isArray(value) && String(Number(token)) !== token) return undefined;
      return new Map<string, JsonValue>(Object.entries(value)).get(token);
    }, record);
  }
  const steps = Object.keys(mapping).filter((target) => target.startsWith(`${at}/`));
  const names = [...new Set(steps.map((target) => target.slice(at.length + 1).split('/')[0] ?? ''))];
  if (names.every((name) => /^(?:0|[1-9]\d*)$/.test(name))) {
    const items = names.map((_, index) => interpret(mapping, record, `${at}/${index}`));
    return items.includes(undefined) ? undefined : (items as JsonValue[]);
  }
  const members = names.map((name): [string, JsonValue | undefined] => [
    parsePointer(`/${name}`)[0] ?? '',
    interpret(mapping, record, `${at}/${name}`),
  ]);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as JsonObject;
}

interface Shape {
  readonly value?: MappedValue;
  readonly items?: readonly Shape[];
  readonly members?: readonly (readonly [string, Shape])[];
}

function pointersOf(value: JsonValue, path: readonly string[] = []): string[] {
  const here = formatPointer(path);
  if (typeof value !== 'object' || value === null) return [here];
  return [here, ...Object.entries(value).flatMap(([name, inner]) => pointersOf(inner, [...path, name]))];
}

function targetsOf(
  { value, items, members = [] }: Shape,
  path: readonly string[] = [],
): [string, MappedValue][] {
  if (value !== undefined) return [[formatPointer(path), value]];
  const parts = items?.map((item, index) => [String(index), item] as const) ?? members;
  return parts.flatMap(([name, inner]) => targetsOf(inner, [...path, name]));
}

const memberName = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', '', 'a/b', '~', 'length', '-', '01'),
  fc.string({ maxLength: 4 }).filter((name) => !/^\d+$/.test(name)),
);

function arbitraryShape(sources: readonly string[]): fc.Arbitrary<Shape> {
  const from = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...sources) },
    fc.constantFrom('/missing', '/constructor', '/__proto__', '/id/length', '/id/0'),
  );
  const value = fc.oneof(
    from.map((pointer) => ({ value: { from: pointer } })),
    fc.jsonValue({ maxDepth: 1 }).map((constant) => ({ value: { constant: constant as JsonValue } })),
  );
  const { members } = fc.letrec<{ members: Shape; part: Shape }>((tie) => ({
    members: fc
      .uniqueArray(fc.tuple(memberName, tie('part')), {
        minLength: 1,
        maxLength: 4,
        selector: ([name]) => name,
      })
      .map((members) => ({ members })),
    part: fc.oneof(
      { maxDepth: 3 },
      value,
      tie('members'),
      fc.array(tie('part'), { minLength: 1, maxLength: 3 }).map((items) => ({ items })),
    ),
  }));
  return members;
}

test('compiled mappings do what the naive interpreter does', () => {
  const cases = arbitraryRecord
    .map((value): JsonObject => ({ id: 'a', value }))
    .chain((record) =>
      fc.tuple(
        fc.constant(record),
        arbitraryShape(pointersOf(record)).chain((shape) =>
          fc.shuffledSubarray(targetsOf(shape), { minLength: targetsOf(shape).length }),
        ),
      ),
    );
  fc.assert(
    fc.property(cases, ([record, targets]) => {
      const mapping: RecordMapping = Object.fromEntries(targets);
      // As texts: assertions of deep equality trip over own members named __proto__ and constructor.
      expect(JSON.stringify(compileMapping(mapping)(record))).toBe(
        JSON.stringify(interpret(mapping, record)),
      );
    }),
    { numRuns: 2_000 },
  );
});

const text = { type: 'string' };
const place = { type: 'object', properties: { lat: { type: 'number' }, lon: { type: 'number' } } };
const record = {
  type: 'object',
  required: ['id', 'place', 'level'],
  properties: {
    id: text,
    name: text,
    level: { type: 'number' },
    place: { ...place, required: ['lat', 'lon'] },
    mood: { type: ['string', 'null'] },
  },
};
const representation = {
  type: 'object',
  required: ['type', 'geometry'],
  properties: {
    type: { const: 'Feature' },
    id: { anyOf: [text, { type: 'integer' }] },
    geometry: { $ref: '#/$defs/geometry' },
    properties: {
      type: 'object',
      required: ['key'],
      properties: { key: text, note: text, whole: { type: 'integer' } },
    },
  },
  $defs: {
    geometry: {
      type: 'object',
      required: ['type'],
      properties: {
        type: { enum: ['Point', 'LineString'] },
        coordinates: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false },
      },
    },
  },
};

describe('against the schemas', () => {
  const right: RecordMapping = {
    '/type': { constant: 'Feature' },
    '/id': { from: '/id' },
    '/geometry/type': { constant: 'Point' },
    '/geometry/coordinates/0': { from: '/place/lon' },
    '/geometry/coordinates/1': { from: '/place/lat' },
    '/properties/key': { from: '/id' },
    '/properties/note': { from: '/name' },
  };
  const faultsOf = (change: RecordMapping, left: RecordMapping = right) =>
    checkMapping({ ...left, ...change }, { record, representation }).map(
      ({ path, message }) => `${path}: ${message}`,
    );

  test('a mapping that fits has no fault', () => {
    expect(faultsOf({})).toEqual([]);
  });

  test.each<[string, RecordMapping, string]>([
    [
      'a target that the schema does not have',
      { '/properties/nota': { from: '/name' } },
      '/~1properties~1nota: /properties/nota is not a field of the schema of the representation; write one, such as /properties/key, /properties/note, /properties/whole',
    ],
    [
      'a source that records do not have',
      { '/properties/note': { from: '/place/height' } },
      '/~1properties~1note/from: /place/height is not a field of the schema of the record; write one, such as /place/lat, /place/lon',
    ],
    [
      'a third item',
      { '/geometry/coordinates/2': { from: '/level' } },
      '/~1geometry~1coordinates~12: /geometry/coordinates/2 is not a field of the schema',
    ],
    [
      'an item that may be missing',
      { '/geometry/coordinates/0': { from: '/name' } },
      '/~1geometry~1coordinates~10/from: /name may be a string, which the schema of the representation does not take there',
    ],
    [
      'null where there is none',
      { '/properties/note': { from: '/mood' } },
      '/~1properties~1note/from: /mood may be null, which the schema of the representation does not take there; correct that schema, or write another field',
    ],
    [
      'any number for a whole one',
      { '/properties/whole': { from: '/level' } },
      '/~1properties~1whole/from: /level may be a number, which',
    ],
    [
      'what may be missing for what is required',
      { '/properties/key': { from: '/name' } },
      '/~1properties~1key/from: /name is not in every record, but /properties/key is required by the schema of the representation; declare both required, or neither',
    ],
    [
      'a constant that is not the one',
      { '/type': { constant: 'Feat' } },
      '/~1type/constant: "Feat" is refused by the schema of the representation; write a value that it takes',
    ],
    [
      'a constant that is not listed',
      { '/geometry/type': { constant: 'Polygon' } },
      '/~1geometry~1type/constant: ',
    ],
    ['a constant of another type', { '/id': { constant: true } }, '/~1id/constant: true is refused'],
    [
      'an array for an object',
      { '/geometry/coordinates/0': { constant: 1 }, '/geometry/coordinates/1': { constant: [] } },
      '/~1geometry~1coordinates~11/constant: [] is refused',
    ],
  ])('%s', (_name, change, expected) => {
    expect(faultsOf(change)).toEqual([expect.stringContaining(expected)]);
  });

  test('required members that are not mapped', () => {
    const { '/geometry/type': _, '/properties/key': __, ...rest } = right;
    expect(faultsOf({}, rest)).toEqual([
      ': /geometry/type is required by the schema of the representation; add it',
      ': /properties/key is required by the schema of the representation; add it',
    ]);
  });

  test('an optional item of an array, and objects and arrays that are neither', () => {
    const optional = { ...record, required: ['id'] };
    const faults = checkMapping(right, { record: optional, representation });
    expect(faults.map(({ message }) => message)).toEqual([
      '/place/lon is not in every record, and an array cannot leave out an item; correct the schema of the record to require it, or write another field',
      '/place/lat is not in every record, and an array cannot leave out an item; correct the schema of the record to require it, or write another field',
    ]);
    const digits = { type: 'object', properties: { a: { type: 'object', properties: { '0': text } } } };
    const [fault] = checkMapping({ '/a/0': { from: '/id' } }, { record, representation: digits });
    expect(fault?.message).toBe(
      '/a is an array by this mapping, which the schema of the representation does not take there; write one value for the whole of it, or correct that schema',
    );
  });
});
