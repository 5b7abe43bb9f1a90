import * as fc from 'fast-check';
import { thrownBy } from 'test-support/thrown-by';
import { expect, test } from 'vitest';
import { auditSchemas, type JsonSchema } from '../index.ts';
import { isBoundedNamePattern } from './name-pattern.ts';

const URL = 'https://a.example/schemas/record.schema.json';
const OTHER = 'https://a.example/schemas/other.schema.json';
const dialect = 'https://json-schema.org/draft/2020-12/schema';

const document = (schema: object, url = URL): [string, JsonSchema] => [
  url,
  { $schema: dialect, $id: url, ...schema },
];

/** Findings as `kind path`, those of another document with its name. */
const audit = (schema: object, ...others: [string, JsonSchema][]): string[] =>
  auditSchemas(new Map([document(schema), ...others])).map(
    ({ kind, url, path }) => `${kind} ${url === URL ? '' : url.split('/').at(-1)}${path}`,
  );

const closed = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false };
const open = { type: 'object', properties: { a: { type: 'string' } } };
/** As JSON text: an object literal with a member `then` is taken for a promise. */
const condition = ({ passed, failed }: { passed: object; failed?: object }): object => {
  const otherwise = failed === undefined ? '' : `,"else":${JSON.stringify(failed)}`;
  return JSON.parse(
    `{"if":{"properties":{"k":{"const":1}}},"then":${JSON.stringify(passed)}${otherwise}}`,
  ) as object;
};
const inside = (schema: unknown, more: object = {}) => ({
  type: 'object',
  properties: { x: schema },
  additionalProperties: false,
  ...more,
});

test.each<[string, object, string[]]>([
  ['a closed object', closed, []],
  ['an open root', open, ['open_object ']],
  ['an open member', inside(open), ['open_object /properties/x']],
  ['an open item', inside({ type: 'array', items: open }), ['open_object /properties/x/items']],
  [
    'an open tuple item',
    inside({ type: 'array', prefixItems: [closed, open], items: false }),
    ['open_object /properties/x/prefixItems/1'],
  ],
  [
    'what contains looks for',
    inside({ type: 'array', items: closed, contains: open }),
    ['open_object /properties/x/contains'],
  ],
  ['items that may be anything', inside({ type: 'array', items: true }), ['open_object /properties/x/items']],
  ['a member that may be anything', inside({}), ['open_object /properties/x']],
  [
    'a member that is described but may be anything',
    inside({ description: 'x' }),
    ['open_object /properties/x'],
  ],
  ['scalars', inside({ type: ['string', 'null', 'integer'] }), []],
  ['constants, even objects', inside({ enum: [{ b: 1 }, 2] }), []],
  ['nothing at all', inside({ not: {} }), []],
  [
    'an open object or null',
    inside({ type: ['object', 'null'], properties: {} }),
    ['open_object /properties/x'],
  ],

  ['a reference to a closed one', inside({ $ref: '#/$defs/d' }, { $defs: { d: closed } }), []],
  [
    'a reference to an open one',
    inside({ $ref: '#/$defs/d' }, { $defs: { d: open } }),
    ['open_object /properties/x'],
  ],
  [
    'an open reference that is closed next to it',
    inside({ $ref: '#/$defs/d', unevaluatedProperties: false }, { $defs: { d: open } }),
    [],
  ],
  [
    'an open one inside what is referred to',
    inside({ $ref: '#/$defs/d' }, { $defs: { d: inside(open) } }),
    ['open_object /$defs/d/properties/x'],
  ],
  ['an open one that nothing refers to', inside({ type: 'string' }, { $defs: { d: open } }), []],
  [
    'an anchor',
    inside({ $ref: '#d' }, { $defs: { d: { $anchor: 'd', ...open } } }),
    ['open_object /properties/x'],
  ],
  [
    'an embedded resource',
    inside({ $ref: 'inner' }, { $defs: { d: { $id: 'inner', ...open } } }),
    ['open_object /properties/x'],
  ],
  [
    'a pointer into an embedded resource',
    inside({ $ref: 'inner#/$defs/e' }, { $defs: { d: { $id: 'inner', $defs: { e: closed } } } }),
    [],
  ],
  ['recursion', { ...closed, properties: { next: { $ref: '#' } } }, []],
  [
    'recursion through an open member',
    { ...closed, properties: { next: { $ref: '#' }, x: open } },
    ['open_object /properties/x'],
  ],
  [
    'a reference to nothing',
    inside({ $ref: '#/$defs/none' }),
    ['unresolved_reference /properties/x/$ref', 'open_object /properties/x'],
  ],
  [
    'a reference to a document that is missing',
    inside({ $ref: OTHER }),
    ['unresolved_reference /properties/x/$ref', 'open_object /properties/x'],
  ],

  [
    'allOf closed as a whole',
    { allOf: [open, { properties: { b: { type: 'string' } } }], unevaluatedProperties: false },
    [],
  ],
  ['allOf with one closed branch', { allOf: [open, closed] }, []],
  ['allOf that leaves it open', { allOf: [open, open] }, ['open_object ']],
  [
    'an open member of an allOf branch',
    { allOf: [{ properties: { y: open } }], unevaluatedProperties: false },
    ['open_object /allOf/0/properties/y'],
  ],
  ['anyOf with every branch closed', { anyOf: [closed, inside({ type: 'string' }), { type: 'null' }] }, []],
  ['anyOf with an open branch', { anyOf: [closed, open] }, ['open_object ']],
  [
    'oneOf with an open branch that is closed outside',
    { oneOf: [closed, open], unevaluatedProperties: false },
    [],
  ],
  ['both branches of a condition closed', condition({ passed: closed, failed: closed }), []],
  ['a condition without else', condition({ passed: closed }), ['open_object ']],
  ['an open else', condition({ passed: closed, failed: open }), ['open_object ']],
  [
    'an open member of then',
    { ...closed, ...condition({ passed: { properties: { a: open } } }) },
    ['open_object /then/properties/a'],
  ],
  ['dependent schemas do not close', { type: 'object', dependentSchemas: { a: closed } }, ['open_object ']],
  [
    'an open member of a dependent schema',
    { ...closed, dependentSchemas: { a: { properties: { a: open } } } },
    ['open_object /dependentSchemas/a/properties/a'],
  ],
  ['what is in not', { ...closed, not: open }, []],

  [
    'additional properties of a kind',
    { ...open, additionalProperties: { type: 'string' } },
    ['open_object ', 'schema_valued_closure /additionalProperties'],
  ],
  [
    'unevaluated properties of a kind',
    { ...closed, unevaluatedProperties: {} },
    ['schema_valued_closure /unevaluatedProperties'],
  ],
  [
    'a branch that lets everything in',
    { allOf: [{ additionalProperties: true }], unevaluatedProperties: false },
    ['schema_valued_closure /allOf/0/additionalProperties'],
  ],
  ['bounded names', { ...closed, patternProperties: { '^x-[a-z]+$': { type: 'string' } } }, []],
  [
    'names bounded at the start only',
    { ...closed, patternProperties: { '^x-': { type: 'string' } } },
    ['unbounded_name_pattern /patternProperties/^x-'],
  ],
  [
    'an open value of a bounded name',
    { ...closed, patternProperties: { '^x$': open } },
    ['open_object /patternProperties/^x$'],
  ],
])('%s', (_, schema, expected) => {
  expect(audit(schema).toSorted()).toEqual(expected.toSorted());
});

test('a dynamic reference means every anchor of its name', () => {
  const tree = { $dynamicAnchor: 'node', ...inside({ $dynamicRef: '#node' }) };
  expect(audit(tree)).toEqual([]);
  const extension = document({ $dynamicAnchor: 'node', ...open }, OTHER);
  expect(audit(tree, extension)).toEqual(['open_object /properties/x', 'open_object other.schema.json']);
  const notClosed = {
    $dynamicAnchor: 'node',
    ...inside({ $dynamicRef: '#node' }),
    additionalProperties: undefined,
  };
  expect(audit(JSON.parse(JSON.stringify(notClosed)) as object).toSorted()).toEqual([
    'open_object ',
    'open_object /properties/x',
  ]);
});

test('a dynamic reference is closed only when everything that it can mean is closed', () => {
  const tree = { $dynamicAnchor: 'node', ...inside({ $dynamicRef: '#node' }) };
  const extension = (more: object) =>
    document({ $dynamicAnchor: 'node', properties: { y: { type: 'string' } }, ...more }, OTHER);
  expect(audit(tree, extension({ type: 'object', unevaluatedProperties: false }))).toEqual([]);
  expect(audit(tree, extension({ type: 'object' }))).toEqual([
    'open_object /properties/x',
    'open_object other.schema.json',
  ]);
  const otherName = document({ $dynamicAnchor: 'leaf', ...open }, OTHER);
  expect(audit(tree, otherName)).toEqual(['open_object other.schema.json']);
  expect(audit(inside({ $dynamicRef: '#none' }))).toContain('unresolved_reference /properties/x/$dynamicRef');
});

test('references lead from document to document', () => {
  const other = document({ $defs: { part: open } }, OTHER);
  const [, rest] = [other, { type: 'string', ...other[1] }];
  expect(audit(inside({ $ref: 'other.schema.json#/$defs/part' }), [OTHER, rest])).toEqual([
    'open_object /properties/x',
  ]);
  expect(audit(inside({ $ref: OTHER }), document(inside(open), OTHER))).toEqual([
    'open_object other.schema.json/properties/x',
  ]);
});

test('the id is the URL, the dialect is 2020-12, the place is not the specification', () => {
  expect(auditSchemas(new Map([[URL, { ...closed, $id: OTHER, $schema: dialect }]]))).toMatchObject([
    { kind: 'id_differs_from_url', url: URL, path: '/$id' },
  ]);
  expect(auditSchemas(new Map([[URL, { ...closed, $id: URL }]]))).toMatchObject([
    { kind: 'wrong_dialect', path: '/$schema' },
  ]);
  expect(audit(inside({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'string' }))).toEqual([
    'wrong_dialect /properties/x/$schema',
  ]);
  const spec = 'https://spec.pmh.codes/x.json';
  expect(auditSchemas(new Map([document(closed, spec)])).map(({ kind }) => kind)).toEqual([
    'url_under_specification',
  ]);
});

test.each<[string, boolean]>([
  ['^[a-z]+$', true],
  ['^(?:a|b)$', true],
  ['^x-[^|]$', true],
  ['^a|b$', false],
  ['^a', false],
  ['a$', false],
  ['^a\\$', false],
  ['^.*$', false],
  ['^[^]*$', false],
  ['^\\S*$', false],
  ['^(a$', false],
])('the pattern %s bounds a name: %s', (pattern, expected) => {
  expect(isBoundedNamePattern(pattern)).toBe(expected);
});

test('nothing makes the audit throw, and size costs in proportion', () => {
  const schema = fc.letrec((tie) => ({
    schema: fc.oneof(
      { maxDepth: 5 },
      fc.boolean(),
      fc.dictionary(
        fc.constantFrom(
          'type',
          'properties',
          'items',
          '$ref',
          '$dynamicRef',
          '$anchor',
          '$id',
          'anyOf',
          'allOf',
          'if',
          'then',
          'not',
          'patternProperties',
          'additionalProperties',
          '__proto__',
          '$defs',
        ),
        fc.oneof(
          tie('schema'),
          fc.array(tie('schema'), { maxLength: 2 }),
          fc.dictionary(fc.constantFrom('a', '(', '__proto__'), tie('schema'), { maxKeys: 2 }),
          fc.constantFrom('#', '#a', 'b', '::', '%', 'object', null, 1),
        ),
        { maxKeys: 3 },
      ),
    ),
  })).schema;
  fc.assert(
    fc.property(schema, (value) => {
      expect(thrownBy(() => auditSchemas(new Map([[URL, value as JsonSchema]])))).toBeUndefined();
    }),
    { numRuns: 1000 },
  );
  for (const nest of [
    (inner: string) => `{"not":${inner}}`,
    (inner: string) => `{"anyOf":[${inner}]}`,
    (inner: string) => `{"properties":{"a":${inner}}}`,
  ]) {
    let text = '{}';
    for (let depth = 0; depth < 1000; depth += 1) text = nest(text);
    const deep = JSON.parse(text) as JsonSchema;
    expect(thrownBy(() => auditSchemas(new Map([[URL, deep]])))).toBeUndefined();
  }
});
