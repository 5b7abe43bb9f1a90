import { Ajv2020 } from 'ajv/dist/2020.js';
import { type } from 'arktype';
import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { observatory } from '../../test/support/observatory.ts';
import {
  auditSchemas,
  type DiscoveryDocument,
  declaredErrors,
  defineImplementation,
  eventData,
  PROBLEM_SLUGS,
  parseDiscovery,
  type ResourceDeclaration,
  WEBSOCKET_ERROR_CODES,
} from '../index.ts';

test('a short declaration becomes a whole document', () => {
  const { discovery } = defineImplementation(observatory);
  expect(parseDiscovery(JSON.parse(JSON.stringify(discovery)))).toEqual(discovery);
  expect(discovery.endpoints).toEqual({
    discovery: 'https://observatory.example/.well-known/rostack',
    json_api: 'https://observatory.example/data/api',
    websocket: 'wss://observatory.example/data/gateway',
  });
  expect(discovery.authentication.methods).toEqual([
    { type: 'shared_token', http_authorization_scheme: 'Rostack-Token', provisioning: 'out_of_band' },
  ]);
  const [stations] = discovery.resources;
  expect(stations).toMatchObject({
    name: 'stations',
    collection_url: 'https://observatory.example/data/api/stations',
    item_url_template: 'https://observatory.example/data/api/stations/{id}',
    event_filtering: true,
    representations: [
      {
        media_type: 'application/json',
        schema_url: 'https://observatory.example/data/schemas/7/stations.schema.json',
      },
    ],
    events: [
      {
        name: 'station.created',
        state_transition: 'create',
        tombstone: false,
        description: 'Went into service',
      },
      { name: 'station.changed', state_transition: 'update', tombstone: false },
      { name: 'station.removed', state_transition: 'delete', tombstone: true },
    ],
    read_permissions: ['stations:read'],
    subscribe_permissions: ['stations:follow'],
  });
  expect(stations?.filtering.filterable_fields).toEqual({
    '/name': [
      'eq',
      'ne',
      'gt',
      'gte',
      'lt',
      'lte',
      'in',
      'nin',
      'contains',
      'starts_with',
      'ends_with',
      'exists',
    ],
    '/height': ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'exists'],
    '/active': ['eq', 'ne', 'in', 'nin', 'exists'],
    '/tags': ['eq', 'ne', 'contains', 'exists'],
    '/position/latitude': ['gte', 'lt'],
  });
});

test('the errors that are promised are all that a server can send', () => {
  const { http, websocket } = defineImplementation(observatory).discovery.errors;
  expect(http.map(({ type }) => type.split('/').at(-1))).toEqual(PROBLEM_SLUGS);
  expect(websocket.map(({ code }) => code)).toEqual(WEBSOCKET_ERROR_CODES);
});

test('every schema that is advertised is there, closed, under its own URL', () => {
  const { discovery, schemas } = defineImplementation(observatory);
  const advertised = discovery.resources.flatMap(({ representations, events }) =>
    [...representations, ...events].map(({ schema_url }) => schema_url),
  );
  expect(new Set(schemas.keys())).toEqual(new Set(advertised));
  expect(auditSchemas(schemas)).toEqual([]);
});

test('a representation keeps the URL of its schema when others come before it, and shares it with no event', () => {
  const urlsOf = (...mediaTypes: readonly string[]) => {
    const stations = {
      ...observatory.resources.stations,
      representations: mediaTypes.map((mediaType) => ({ mediaType, model: z.object({ id: z.string() }) })),
    };
    const { resources } = defineImplementation({ ...observatory, resources: { stations } });
    return new Map(
      resources.stations.representations.map(({ media_type, schema_url }) => [media_type, schema_url]),
    );
  };
  const folder = 'https://observatory.example/data/schemas/7';
  const url = `${folder}/stations.application_geo+json.schema.json`;
  expect(urlsOf('application/geo+json').get('application/geo+json')).toBe(url);
  const both = urlsOf('application/vnd.card+json', 'application/geo+json');
  expect(both.get('application/geo+json')).toBe(url);
  expect(new Set(both.values()).size).toBe(3);
});

test('a resource comes with what an adapter needs', () => {
  const { stations } = defineImplementation(observatory).resources;
  expect(stations).toMatchObject({
    name: 'stations',
    idPointer: '/id',
    idPath: ['id'],
    eventFiltering: true,
  });
  expect(stations.schema).toMatchObject({
    $id: stations.schemaUrl,
    type: 'object',
    additionalProperties: false,
  });
  expect(stations.eventsByTransition.update.map(({ name }) => name)).toEqual(['station.changed']);

  const before = { id: 's1', name: 'Old' };
  const after = { id: 's1', name: 'New' };
  const [created, changed, removed] = [...stations.events.values()];
  if (created === undefined || changed === undefined || removed === undefined)
    throw new Error('three events');
  expect(eventData(created, { after })).toEqual(after);
  expect(created.schemaUrl).toBe(stations.schemaUrl);
  expect(eventData(changed, { before, after })).toBeUndefined();
  expect(eventData(removed, { before })).toEqual({ last_name: 'Old' });
  expect(eventData({ ...removed, carries: 'record' }, { before })).toEqual(before);
});

test('Zod 4, Zod 3, Standard JSON Schema and JSON Schema models say the same', () => {
  const definition = defineImplementation({
    ...observatory,
    resources: {
      four: {
        model: z.object({ id: z.string(), p: z.object({ n: z.number() }) }),
        readPermissions: ['stations:read'],
      },
      three: {
        model: z3.object({ id: z3.string(), p: z3.object({ n: z3.number() }) }),
        readPermissions: ['stations:read'],
      },
      // A function, as models of ArkType are.
      standard: { model: type({ id: 'string', p: { n: 'number' } }), readPermissions: ['stations:read'] },
      json: {
        model: {
          type: 'object',
          properties: {
            id: { type: 'string' },
            p: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
          },
          required: ['id', 'p'],
        },
        readPermissions: ['stations:read'],
      },
    },
  });
  const { four, three, standard, json } = definition.resources;
  const { $id: _, ...expected } = json.schema;
  expect(expected).toMatchObject({
    additionalProperties: false,
    properties: { p: { additionalProperties: false } },
  });
  for (const { schema } of [four, three, standard])
    expect({ ...schema, $id: undefined }).toEqual({ ...expected, $id: undefined });
});

test('tuples and recursion of Zod 3 become draft 2020-12', () => {
  type Node = { name: string; children: Node[] };
  const Node: z3.ZodType<Node> = z3.lazy(() => z3.object({ name: z3.string(), children: z3.array(Node) }));
  const { schema } = defineImplementation({
    ...observatory,
    resources: {
      trees: {
        model: z3.object({ id: z3.string(), pair: z3.tuple([Node, z3.number()]), again: Node }),
        readPermissions: ['stations:read'],
      },
    },
  }).resources.trees;
  expect(schema).toMatchObject({
    properties: {
      pair: {
        prefixItems: [
          { properties: { children: { items: { $ref: '#/properties/pair/prefixItems/0' } } } },
          {},
        ],
      },
      again: { $ref: '#/properties/pair/prefixItems/0' },
    },
  });
});

test('combined objects are closed as a whole, rules for names become patterns', () => {
  const { mixes, maps } = defineImplementation({
    ...observatory,
    resources: {
      mixes: {
        model: {
          allOf: [{ $ref: '#/$defs/named' }, { properties: { id: { type: 'string' } }, required: ['id'] }],
          $defs: { named: { type: 'object', properties: { name: { type: 'string' } } } },
        },
        readPermissions: ['stations:read'],
      },
      maps: {
        model: z.object({
          id: z.string(),
          byCode: z.record(z.string().regex(/^[A-Z]{3}$/), z.number()),
          byKind: z.partialRecord(z.enum(['a', 'b']), z.number()),
        }),
        readPermissions: ['stations:read'],
      },
    },
  }).resources;
  expect(mixes.schema).toMatchObject({ unevaluatedProperties: false });
  expect(mixes.schema['$defs']).toEqual({
    named: { type: 'object', properties: { name: { type: 'string' } } },
  });
  expect(maps.schema).toMatchObject({
    properties: {
      byCode: { patternProperties: { '^[A-Z]{3}$': { type: 'number' } }, additionalProperties: false },
      byKind: { properties: { a: { type: 'number' }, b: { type: 'number' } }, additionalProperties: false },
    },
  });
});

test('overrides win over what is derived', () => {
  const { discovery } = defineImplementation({
    ...observatory,
    urls: { websocket: 'wss://live.example/ws', jsonApi: 'https://api.example' },
    authentication: { oauth2: { metadataUrl: 'https://login.example/meta' }, discoveryPublic: false },
    limits: { maxPageSize: 10 },
    compression: true,
    alternateVersions: [{ apiVersion: '6', discoveryUrl: 'https://old.example/.well-known/rostack' }],
  });
  expect(discovery.endpoints.websocket).toBe('wss://live.example/ws');
  expect(discovery.resources[0]?.item_url_template).toBe('https://api.example/stations/{id}');
  expect(discovery.authentication.methods).toEqual([
    { type: 'oauth2', authorization_server_metadata: 'https://login.example/meta' },
  ]);
  expect(discovery.errors.http.find(({ type }) => type.endsWith('permission-denied'))?.operations).toEqual([
    'discovery',
    'list',
    'get',
  ]);
  expect(discovery.capabilities).toMatchObject({
    max_page_size: 10,
    websocket: { extensions: ['permessage-deflate'] },
  });
});

test('the schema takes the records that the model takes', () => {
  const { schema } = defineImplementation(observatory).resources.stations;
  const validate = new Ajv2020().compile(schema);
  const record = { id: 's1', name: 'N', active: true, tags: ['a'], position: { latitude: 1, longitude: 2 } };
  expect(validate(record)).toBe(true);
  expect(validate({ ...record, height: 3 })).toBe(true);
  expect(validate({ ...record, secret: 1 })).toBe(false);
  expect(validate({ ...record, position: { latitude: 1, longitude: 2, secret: 1 } })).toBe(false);
  expect(validate({ ...record, name: undefined })).toBe(false);
});

test('release 2026-08-12 has the same document without errors, by the same rules', () => {
  const older = defineImplementation({ ...observatory, release: '2026-08-12' });
  const { errors, ...rest } = defineImplementation({ ...observatory, release: '2026-08-13' }).discovery;
  expect(older.discovery).toEqual(rest);
  expect(parseDiscovery(older.discovery, { release: '2026-08-12' })).toEqual(rest);
  expect(declaredErrors(older.discovery)).toEqual(errors);
  expect(declaredErrors({ ...rest, errors: { ...errors, http: [] } }).http).toEqual([]);
  expectTypeOf(older.discovery).not.toHaveProperty('errors');
  expectTypeOf(defineImplementation(observatory).discovery).toEqualTypeOf<DiscoveryDocument>();
  expect(() => defineImplementation({ ...observatory, release: '2026-08-12', errors })).toThrow(
    'must be left out: documents of release 2026-08-12 do not declare errors',
  );
  expect(() =>
    // @ts-expect-error there is no such release
    defineImplementation({ ...observatory, release: '2026-08-14' }),
  ).toThrow('/release: must be "2026-08-12" or "2026-08-13"');
  expect(() =>
    defineImplementation({
      ...observatory,
      release: '2026-08-12',
      permissions: { ...observatory.permissions, 'any name': 'x' },
    }),
  ).toThrow('must be a permission name such as "stations:read"');
});

test('a row rule may be a function, or come with the fields that it compares', () => {
  const rule = () => 'all' as const;
  const withRule = (visible: ResourceDeclaration['visible']) => {
    const stations = { ...observatory.resources.stations, ...(visible && { visible }) };
    return defineImplementation({ ...observatory, resources: { stations } }).resources.stations;
  };
  expect(withRule(undefined)).toMatchObject({ visible: undefined, visibleFields: [] });
  expect(withRule(rule)).toMatchObject({ visible: rule, visibleFields: [] });
  const fields = [{ pointer: '/name', operator: 'eq' as const }];
  expect(withRule({ rule, fields })).toMatchObject({ visible: rule, visibleFields: fields });
});
