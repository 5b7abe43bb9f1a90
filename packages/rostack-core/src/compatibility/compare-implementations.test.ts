import * as fc from 'fast-check';
import { thrownBy } from 'test-support/thrown-by';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  type BreakingChangeKind,
  compareImplementations,
  defineImplementation,
  type ImplementationDeclaration,
  type JsonSchema,
  type RecordModel,
  type ResourceDeclaration,
} from '../index.ts';

const Station = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['land', 'sea']),
  height: z.number().min(0).optional(),
  tags: z.array(z.object({ text: z.string(), weight: z.number() })),
});

const stations: ResourceDeclaration = {
  model: Station,
  readPermissions: ['stations:read'],
  subscribePermissions: [],
  filterable: { '/name': ['eq', 'contains'], '/height': ['gte'] },
  sortable: ['/name', '/height'],
  events: {
    'station.created': { transition: 'create' },
    'station.changed': { transition: 'update' },
    'station.removed': { transition: 'delete' },
  },
  representations: [{ mediaType: 'application/geo+json', model: z.object({ id: z.string() }) }],
};

const base: ImplementationDeclaration = {
  id: 'observatory',
  name: 'Observatory',
  apiVersion: '1',
  documentationUrl: 'https://observatory.example/docs',
  baseUrl: 'https://observatory.example',
  authentication: { sharedToken: true, oauth2: { metadataUrl: 'https://login.example/meta' } },
  permissions: { 'stations:read': 'Read', 'stations:follow': 'Follow' },
  resources: { stations, sites: { model: z.object({ id: z.string() }), readPermissions: ['stations:read'] } },
};

/** Breaking changes from the base, or from stations as they are, as `kind path`. */
function changes(
  change: Partial<ImplementationDeclaration> | { station: Partial<ResourceDeclaration> },
): string[] {
  const after =
    'station' in change
      ? { ...base, resources: { ...base.resources, stations: { ...stations, ...change.station } } }
      : { ...base, ...change };
  const report = compareImplementations(defineImplementation(base), defineImplementation(after));
  return report.breakingChanges.map(({ kind, path }) => `${kind} ${path}`);
}

const record = '/resources/stations/representations/application~1json#';
const ofModel = (before: RecordModel, after: RecordModel): string[] => {
  const define = (model: RecordModel) =>
    defineImplementation({ ...base, resources: { stations: { model, readPermissions: ['stations:read'] } } });
  return compareImplementations(define(before), define(after)).breakingChanges.map(
    ({ kind, path, reason }) => `${kind} ${path.replace(record, '#')}: ${reason}`,
  );
};

test('nothing changed, nothing breaks', () => {
  expect(changes({})).toEqual([]);
});

test('what is added breaks nothing', () => {
  expect(
    changes({
      permissions: { ...base.permissions, 'more:read': 'More' },
      resources: {
        ...base.resources,
        stations: {
          ...stations,
          model: Station.extend({ colour: z.string() }),
          filterable: { ...stations.filterable, '/kind': ['eq'], '/name': ['eq', 'contains', 'starts_with'] },
        },
        more: { model: z.object({ id: z.string() }), readPermissions: ['more:read'] },
      },
    }),
  ).toEqual([]);
});

const { 'station.created': _created, ...otherEvents } = stations.events ?? {};

const REMOVALS: readonly [Parameters<typeof changes>[0], string][] = [
  [{ resources: { stations } }, 'resource_removed /resources/sites'],
  [
    { station: { representations: [] } },
    'representation_removed /resources/stations/representations/application~1geo+json',
  ],
  [{ station: { events: otherEvents } }, 'event_removed /resources/stations/events/station.created'],
  [{ station: { events: otherEvents } }, 'event_filtering_removed /resources/stations/event_filtering'],
  [
    { station: { events: { ...stations.events, 'station.created': { transition: 'update' } } } },
    'transition_changed /resources/stations/events/station.created/state_transition',
  ],
  [
    {
      station: {
        events: { ...stations.events, 'station.created': { transition: 'create', tombstone: true } },
      },
    },
    'tombstone_changed /resources/stations/events/station.created/tombstone',
  ],
  [
    {
      station: {
        events: { ...stations.events, 'station.created': { transition: 'create', carries: 'nothing' } },
      },
    },
    'type_narrowed /resources/stations/events/station.created#',
  ],
  [
    { station: { filterable: { '/name': ['eq', 'contains'] } } },
    'filterable_field_removed /resources/stations/filtering/filterable_fields/~1height',
  ],
  [
    { station: { filterable: { ...stations.filterable, '/name': ['eq'] } } },
    'filter_operator_removed /resources/stations/filtering/filterable_fields/~1name/contains',
  ],
  [
    { station: { filterable: { ...stations.filterable, '/name': ['eq'] } } },
    'filter_operator_removed /capabilities/filter_operators/contains',
  ],
  [
    { station: { sortable: ['/name'] } },
    'sortable_field_removed /resources/stations/filtering/sortable_fields/~1height',
  ],
  [
    { station: { subscribePermissions: ['stations:follow'] } },
    'permission_required /resources/stations/subscribe_permissions/stations:follow',
  ],
  [{ authentication: { sharedToken: true } }, 'authentication_method_removed /authentication/methods/oauth2'],
  [
    { permissions: { 'stations:read': 'Read' } },
    'permission_removed /authentication/permissions/stations:follow',
  ],
  [{ station: { model: Station.omit({ tags: true }) } }, `field_removed ${record}/tags`],
];

test.each(REMOVALS.map(([change, expected]) => [expected, change] as const))('%s', (expected, change) => {
  expect(changes(change)).toContain(expected);
});

test('a new name for something is the removal of the old one', () => {
  const { tags, ...shape } = Station.shape;
  const { 'station.created': created = { transition: 'create' as const } } = stations.events ?? {};
  expect(changes({ resources: { posts: stations, sites: base.resources.sites ?? stations } })).toContain(
    'resource_removed /resources/stations',
  );
  expect(changes({ station: { events: { ...otherEvents, 'station.born': created } } })).toContain(
    'event_removed /resources/stations/events/station.created',
  );
  expect(changes({ station: { model: z.object({ ...shape, labels: tags }) } })).toContain(
    `field_removed ${record}/tags`,
  );
  expect(changes({ permissions: { 'stations:read': 'Read', 'stations:watch': 'Follow' } })).toContain(
    'permission_removed /authentication/permissions/stations:follow',
  );
  expect(
    changes({
      station: {
        representations: [{ mediaType: 'application/vnd.geo+json', model: z.object({ id: z.string() }) }],
      },
    }),
  ).toContain('representation_removed /resources/stations/representations/application~1geo+json');
});

test('a field is missed in every place that carries it', () => {
  expect(
    changes({ station: { model: Station.omit({ tags: true }) } }).filter((text) => text.endsWith('/tags')),
  ).toEqual([
    `field_removed ${record}/tags`,
    'field_removed /resources/stations/events/station.created#/tags',
    'field_removed /resources/stations/events/station.changed#/tags',
    'field_removed /resources/stations/events/station.removed#/tags',
  ]);
});

test('types that change or narrow are told with what they were', () => {
  const from = (shape: z.ZodRawShape) => z.object({ id: z.string(), ...shape });
  const pairs: [z.ZodType, z.ZodType, string[]][] = [
    [z.string(), z.number(), ['type_changed #/f: was string, is number']],
    [z.string(), z.int(), expect.arrayContaining(['type_changed #/f: was string, is integer'])],
    [z.string(), z.string().nullable(), ['type_changed #/f: was string, is null or string']],
    [z.string().nullable(), z.string(), ['type_narrowed #/f: was null or string, is only string']],
    [
      z.number(),
      z.int().min(-9007199254740991).max(9007199254740991),
      expect.arrayContaining(['type_narrowed #/f: was number, is only integer']),
    ],
    [z.string(), z.string().optional(), ['field_made_optional #/f: was always there, may be missing now']],
    [z.string().optional(), z.string(), []],
    [z.enum(['a', 'b']), z.enum(['a']), ['type_narrowed #/f: the value "b" was removed']],
    [z.enum(['a']), z.enum(['a', 'b']), []],
    [z.string(), z.enum(['a']), ['type_narrowed #/f: only "a" can stand here now']],
    [z.number().min(0), z.number().min(1), ['type_narrowed #/f: minimum was 0, is 1']],
    [z.number().min(1), z.number().min(0), []],
    [z.string(), z.string().max(5), ['type_narrowed #/f: maxLength is 5 now, there was none']],
    [z.string(), z.string().regex(/^a/), ['type_narrowed #/f: pattern "^a" was added']],
    [z.array(z.string()), z.array(z.number()), ['type_changed #/f/*: was string, is number']],
    [
      z.tuple([z.string(), z.number()]),
      z.tuple([z.string(), z.string()]),
      ['type_changed #/f/1: was number, is string'],
    ],
    [
      z.object({ a: z.object({ b: z.string() }) }),
      z.object({ a: z.object({}) }),
      ['field_removed #/f/a/b: was a member of the data'],
    ],
    [
      z.discriminatedUnion('k', [
        z.object({ k: z.literal('s'), v: z.string() }),
        z.object({ k: z.literal('n'), v: z.number() }),
      ]),
      z.discriminatedUnion('k', [z.object({ k: z.literal('s'), v: z.string() })]),
      [
        'type_narrowed #/f/k: the value "n" was removed',
        'type_narrowed #/f/v: was number or string, is only string',
      ],
    ],
  ];
  for (const [before, after, expected] of pairs)
    expect(ofModel(from({ f: before }), from({ f: after })).toSorted()).toEqual(expected);
});

test('recursive models are compared once', () => {
  const tree = (leaf: z.ZodType) => {
    const node: z.ZodType = z.object({
      id: z.string(),
      leaf,
      get children() {
        return z.array(node);
      },
    });
    return node;
  };
  expect(ofModel(tree(z.string()), tree(z.string()))).toEqual([]);
  expect(ofModel(tree(z.string()), tree(z.number()))).toEqual(['type_changed #/leaf: was string, is number']);
});

test('a schema that was not given is said to be missing', () => {
  const definition = defineImplementation(base);
  const report = compareImplementations(definition, { ...definition, schemas: new Map() });
  expect(report.breakingChanges.map(({ kind }) => kind)).toContain(
    'schema_missing' satisfies BreakingChangeKind,
  );
});

test('the API version must change with a breaking change, and only then', () => {
  const before = defineImplementation(base);
  const breaking = { ...base, resources: { stations } };
  expect(compareImplementations(before, before)).toMatchObject({
    needsNewApiVersion: false,
    hasNewApiVersion: false,
    isCompatible: true,
  });
  expect(compareImplementations(before, defineImplementation(breaking))).toMatchObject({
    needsNewApiVersion: true,
    hasNewApiVersion: false,
    isCompatible: false,
  });
  expect(
    compareImplementations(before, defineImplementation({ ...breaking, apiVersion: '2' })),
  ).toMatchObject({
    needsNewApiVersion: true,
    hasNewApiVersion: true,
    isCompatible: true,
  });
});

test('schemas that double with each reference are compared in a moment', () => {
  const $defs: Record<string, JsonSchema> = { d0: { type: 'string' } };
  for (let depth = 1; depth < 60; depth += 1) {
    const $ref = `#/$defs/d${depth - 1}`;
    $defs[`d${depth}`] = { anyOf: [{ $ref }, { $ref }], allOf: [{ $ref }, { $ref }] };
  }
  const model = {
    type: 'object',
    properties: { id: { type: 'string' }, f: { $ref: '#/$defs/d59' } },
    required: ['id'],
    $defs,
  };
  expect(ofModel(model, model)).toEqual([]);
});

test('no schema makes it throw', () => {
  const definition = defineImplementation(base);
  const url = definition.resources['stations']?.schemaUrl ?? '';
  const schema = fc.dictionary(
    fc.constantFrom(
      'type',
      'properties',
      'items',
      '$ref',
      'anyOf',
      'required',
      'enum',
      'const',
      '__proto__',
      'minimum',
      'not',
      '$id',
      '$dynamicRef',
    ),
    fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom('#', url, '#/properties', ['object'], [{ $ref: '#' }]),
    ),
  );
  fc.assert(
    fc.property(schema, (value) => {
      const other = { ...definition, schemas: new Map([...definition.schemas, [url, value as JsonSchema]]) };
      expect(thrownBy(() => compareImplementations(definition, other))).toBeUndefined();
      expect(thrownBy(() => compareImplementations(other, definition))).toBeUndefined();
    }),
    { numRuns: 400 },
  );
});
