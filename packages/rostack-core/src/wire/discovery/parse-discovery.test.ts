import * as fc from 'fast-check';
import { thrownBy } from 'test-support/thrown-by';
import { expect, test } from 'vitest';
import { sampleDiscovery, sampleDiscovery20260812 } from '../../../test/support/sample-discovery.ts';
import {
  checkDiscovery,
  DISCOVERY_CHECKS,
  type DiscoveryDocument,
  DiscoveryError,
  detectRelease,
  type Fault,
  parseDiscovery,
  type Release,
} from '../../index.ts';

type Station = DiscoveryDocument['resources'][number];

/** Faults of the sample after a change, as `check path`. */
function faultsOf(change: (document: DiscoveryDocument, station: Station) => void): string[] {
  const document = sampleDiscovery();
  const [station] = document.resources;
  if (station === undefined) throw new Error('the sample has a resource');
  change(document, station);
  const error = thrownBy(() => parseDiscovery(document));
  if (error === undefined) return [];
  if (!(error instanceof DiscoveryError)) throw error;
  return error.faults.map(({ check, path }) => `${check} ${path}`);
}

test('a whole document is taken as it is', () => {
  expect(parseDiscovery(sampleDiscovery())).toEqual(sampleDiscovery());
  expect(parseDiscovery(sampleDiscovery20260812(), { release: '2026-08-12' })).toEqual(
    sampleDiscovery20260812(),
  );
});

const websocket = '/capabilities/websocket';
const BROKEN: [
  check: string,
  path: string,
  change: (document: DiscoveryDocument, station: Station) => void,
][] = [
  [
    'heartbeat_timeout_within_interval',
    `${websocket}/heartbeat_timeout_ms`,
    ({ capabilities }) => (capabilities.websocket.heartbeat_timeout_ms = 30_001),
  ],
  [
    'reconnect_delays_in_order',
    `${websocket}/reconnect_max_delay_ms`,
    ({ capabilities }) => (capabilities.websocket.reconnect_min_delay_ms = 30_001),
  ],
  [
    'http_error_declared_once',
    '/errors/http/2/type',
    ({ errors }) =>
      errors.http.push({ type: 'https://spec.pmh.codes/problems/invalid-filter', operations: ['get'] }),
  ],
  [
    'websocket_error_declared_once',
    '/errors/websocket/2/code',
    ({ errors }) => errors.websocket.push({ code: 'cursor_unavailable', operations: ['session'] }),
  ],
  ['resource_name_unique', '/resources/1/name', (document, station) => document.resources.push(station)],
  [
    'url_usable',
    '/resources/0/collection_url',
    (_, station) => (station.collection_url = 'https://user:secret@observatory.example/stations'),
  ],
  ['url_usable', '/endpoints/websocket', ({ endpoints }) => (endpoints.websocket = 'wss://')],
  [
    'url_usable',
    '/alternate_versions/0/discovery_url',
    ({ alternate_versions: [other] = [] }) => other && (other.discovery_url = 'https://a.example:123456/'),
  ],
  [
    'url_usable',
    '/resources/0/events/0/schema_url',
    (_, { events: [created] }) => created && (created.schema_url = 'https:///station.json'),
  ],
  [
    'uri_valid',
    '/implementation/documentation_url',
    ({ implementation }) => (implementation.documentation_url = 'https://[v1.a]/docs'),
  ],
  [
    'whole_number_exact',
    '/capabilities/max_page_size',
    ({ capabilities }) => (capabilities.max_page_size = 2 ** 53),
  ],
  [
    'whole_number_exact',
    `${websocket}/discovery_refresh_after_ms`,
    ({ capabilities }) => (capabilities.websocket.discovery_refresh_after_ms = 1e300),
  ],
  [
    'item_url_template_usable',
    '/resources/0/item_url_template',
    (_, station) => (station.item_url_template = 'https://observatory.example/api/{id}/{!x}'),
  ],
  [
    'item_url_template_usable',
    '/resources/0/item_url_template',
    (_, station) => (station.item_url_template = 'https://{id}.observatory.example/'),
  ],
  ['json_representation', '/resources/0/representations', (_, station) => station.representations.shift()],
  [
    'media_type_valid',
    '/resources/0/representations/1/media_type',
    (_, { representations: [, geo] }) => geo && (geo.media_type = 'application/geo+json;'),
  ],
  [
    'field_pointer_valid',
    '/resources/0/filtering/sortable_fields/2',
    (_, station) => station.filtering.sortable_fields.push('/a~2'),
  ],
  [
    'field_pointer_valid',
    '/resources/0/filtering/filterable_fields/~1a~0',
    (_, station) => (station.filtering.filterable_fields['/a~'] = ['eq']),
  ],
  [
    'item_url_requires_only_id',
    '/resources/0/item_url_template',
    (_, station) => (station.item_url_template = 'https://observatory.example/api/{tenant}/{id}'),
  ],
  [
    'event_name_unique',
    '/resources/0/events/1/name',
    (_, { events: [, changed] }) => changed && (changed.name = 'station.created'),
  ],
  [
    'event_filtering_has_one_descriptor_per_transition',
    '/resources/0/event_filtering',
    (_, station) => station.events.pop(),
  ],
  [
    'permission_registered',
    '/resources/0/read_permissions/1',
    (_, station) => station.read_permissions.push('stations:write'),
  ],
  [
    'permission_registered',
    '/resources/0/subscribe_permissions/0',
    ({ authentication }) => delete authentication.permissions['stations:follow'],
  ],
  [
    'filter_operator_advertised',
    '/resources/0/filtering/filterable_fields/~1name/2',
    (_, station) => station.filtering.filterable_fields['/name']?.push('starts_with'),
  ],
  [
    'schema_url_owned',
    '/resources/0/events/0/schema_url',
    (_, { events: [created] }) => created && (created.schema_url = 'https://spec.pmh.codes/x.json'),
  ],
];

test.each(BROKEN)('%s: %s (%#)', (check, path, change) => {
  expect(faultsOf(change)).toContain(`${check} ${path}`);
});

test('every check is shown to fail', () => {
  const ofRelease = DISCOVERY_CHECKS.filter(({ releases }) => releases.includes('2026-08-13'));
  expect(new Set(BROKEN.map(([check]) => check))).toEqual(new Set(ofRelease.map(({ name }) => name)));
});

test('a permission named __proto__ is refused by a rule in release 2026-08-12, by the schema in 2026-08-13', () => {
  const permissions = (name: string) =>
    JSON.parse(`{"stations:read":"r","stations:follow":"f",${name}}`) as object;
  const faultsIn = (document: object, release: Release, name: string) => {
    Object.assign(document, {
      authentication: { ...sampleDiscovery().authentication, permissions: permissions(name) },
    });
    const error = thrownBy(() => parseDiscovery(document, { release })) as DiscoveryError | undefined;
    return error?.faults.map(({ check, path }) => `${check} ${path}`);
  };
  const path = '/authentication/permissions/__proto__';
  expect(faultsIn(sampleDiscovery20260812(), '2026-08-12', '"__proto__":"p"')).toEqual([
    `permission_name_kept ${path}`,
  ]);
  expect(faultsIn(sampleDiscovery20260812(), '2026-08-12', '"__proto__":5')).toEqual([`schema ${path}`]);
  expect(faultsIn(sampleDiscovery(), '2026-08-13', '"__proto__":"p"')).toEqual([`schema ${path}`]);
});

test('a descriptor too many for a transition breaks event filtering, and only there', () => {
  const twice = (station: Station): void => {
    const [created] = station.events;
    if (created !== undefined) station.events.push({ ...created, name: 'station.born' });
  };
  expect(faultsOf((_, station) => twice(station))).toEqual([
    'event_filtering_has_one_descriptor_per_transition /resources/0/event_filtering',
  ]);
  expect(
    faultsOf((_, station) => {
      twice(station);
      station.event_filtering = false;
    }),
  ).toEqual([]);
});

test('an item template holds {id} literally, and may hold optional query variables', () => {
  const faultsOfTemplate = (template: string) =>
    faultsOf(
      (_, station) => (station.item_url_template = `https://observatory.example/api/stations${template}`),
    );
  expect(faultsOfTemplate('/{id}{?fields}{&x}')).toEqual([]);
  for (const template of ['{?id}', '/{+id}', '/{id:3}', '/only']) {
    expect(faultsOfTemplate(template)).toEqual(['schema /resources/0/item_url_template']);
  }
});

test('a collection URL is a URL: the names of its parameters are fixed', () => {
  const faults = faultsOf((_, station) => (station.collection_url += '{?filter}'));
  expect(faults).toEqual(['schema /resources/0/collection_url']);
});

test('faults of the schema and of the checks are told together', () => {
  const faults = faultsOf((document, station) => {
    station.name = 'Stations';
    station.read_permissions.push('nobody:knows');
    document.capabilities.max_page_size = 0;
    document.capabilities.websocket.heartbeat_timeout_ms = 40_000;
    Object.assign(document, { extra: 1 });
    Reflect.deleteProperty(document.implementation, 'documentation_url');
  });
  expect(faults.toSorted()).toEqual([
    'heartbeat_timeout_within_interval /capabilities/websocket/heartbeat_timeout_ms',
    'permission_registered /resources/0/read_permissions/1',
    'schema /capabilities/max_page_size',
    'schema /extra',
    'schema /implementation/documentation_url',
    'schema /resources/0/name',
  ]);
});

test('a fault says what has to stand there', () => {
  const error = thrownBy(() =>
    parseDiscovery({ ...sampleDiscovery(), endpoints: { discovery: 'http://x', json_api: 5 } }),
  );
  expect(error).toMatchObject({ code: 'invalid_discovery', retryable: false });
  expect(error).toHaveProperty('faults', [
    {
      check: 'schema',
      path: '/endpoints/discovery',
      message: 'must be an absolute https URL',
    },
    { check: 'schema', path: '/endpoints/json_api', message: 'must be of type string' },
    { check: 'schema', path: '/endpoints/websocket', message: 'is required' },
  ] satisfies Fault[]);
});

test('what the newer release accepts, the older one accepts without `errors`', () => {
  expect(detectRelease(sampleDiscovery())).toBe('2026-08-13');
  expect(detectRelease(sampleDiscovery20260812())).toBe('2026-08-12');
  expect(thrownBy(() => parseDiscovery(sampleDiscovery20260812()))).toBeInstanceOf(DiscoveryError);
  expect(thrownBy(() => parseDiscovery(sampleDiscovery(), { release: '2026-08-12' }))).toBeInstanceOf(
    DiscoveryError,
  );
});

test('the older release takes free permission names, dialects and no documentation URL', () => {
  const document = sampleDiscovery20260812();
  const [station] = document.resources;
  document.authentication.permissions = { 'read everything': '' };
  delete document.implementation.documentation_url;
  if (station?.representations[0] !== undefined) {
    station.representations[0].schema_dialect = 'http://json-schema.org/draft-07/schema#';
    station.read_permissions = ['read everything'];
    station.subscribe_permissions = [];
  }
  expect(parseDiscovery(document, { release: '2026-08-12' })).toEqual(document);
});

test('any input gives a document or a DiscoveryError', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.anything(), fc.object()), (value) => {
      expect(thrownBy(() => parseDiscovery(value))).toBeInstanceOf(DiscoveryError);
    }),
    { numRuns: 500 },
  );
});

test('a part of any other shape is a fault, not a crash', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('capabilities', 'authentication', 'errors', 'resources'),
      fc.jsonValue(),
      (member, value) => {
        const document = {
          ...sampleDiscovery(),
          [member]: { http: value, websocket: value, permissions: value, filter_operators: value },
        };
        const error = thrownBy(() => parseDiscovery(document));
        expect(error === undefined || error instanceof DiscoveryError).toBe(true);
        expect(Array.isArray(checkDiscovery({ ...document, resources: value }))).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
});
