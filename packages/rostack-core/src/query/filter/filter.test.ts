import * as fc from 'fast-check';
import { thrownBy } from 'test-support/thrown-by';
import { expect, test } from 'vitest';
import { arbitraryFilterJson, arbitraryRecord } from '../../../test/support/arbitrary-filter.ts';
import { codePoint } from '../../../test/support/code-point.ts';
import { matchesNaively } from '../../../test/support/naive-filter.ts';
import {
  canonicalizeFilter,
  checkFilter,
  compileFilter,
  DEFAULT_FILTER_LIMITS,
  FILTER_RULES,
  type Filter,
  FilterError,
  type FilterRule,
  filterToJson,
  hashFilter,
  type JsonObject,
  MODELS,
  parseFilter,
  parseFilterText,
} from '../../index.ts';

test('a predicate decides as the protocol says, and so do the canonical form and the filter read back', () => {
  fc.assert(
    fc.property(arbitraryFilterJson, fc.array(arbitraryRecord, { maxLength: 4 }), (json, records) => {
      const filter = parseFilter(json);
      const forms = [filter, canonicalizeFilter(filter), parseFilter(filterToJson(filter))].map(
        compileFilter,
      );
      for (const record of records) {
        const expected = matchesNaively(json, record);
        expect(forms.map((matches) => matches(record))).toEqual([expected, expected, expected]);
      }
    }),
    { numRuns: 2_000, endOnFailure: true },
  );
});

test('the canonical form is a fixed point, and what it is read from does not matter', () => {
  fc.assert(
    fc.property(arbitraryFilterJson, (json) => {
      const filter = parseFilter(json);
      const canonical = canonicalizeFilter(filter);
      expect(canonicalizeFilter(canonical)).toEqual(canonical);
      expect(hashFilter(filter)).toBe(hashFilter(canonical));
      expect(hashFilter(parseFilter(filterToJson(filter)))).toBe(hashFilter(filter));
      expect(hashFilter(parseFilter(reversed(json)))).toBe(hashFilter(filter));
    }),
    { numRuns: 1_000, endOnFailure: true },
  );

  function reversed(json: JsonObject): JsonObject {
    const members = Object.entries(json).toReversed();
    return Object.fromEntries(
      members.map(([name, value]) => {
        if (name === '$and' || name === '$or')
          return [name, (value as JsonObject[]).toReversed().map(reversed)];
        if (name === '$not') return [name, reversed(value as JsonObject)];
        return [name, Object.fromEntries(Object.entries(value as JsonObject).toReversed())];
      }),
    );
  }
});

test('filters that mean the same in another order, nesting or notation share a hash', () => {
  const hash = (text: string): string => hashFilter(parseFilterText(text));
  expect(hash('{"/a":{"in":[2,1,2]},"/b":{"ne":1}}')).toBe(
    hash('{"$and":[{"$not":{"/b":{"eq":1}}},{"$and":[{"/a":{"in":[1,2]}},{"/a":{"in":[1,2]}}]}]}'),
  );
  expect(hash('{"/a":{"in":[1]}}')).toBe(hash('{"$not":{"$not":{"/a":{"eq":1.0}}}}'));
  expect(hash('{"$or":[{"/a":{"eq":1}},{"$or":[{"/b":{"eq":1}}]}]}')).toBe(
    hash('{"$or":[{"/b":{"eq":1}},{"/a":{"eq":1}}]}'),
  );
  expect(hash('{"$or":[{"/a":{"eq":1}},{"$or":[{"/b":{"eq":1}},{"/c":{"eq":1}}]}]}')).toBe(
    hash('{"$or":[{"/a":{"eq":1}},{"/b":{"eq":1}},{"/c":{"eq":1}}]}'),
  );
  expect(hash('{"$not":{"/a":{"exists":true}}}')).toBe(hash('{"/a":{"exists":false}}'));
  expect(hash('{"/a":{"eq":1}}')).not.toBe(hash('{"/a":{"eq":"1"}}'));
  expect(hash('{"/a":{"in":[1,"1",null,"null"]}}')).not.toBe(hash('{"/a":{"in":["1","null"]}}'));
  expect(hash('{"/a":{"eq":[1,2]}}')).not.toBe(hash('{"/a":{"eq":[2,1]}}'));
  expect(hash('{"/a":{"gt":1}}')).not.toBe(hash('{"$not":{"/a":{"lte":1}}}'));
  expect(hash('{"/a":{"eq":1}}')).toMatch(/^[0-9a-f]{64}$/);
});

test('a filter that was read comes back within the limits it was read with', () => {
  const deep = nested(15, '{"/a":{"eq":1},"$or":[{"/a":{"eq":2}},{"/b":{"eq":2}}]}');
  expect(() => parseFilterText(deep)).toThrow(/deeper than 16/);
  const fits = nested(
    14,
    '{"/a":{"eq":1},"$or":[{"/a":{"eq":2}},{"/b":{"eq":2}}],"$and":[{"$or":[{"/c":{"eq":1}}]}]}',
  );
  const shallow = parseFilterText(
    `{"$or":[{"/a":{"eq":1}},{"/b":{"eq":1}}],"$and":[{"$or":[{"/c":{"eq":1}},{"/d":{"eq":1}}]}]}`,
  );
  expect(filterToJson(shallow)).toEqual({
    $or: [{ '/a': { eq: 1 } }, { '/b': { eq: 1 } }],
    $and: [{ $or: [{ '/c': { eq: 1 } }, { '/d': { eq: 1 } }] }],
  });
  expect(() => parseFilterText(fits)).toThrow(/deeper than 16/);
  expect(() =>
    parseFilter(
      filterToJson(parseFilterText(nested(14, '{"/a":{"eq":1},"$or":[{"/b":{"eq":1}},{"/c":{"eq":1}}]}'))),
    ),
  ).not.toThrow();

  function nested(levels: number, text: string): string {
    return `${'{"$not":'.repeat(levels)}${text}${'}'.repeat(levels)}`;
  }
});

test('an error tells the place and what to do', () => {
  const fault = (text: string): [string, string] => {
    const error = thrownBy(() => parseFilterText(text)) as FilterError;
    expect(error).toBeInstanceOf(FilterError);
    return [error.location, error.message];
  };
  expect(fault('{"$and":[{"/a":{"eq":1}},{"/a~1b":{"in":3}}]}')).toEqual([
    '/$and/1/~1a~01b/in',
    '"/$and/1/~1a~01b/in": pass an array of strings, numbers, booleans or nulls',
  ]);
  expect(fault('{"name":{"eq":1}}')).toEqual([
    '/name',
    '"/name": "name" is neither a field nor a logical member: write a field as a JSON Pointer that starts with "/", or use $and, $or or $not',
  ]);
  expect(fault('{"$and":[{"/a":{"eq":1}},{}]}')).toEqual([
    '/$and/1',
    '"/$and/1": pass at least one field, $and, $or or $not; to take everything, leave the filter out',
  ]);
  expect(fault('{"/a":{"eq":1e999}}')).toEqual([
    '/~1a/eq',
    '"/~1a/eq": is beyond the range of a JSON number; make it a string',
  ]);
  expect(fault('{"/a":{"in":[1,9007199254740993]}}')).toEqual([
    '/~1a/in/1',
    '"/~1a/in/1": has more digits than a JSON number keeps; round it, or make it a string',
  ]);
  expect(fault('{"/a":{"gt":1,"\\u0067t":2}}')).toEqual([
    '/~1a/gt',
    '"/~1a/gt": is repeated; keep one of the two',
  ]);
  expect(thrownBy(() => parseFilter({ '/a': { eq: Number.POSITIVE_INFINITY } }))).toMatchObject({
    location: '/~1a/eq',
    message: '"/~1a/eq": the number is out of range',
  });
  expect(fault('{"/a":')).toEqual(['', 'the filter is not JSON']);
  expect(fault('')).toEqual(['', 'the filter is not JSON']);
});

test('no input makes the parsers throw anything but a FilterError', () => {
  const safe = (action: () => Filter): void => {
    const error = thrownBy(() => compileFilter(action())({ a: 1 }));
    expect(error === undefined || (error instanceof FilterError && error.code === 'invalid_filter')).toBe(
      true,
    );
  };
  const fragment = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"$and"',
    '"$not"',
    '"/a"',
    '"eq"',
    '1',
    '"__proto__"',
  );
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withSparseArray: true }), (value) =>
      safe(() => parseFilter(value)),
    ),
  );
  fc.assert(
    fc.property(fc.jsonValue(), (value) => safe(() => parseFilter(value))),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.json(), (text) => safe(() => parseFilterText(text))),
    { numRuns: 500 },
  );
  fc.assert(fc.property(fc.string({ unit: codePoint }), (text) => safe(() => parseFilterText(text))));
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 12 }), (parts) =>
      safe(() => parseFilterText(parts.join(''))),
    ),
    { numRuns: 2_000 },
  );
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test('hostile sizes are refused before they are walked', () => {
  const repeat = (open: string, inner: string, close: string, bytes: number): string => {
    const levels = Math.floor((bytes - inner.length) / (open.length + close.length));
    return open.repeat(levels) + inner + close.repeat(levels);
  };
  const kib64 = DEFAULT_FILTER_LIMITS.maxTextLength;
  expect(() => parseFilterText(repeat('{"$not":', '{}', '}', kib64))).toThrow(/deeper than 16/);
  expect(() => parseFilterText(repeat('{"$and":[', '{}', ']}', kib64))).toThrow(/deeper than 16/);
  expect(() => parseFilterText('['.repeat(kib64))).toThrow(/not JSON/);
  expect(() => parseFilterText(repeat('[', '', ']', kib64))).toThrow(/JSON object/);
  expect(() => parseFilterText(' '.repeat(kib64 + 1))).toThrow(/longer than 65536/);
  const wide = (filters: number): unknown => ({
    $or: Array.from({ length: filters }, () => ({ '/a': { eq: 1 } })),
  });
  expect(() => parseFilter(wide(255))).not.toThrow();
  expect(() => parseFilter(wide(100_000))).toThrow(/more than 256/);
  expect(() => parseFilter({ '/a': { in: Array.from({ length: 1_000_000 }, () => 1) } })).toThrow(
    /1000 members/,
  );
  let value: unknown = {};
  for (let level = 0; level < 1_000_000; level += 1) value = { $not: value };
  expect(() => parseFilter(value)).toThrow(/deeper than 16/);
});

test.each<readonly [nodes: number, filter: JsonObject]>([
  [1, { '/a': { eq: 1 } }],
  [2, { '/a': { gt: 1, lt: 3 } }],
  [2, { '/a': { eq: 1 }, '/b': { eq: 1 } }],
  [2, { $not: { '/a': { eq: 1 } } }],
  [3, { $not: { $not: { '/a': { eq: 1 } } } }],
  [2, { $and: [{ '/a': { eq: 1 } }] }],
  [2, { $or: [{ '/a': { eq: 1 } }] }],
  [5, { $or: [{ $and: [{ '/a': { eq: 1 } }] }, { $not: { '/a': { eq: 1 } } }] }],
])('of %i comparisons and logical members, each counts: %j', (nodes, filter) => {
  const parse = (maxNodes: number) => parseFilter(filter, { ...DEFAULT_FILTER_LIMITS, maxNodes });
  expect(thrownBy(() => parse(nodes))).toBeUndefined();
  expect(thrownBy(() => parse(nodes - 1))).toMatchObject({ code: 'invalid_filter', check: 'limits' });
});

test('limits can be set', () => {
  const limits = { ...DEFAULT_FILTER_LIMITS, maxDepth: 1, maxStringBytes: 3 };
  expect(() => parseFilterText('{"$not":{"/a":{"eq":1}}}', limits)).toThrow(/deeper than 1 /);
  expect(() => parseFilterText('{"/a":{"eq":"강"}}', limits)).not.toThrow();
  expect(() => parseFilterText('{"/a":{"eq":"강a"}}', limits)).toThrow(/longer than 3 bytes/);
});

test('a resource is asked only for what it advertises', () => {
  const filtering = { filterable_fields: { '/a': ['eq', 'gt'], '/b': ['exists'] } } as const;
  const check = (text: string): void => checkFilter(parseFilterText(text), filtering, ['eq', 'exists']);
  expect(() => check('{"/a":{"eq":1},"$or":[{"/b":{"exists":true}}]}')).not.toThrow();
  const error = thrownBy(() => check('{"$not":{"$or":[{"/a":{"eq":1}},{"/c":{"eq":1}}]}}')) as FilterError;
  expect(error).toBeInstanceOf(FilterError);
  expect(error.code).toBe('unsupported_filter');
  expect(error.message).toBe('the field "/c" cannot be filtered by; filterable fields: /a, /b');
  expect(() => check('{"/b":{"eq":1}}')).toThrow(
    'the field "/b" does not take the operator eq; its operators: exists',
  );
  // Advertised for the field, though not in the capabilities.
  expect(() => check('{"/a":{"gt":1}}')).toThrow('its operators: eq');
  expect(() => check('{"/constructor":{"eq":1}}')).toThrow(FilterError);
  expect(() =>
    checkFilter(parseFilterText('{"/__proto__":{"eq":1}}'), { filterable_fields: {} }, []),
  ).toThrow('this resource has no filterable fields');
});

test('a predicate reads own members alone, with many names in use', () => {
  for (let name = 0; name < 100; name += 1) {
    const matches = compileFilter(parseFilter({ [`/name${name}`]: { eq: name } }));
    expect(matches({ [`name${name}`]: name })).toBe(true);
    expect(matches({ [`name${name + 1}`]: name })).toBe(false);
  }
});

test('all of no filters match, any of none does not', () => {
  expect(compileFilter({ kind: 'and', filters: [] })({})).toBe(true);
  expect(compileFilter({ kind: 'or', filters: [] })({})).toBe(false);
});

const BEYOND: [rule: FilterRule, text: string][] = [
  ['limits', `{"/a":{"eq":"${'x'.repeat(5_000)}"}}`],
  ['field_pointer', '{"/a~2":{"eq":1}}'],
  ['whole_characters', String.raw`{"/a":{"eq":"\ud800"}}`],
  ['scalar_operand', '{"/a":{"eq":{"b":1}}}'],
  ['unique_members', '{"/a":{"eq":1},"/a":{"eq":1}}'],
  ['exact_numbers', '{"/a":{"eq":9007199254740993}}'],
];

test.each(BEYOND)('%s: a rule beyond the schema of release 2026-08-12', (rule, text) => {
  expect(MODELS['2026-08-12'].filter.safeParse(JSON.parse(text)).success).toBe(true);
  const error = thrownBy(() => parseFilterText(text, DEFAULT_FILTER_LIMITS, '2026-08-12'));
  const code = rule === 'scalar_operand' ? 'unsupported_filter' : 'invalid_filter';
  expect(error).toMatchObject({ check: rule, code });
});

test('every rule beyond the schema is shown to refuse', () => {
  expect(BEYOND.map(([rule]) => rule)).toEqual(Object.keys(FILTER_RULES));
});

test('an operand that no operator compares is unsupported in 2026-08-12 if the rest is valid', () => {
  const parse = (filter: object) => thrownBy(() => parseFilter(filter, DEFAULT_FILTER_LIMITS, '2026-08-12'));
  const operand = { '/a': { in: [1, [2]] } };
  expect(parse({ '/b': { exists: true }, ...operand })).toMatchObject({
    code: 'unsupported_filter',
    location: '/~1a/in',
  });
  expect(parse({ ...operand, '/b': { exists: 1 } })).toMatchObject({
    code: 'invalid_filter',
    check: 'schema',
  });
  expect(thrownBy(() => parseFilter(operand))).toMatchObject({ code: 'invalid_filter', check: 'schema' });
});
