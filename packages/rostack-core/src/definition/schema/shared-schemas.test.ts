import { Ajv2020 } from 'ajv/dist/2020.js';
import { thrownBy } from 'test-support/thrown-by';
import { expect, test } from 'vitest';
import { DefinitionError, defineImplementation, fieldTypes, type JsonObject } from '../../index.ts';

const text = { type: 'string' };
const PRICE = { type: 'string', format: 'decimal', $anchor: 'price' };

/** Left open: what defines closes them. */
const SCHEMAS: Readonly<Record<string, JsonObject>> = {
  address: {
    type: 'object',
    required: ['street'],
    properties: { street: text, rent: { $ref: '#price' }, seat: { $ref: '#/$defs/seat' } },
    $defs: { price: PRICE, seat: { type: 'object', properties: { floor: { type: 'integer' } } } },
  },
  person: {
    type: 'object',
    properties: {
      name: text,
      friends: { type: 'array', items: { $ref: 'person.schema.json' } },
      home: { $ref: './address.schema.json' },
      employer: { $ref: '/schemas/1/companies.schema.json' },
    },
  },
};

const COMPANY: JsonObject = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { $ref: 'address.schema.json#/properties/street' },
    boss: { $ref: 'person.schema.json' },
    seat: { $ref: 'https://data.example/schemas/1/address.schema.json#/$defs/seat' },
    price: { $ref: 'address.schema.json#price' },
  },
};

const IDENTITY = {
  id: 'x',
  name: 'X',
  apiVersion: '1',
  documentationUrl: 'https://data.example/docs',
  baseUrl: 'https://data.example',
  permissions: { 'x:read': 'Read' },
};

const define = (model: JsonObject, schemas: Readonly<Record<string, JsonObject>>) =>
  defineImplementation({
    ...IDENTITY,
    schemas,
    resources: {
      companies: {
        model,
        readPermissions: ['x:read'],
        filterable: { '/boss/home/street': 'all', '/price': 'all' },
        sortable: ['/boss/friends/0/name'],
        events: { 'company.made': { transition: 'create' } },
      },
    },
  });

const mistakes = (model: JsonObject, schemas: Readonly<Record<string, JsonObject>> = SCHEMAS): string[] => {
  const error = thrownBy(() => define(model, schemas));
  if (!(error instanceof DefinitionError)) throw error;
  return error.faults.map(({ path, message }) => `${path}: ${message}`);
};

const VALID = {
  id: 'a',
  price: '1.50',
  seat: { floor: 1 },
  boss: {
    name: 'b',
    friends: [{ friends: [{ name: 'c' }] }],
    employer: { id: 'a', boss: { home: { street: 's' } } },
  },
};

/** Each has one member too many, or one of another type, in another document. */
const INVALID = [
  { ...VALID, x: 1 },
  { ...VALID, id: 1 },
  { ...VALID, price: '1e3' },
  { ...VALID, seat: { floor: 1, x: 1 } },
  { ...VALID, boss: { x: 1 } },
  { ...VALID, boss: { friends: [{ friends: [{ x: 1 }] }] } },
  { ...VALID, boss: { home: { street: 's', seat: { x: 1 } } } },
  { ...VALID, boss: { employer: { id: 'a', boss: { employer: { id: 'a', x: 1 } } } } },
];

const formats = { decimal: /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/ };

test('schemas refer to each other across documents, each published at its own URL and closed', () => {
  const { schemas, resources } = define(COMPANY, SCHEMAS);
  expect([...schemas.keys()].toSorted()).toEqual(
    ['address', 'companies', 'person'].map((name) => `https://data.example/schemas/1/${name}.schema.json`),
  );
  for (const [url, schema] of schemas) expect(schema['$id']).toBe(url);
  const served = new Ajv2020({ strict: false, formats });
  for (const schema of schemas.values()) served.addSchema(JSON.parse(JSON.stringify(schema)) as JsonObject);
  const { schema, schemaUrl, events, filtering } = resources.companies;
  const validators = [
    served.getSchema(schemaUrl),
    new Ajv2020({ strict: false, formats }).compile(schema),
    new Ajv2020({ strict: false, formats }).compile(events.get('company.made')?.schema ?? false),
  ];
  for (const validate of validators) {
    expect(validate?.(VALID)).toBe(true);
    expect(INVALID.map((record) => validate?.(record))).toEqual(INVALID.map(() => false));
  }
  expect(filtering.filterable_fields['/price']).not.toContain('contains');
  expect(fieldTypes(schema, '/boss/employer/boss/home/street')).toEqual(new Set(['string']));
  expect(fieldTypes(schema, '/boss/home/nowhere')).toBeUndefined();
  expect(schemas.get(schemaUrl)).not.toHaveProperty('$defs');
});

test.each<[string, object]>([
  ['a document that is not given', { $ref: 'https://elsewhere.example/address.schema.json' }],
  ['a name that is none', { $ref: 'adress.schema.json' }],
  ['an anchor that is not there', { $ref: 'address.schema.json#cost' }],
  ['a pointer that leads nowhere', { $ref: 'address.schema.json#/$defs/cost' }],
])('a reference to %s is refused', (_what, price) => {
  const properties = { ...(COMPANY['properties'] as JsonObject), price } as JsonObject;
  expect(mistakes({ ...COMPANY, properties })).toContain(
    '/resources/companies/model: the schema at /properties/price/$ref must lead to one of the schemas that are given: companies.schema.json, address.schema.json, person.schema.json',
  );
});

test('no schema takes the URL of another one', () => {
  const error = thrownBy(() =>
    defineImplementation({
      ...IDENTITY,
      resources: {
        'no-data': {
          model: { type: 'object', required: ['id'], properties: { id: text } },
          readPermissions: ['x:read'],
          events: { made: { transition: 'create', carries: 'nothing' } },
        },
      },
    }),
  );
  expect(String(error)).toContain(
    '/resources/no-data/events/made/carries: no-data is the name of another schema; write one of its own',
  );
});

test('a shared schema is held to the rules of all', () => {
  const open = { ...SCHEMAS['address'], additionalProperties: true };
  expect(mistakes(COMPANY, { ...SCHEMAS, address: open })).toEqual([
    expect.stringMatching(/^\/schemas\/address: the schema at /),
    expect.stringMatching(/^\/schemas\/address: the schema at /),
  ]);
  expect(mistakes(COMPANY, { ...SCHEMAS, companies: SCHEMAS['address'] ?? {} })).toContain(
    '/schemas/companies: companies is the name of another schema; write one of its own',
  );
  expect(mistakes(COMPANY, { ...SCHEMAS, 'A b': {} })[0]).toMatch(
    /^\/schemas\/A b: the name must begin with/,
  );
});
