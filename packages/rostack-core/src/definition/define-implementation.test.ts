import { expect, test } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { thrownBy } from '../../test/support/thrown-by.ts';
import {
  auditSchemas,
  DefinitionError,
  defineImplementation,
  eventData,
  type ImplementationDeclaration,
  PROBLEM_SLUGS,
  parseDiscovery,
  WEBSOCKET_ERROR_CODES,
} from '../index.ts';

const Station = z.object({
  id: z.string(),
  name: z.string(),
  height: z.number().optional(),
  active: z.boolean(),
  tags: z.array(z.string()),
  position: z.object({ latitude: z.number(), longitude: z.number() }),
});

const observatory = {
  id: 'observatory',
  name: 'Observatory',
  apiVersion: '7',
  documentationUrl: 'https://observatory.example/docs',
  baseUrl: 'https://observatory.example/data/',
  permissions: { 'stations:read': 'Read stations', 'stations:follow': 'Follow stations' },
  resources: {
    stations: {
      description: 'Weather stations',
      model: Station,
      readPermissions: ['stations:read'],
      subscribePermissions: ['stations:follow'],
      filterable: {
        '/name': 'all',
        '/height': 'all',
        '/active': 'all',
        '/tags': 'all',
        '/position/latitude': ['gte', 'lt'],
      },
      sortable: ['/name', '/height'],
      events: {
        'station.created': { transition: 'create', description: 'Went into service' },
        'station.changed': { transition: 'update', carries: 'nothing' },
        'station.removed': {
          transition: 'delete',
          carries: {
            model: z.object({ last_name: z.string() }),
            project: ({ before }) => ({ last_name: before?.['name'] ?? '' }),
          },
        },
      },
    },
  },
} as const satisfies ImplementationDeclaration;

/** The mistakes of a declaration as `path: message`. */
function mistakes(declaration: unknown): string[] {
  const error = thrownBy(() => defineImplementation(declaration as ImplementationDeclaration));
  if (error === undefined) return [];
  if (!(error instanceof DefinitionError)) throw error;
  return error.faults.map(({ path, message }) => `${path}: ${message}`);
}

const withStation = (change: object): unknown => ({
  ...observatory,
  resources: { stations: { ...observatory.resources.stations, ...change } },
});

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

test('Zod 4, Zod 3 and JSON Schema models say the same', () => {
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
  const { four, three, json } = definition.resources;
  const { $id: _, ...expected } = json.schema;
  expect(expected).toMatchObject({
    additionalProperties: false,
    properties: { p: { additionalProperties: false } },
  });
  for (const { schema } of [four, three])
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
  const { schema } = defineImplementation({
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
  }).resources.mixes;
  expect(schema).toMatchObject({ unevaluatedProperties: false });
  expect(schema['$defs']).toEqual({ named: { type: 'object', properties: { name: { type: 'string' } } } });
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

test.each<[string, unknown, string]>([
  [
    'a member that is unknown',
    withStation({ readPermission: [] }),
    '/resources/stations/readPermission: is not a member',
  ],
  [
    'a model that is missing',
    withStation({ model: undefined }),
    '/resources/stations/model: must be a Zod model',
  ],
  [
    'a permission that is unknown',
    withStation({ readPermissions: ['x:y'] }),
    '/resources/stations/readPermissions/0: "x:y" must stand in',
  ],
  [
    'no permission to read',
    withStation({ readPermissions: [] }),
    '/resources/stations/readPermissions: must name at least one',
  ],
  [
    'a filter on no field',
    withStation({ filterable: { '/nome': 'all' } }),
    '/resources/stations/filterable/~1nome: /nome is no field',
  ],
  [
    'an operator that is none',
    withStation({ filterable: { '/name': ['like'] } }),
    '/resources/stations/filterable/~1name/0: ',
  ],
  [
    'a sort by an object',
    withStation({ sortable: ['/position'] }),
    '/resources/stations/sortable/0: /position is an array or an object',
  ],
  [
    'an id that is no string',
    withStation({ id: '/height' }),
    '/resources/stations/id: /height must be a string',
  ],
  [
    'an id that is no pointer',
    withStation({ id: 'id' }),
    '/resources/stations/id: "id" must be a JSON Pointer',
  ],
  [
    'a date in the model',
    withStation({ model: z.object({ id: z.string(), at: z.date() }) }),
    '/resources/stations/model: has no JSON Schema: ',
  ],
  [
    'an open object',
    withStation({ model: z.looseObject({ id: z.string() }) }),
    '/resources/stations/model: the schema at /additionalProperties must be false',
  ],
  [
    'a map',
    withStation({ model: z.object({ id: z.string(), m: z.record(z.string(), z.string()) }) }),
    '/resources/stations/model: the schema at /properties/m/additionalProperties must be false',
  ],
  [
    'anything goes',
    withStation({ model: z.object({ id: z.string(), any: z.unknown() }) }),
    '/resources/stations/model: the schema at /properties/any accepts objects with any members',
  ],
  [
    'another dialect',
    withStation({
      model: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: { id: { type: 'string' } },
      },
    }),
    '/resources/stations/model: is of another dialect',
  ],
  [
    'a resource name in capitals',
    { ...observatory, resources: { Stations: observatory.resources.stations } },
    '/resources/Stations: must be a resource name',
  ],
  [
    'an event name in capitals',
    withStation({ events: { Created: { transition: 'create' } } }),
    '/resources/stations/events/Created: must be an event name',
  ],
  [
    'event filtering without all events',
    withStation({ events: {}, eventFiltering: true }),
    '/resources/stations/eventFiltering: needs exactly one event',
  ],
  [
    'a plain http base',
    { ...observatory, baseUrl: 'http://observatory.example' },
    '/baseUrl: must be an absolute https URL',
  ],
  ['a page size of zero', { ...observatory, limits: { maxPageSize: 0 } }, '/limits/maxPageSize: '],
  [
    'a heartbeat that is too slow',
    { ...observatory, limits: { heartbeatTimeoutMs: 60_000 } },
    '/limits/heartbeatTimeoutMs: must be at most',
  ],
  [
    'a permission in capitals',
    { ...observatory, permissions: { ...observatory.permissions, Read: 'x' } },
    '/permissions/Read: ',
  ],
  [
    'no method of authentication',
    { ...observatory, authentication: { sharedToken: false } },
    '/authentication: must name at least one method',
  ],
  ['nothing at all', undefined, ': is required'],
])('%s is a mistake with a place', (_, declaration, expected) => {
  expect(mistakes(declaration)).toContainEqual(expect.stringContaining(expected));
});

test('a permission that is not declared does not compile', () => {
  expect(() =>
    defineImplementation({
      ...observatory,
      permissions: { 'stations:read': 'Read' },
      resources: {
        stations: {
          model: Station,
          // @ts-expect-error not in `permissions`
          readPermissions: ['stations:write'],
        },
      },
    }),
  ).toThrow(DefinitionError);
});
