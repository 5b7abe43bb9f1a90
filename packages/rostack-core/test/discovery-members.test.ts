import { thrownBy } from 'test-support/thrown-by';
import { describe, expect, test } from 'vitest';
import { DiscoveryError, parseDiscovery, RELEASES, type Release, resolvePointer } from '../src/index.ts';
import { sampleDiscovery, sampleDiscovery20260812 } from './support/sample-discovery.ts';

/** What is known of a member of discovery documents. Values are refused and taken in its place, everything else being right. */
interface Member {
  readonly at: string;
  readonly isOptional?: true | Release;
  readonly refused: readonly unknown[];
  readonly taken?: readonly unknown[];
  /** What 2026-08-12 takes and 2026-08-13 refuses. */
  readonly takenBefore?: readonly unknown[];
  /** Members that 2026-08-12 does not have. */
  readonly isNew?: true;
  readonly isObject?: true;
}

const dialect = 'https://json-schema.org/draft/2020-12/schema';
const notText = [1, null, {}, []];
const notGiven = [...notText, ''];
const notHttps = [...notGiven, 'http://a.example/', 'a.example', '/a', 'wss://a.example/'];
const notList = [null, 'a', 1, {}];
const notObject = [null, 'a', 1, []];
const object = (at: string, isOptional?: true): Member => ({
  at,
  isObject: true,
  refused: notObject,
  ...(isOptional && { isOptional }),
});
const given = (at: string, ...taken: unknown[]): Member => ({
  at,
  refused: notGiven,
  taken: ['x', ...taken],
});
const free = (at: string): Member => ({ at, isOptional: true, refused: notText, taken: ['', 'x'] });
const https = (at: string): Member => ({
  at,
  refused: notHttps,
  taken: ['https://b.example/x?y=1', 'https://b.example:8443/'],
});
const is = (at: string, value: string): Member => ({
  at,
  refused: [...notGiven, 'x', value.toUpperCase(), `${value} `],
  taken: [value],
});
const atLeast = (at: string, least: number): Member => ({
  at,
  refused: [null, String(least), [], least - 1, least + 0.5, -least, 2 ** 53],
  taken: [least],
});
const schemaUrl = (at: string): Member => ({
  ...https(at),
  takenBefore: ['https://spec.pmh.codes', 'https://spec.pmh.codes/x.json'],
});
const schemaDialect = (at: string): Member => ({
  at,
  refused: [...notGiven, '2020-12', 'draft-07'],
  taken: [dialect],
  takenBefore: ['http://json-schema.org/draft-07/schema#', `${dialect}#`],
});
const flag = (at: string): Member => ({ at, isOptional: true, refused: [null, 0, 'true', []] });

const MEMBERS: readonly Member[] = [
  object('/protocol'),
  is('/protocol/name', 'rostack'),
  is('/protocol/version', 'rostack_v1'),
  object('/implementation'),
  given('/implementation/id', 'anything: at all'),
  given('/implementation/name'),
  given('/implementation/api_version', '2026-08', 'v1', '7.0 beta'),
  {
    at: '/implementation/documentation_url',
    isOptional: '2026-08-12',
    refused: [...notGiven, 'docs', '/docs', 'a b'],
    taken: ['http://a.example/', 'urn:x:y', 'https://a.example/docs#top'],
  },
  object('/endpoints'),
  https('/endpoints/discovery'),
  https('/endpoints/json_api'),
  {
    at: '/endpoints/websocket',
    refused: [...notGiven, 'ws://a.example/', 'https://a.example/', 'a.example'],
    taken: ['wss://a.example/', 'wss://a.example:1/x?y'],
  },
  object('/authentication'),
  { ...flag('/authentication/discovery_public'), taken: [true, false] },
  {
    at: '/authentication/methods',
    refused: [
      ...notList,
      [],
      [{ type: 'oauth2' }],
      [{ type: 'basic' }],
      ['oauth2'],
      ...[sampleDiscovery().authentication.methods[0]].map((method) => [method, method]),
    ],
    taken: sampleDiscovery().authentication.methods.map((method) => [method]),
  },
  { at: '/authentication/methods/0/type', refused: [...notGiven, 'shared_token', 'oauth', 'OAUTH2'] },
  https('/authentication/methods/0/authorization_server_metadata'),
  { at: '/authentication/methods/1/type', refused: [...notGiven, 'oauth2', 'basic'] },
  is('/authentication/methods/1/http_authorization_scheme', 'Rostack-Token'),
  is('/authentication/methods/1/provisioning', 'out_of_band'),
  free('/authentication/methods/1/description'),
  {
    at: '/authentication/permissions',
    refused: [...notObject, {}, { 'stations:read': 1, 'stations:follow': 'f' }],
    taken: [{ 'stations:read': 'r', 'stations:follow': 'f', 'a-1:b-2': 'x' }],
    takenBefore: [
      '',
      'Stations:read',
      'stations',
      'stations:',
      ':read',
      'a:b:c',
      '1a:b',
      'a:b c',
      'read all',
    ].map((name) => ({ 'stations:read': 'r', 'stations:follow': 'f', [name]: 'x' })),
  },
  {
    at: '/authentication/permissions/stations:follow',
    refused: notText,
    taken: ['x'],
    takenBefore: [''],
  },
  object('/capabilities'),
  {
    at: '/capabilities/filter_operators',
    refused: [...notList, ['eq', 'eq'], ['like'], ['EQ'], [null]],
    taken: [[...sampleDiscovery().capabilities.filter_operators, 'ne', 'lt'].filter(unique)],
  },
  atLeast('/capabilities/max_page_size', 1),
  object('/capabilities/websocket'),
  {
    at: '/capabilities/websocket/event_encodings',
    refused: [...notList, [], ['compact-json'], ['json', 'json'], ['json', 'cbor']],
    taken: [['json'], ['compact-json', 'json']],
  },
  {
    at: '/capabilities/websocket/extensions',
    refused: [...notList, ['permessage-deflate', 'permessage-deflate'], ['permessage-bzip2']],
    taken: [[], ['permessage-deflate']],
  },
  atLeast('/capabilities/websocket/authentication_timeout_ms', 1_000),
  {
    at: '/capabilities/websocket/heartbeat_interval_ms',
    refused: [null, '1000', 999, 1_000.5, 9_999],
    taken: [10_000, 10_001],
  },
  { ...atLeast('/capabilities/websocket/heartbeat_timeout_ms', 1_000), taken: [1_000, 30_000] },
  { ...atLeast('/capabilities/websocket/reconnect_min_delay_ms', 100), taken: [100, 30_000] },
  {
    at: '/capabilities/websocket/reconnect_max_delay_ms',
    refused: [null, '1000', 999, 1_000.5, 499],
    taken: [1_000],
  },
  atLeast('/capabilities/websocket/discovery_refresh_after_ms', 1_000),
  { ...object('/errors'), isNew: true },
  {
    at: '/errors/http',
    isNew: true,
    refused: [
      ...notList,
      [],
      ...[sampleDiscovery().errors.http[0]].flatMap((declared) => [
        [declared, declared],
        [declared, { ...declared, operations: ['get'] }],
      ]),
    ],
  },
  { at: '/errors/http/0/type', isNew: true, refused: [...notGiven, 'invalid-filter', 'about:blank'] },
  {
    at: '/errors/http/0/operations',
    isNew: true,
    refused: [...notList, [], ['list', 'list'], ['put'], ['subscribe']],
    taken: [['discovery', 'list', 'get'], ['get']],
  },
  {
    at: '/errors/websocket',
    isNew: true,
    refused: [
      ...notList,
      [],
      ...[sampleDiscovery().errors.websocket[0]].flatMap((declared) => [
        [declared, declared],
        [declared, { ...declared, operations: ['subscribe'] }],
      ]),
    ],
  },
  { at: '/errors/websocket/0/code', isNew: true, refused: [...notGiven, 'teapot', 'invalid-message'] },
  {
    at: '/errors/websocket/0/operations',
    isNew: true,
    refused: [...notList, [], ['session', 'session'], ['list']],
    taken: [['authenticate', 'subscribe', 'subscription', 'session']],
  },
  { at: '/resources', refused: [...notList, [], [{}], [1]] },
  {
    at: '/resources/0/name',
    refused: [...notGiven, 'Stations', '1a', '-a', 'a.b', 'a b', 'a_b'],
    taken: ['a', 'a-1-b'],
  },
  free('/resources/0/description'),
  https('/resources/0/collection_url'),
  {
    at: '/resources/0/item_url_template',
    refused: [
      ...notGiven,
      'http://a.example/{id}',
      'https://a.example/',
      'https://a.example/{+id}',
      'https://a.example/{?id}',
      'https://a.example/{id}/{',
      'https://a.example/{other}/{id}',
      'https://{id}.example/',
    ],
    taken: ['https://a.example/{id}', 'https://a.example/x?id={id}', 'https://a.example/{id}{?fields}'],
  },
  { at: '/resources/0/representations', refused: [...notList, [], [{}]] },
  {
    at: '/resources/0/representations/1/media_type',
    refused: [...notGiven, 'json', '/json', 'application/', 'application /json', 'application/a;'],
    taken: ['application/geo+json', 'text/csv;charset=utf-8'],
  },
  schemaUrl('/resources/0/representations/1/schema_url'),
  schemaDialect('/resources/0/representations/1/schema_dialect'),
  free('/resources/0/representations/1/description'),
  { at: '/resources/0/events', refused: [...notList, [1], [{}]] },
  {
    at: '/resources/0/events/0/name',
    refused: [...notGiven, 'Created', '1a', '.a', 'a b', 'a_b', 'station.changed'],
    taken: ['created', 'station.created-2'],
  },
  schemaUrl('/resources/0/events/0/schema_url'),
  schemaDialect('/resources/0/events/0/schema_dialect'),
  free('/resources/0/events/0/description'),
  {
    at: '/resources/0/events/0/state_transition',
    refused: [...notGiven, 'created', 'CREATE', 'upsert'],
    taken: ['create'],
  },
  { ...flag('/resources/0/events/0/tombstone'), taken: [true, false] },
  { ...flag('/resources/0/event_filtering'), taken: [true, false] },
  object('/resources/0/filtering'),
  {
    at: '/resources/0/filtering/filterable_fields',
    refused: [
      ...notObject,
      { name: ['eq'] },
      { '': ['eq'] },
      { '/name': [] },
      { '/name': ['eq', 'eq'] },
      { '/name': ['like'] },
      { '/name': ['lte'] },
      { '/a~2': ['eq'] },
    ],
    taken: [{}, { '/': ['eq'], '/a~1b/c': ['ne', 'exists'] }],
  },
  {
    at: '/resources/0/filtering/sortable_fields',
    refused: [...notList, ['name'], [''], ['/name', '/name'], ['/a~2'], [1]],
    taken: [[], ['/', '/a~1b/c']],
  },
  {
    at: '/resources/0/read_permissions',
    refused: [...notList, [], [''], ['stations:read', 'stations:read'], ['stations:write'], [1]],
    taken: [['stations:follow', 'stations:read']],
  },
  {
    at: '/resources/0/subscribe_permissions',
    refused: [...notList, [''], ['stations:read', 'stations:read'], ['stations:write'], [1]],
    taken: [[], ['stations:follow', 'stations:read']],
  },
  {
    at: '/alternate_versions',
    isOptional: true,
    refused: [...notList, [1], [{}]],
    taken: [[], [{ api_version: '6', discovery_url: 'https://a.example/6' }]],
  },
  given('/alternate_versions/0/api_version'),
  https('/alternate_versions/0/discovery_url'),
];

function unique<T>(value: T, index: number, all: readonly T[]): boolean {
  return all.indexOf(value) === index;
}

const path = (at: string): string[] => at.split('/').slice(1);

/** A valid document of the release in which the objects at all pointers above are there. */
function sample(release: Release): object {
  const document = release === '2026-08-13' ? sampleDiscovery() : sampleDiscovery20260812();
  return { ...document, alternate_versions: [{ api_version: '6', discovery_url: 'https://a.example/6' }] };
}

/** What comes of the document with the change: the places of its faults. */
function faults(
  release: Release,
  at: string,
  change: (holder: Record<string, unknown>, name: string) => void,
) {
  const document = sample(release);
  const keys = path(at);
  const holder = resolvePointer(document as never, keys.slice(0, -1)) as Record<string, unknown> | undefined;
  if (holder === undefined) throw new Error(`the sample has nothing at ${at}`);
  change(holder, keys.at(-1) ?? '');
  const error = thrownBy(() => parseDiscovery(document, { release }));
  if (error !== undefined && !(error instanceof DiscoveryError)) throw error;
  return error?.faults ?? [];
}

const put = (value: unknown) => (holder: Record<string, unknown>, name: string) => {
  holder[name] = value;
};

describe.each(RELEASES)('a discovery document of release %s', (release) => {
  const isOld = release === '2026-08-12';

  test.each(MEMBERS.filter(({ isNew }) => isNew === undefined || !isOld))('$at', (member) => {
    const { at, isOptional, isObject, refused, taken = [], takenBefore = [] } = member;
    expect(faults(release, at, () => {})).toEqual([]);
    const mayBeMissing = isOptional === true || isOptional === release;
    const without = faults(release, at, (holder, name) => Reflect.deleteProperty(holder, name));
    // A permission that is not registered is missed where it is used.
    const isMissedElsewhere = at.startsWith('/authentication/permissions/');
    const isMissedHere = without.some(({ path: where }) => where === at);
    expect([at, without.length === 0, isMissedHere]).toEqual([
      at,
      mayBeMissing,
      !mayBeMissing && !isMissedElsewhere,
    ]);
    for (const value of [...refused, ...(isOld ? [] : takenBefore)])
      expect([value, faults(release, at, put(value)).length > 0]).toEqual([value, true]);
    for (const value of [...taken, ...(isOld ? takenBefore : [])])
      expect([value, faults(release, at, put(value))]).toEqual([value, []]);
    const unknown = isObject === true ? faults(release, `${at}/unknown`, put(1)) : [];
    expect(unknown.map(({ check, path: where }) => `${check} ${where}`)).toEqual(
      isObject === true ? [`schema ${at}/unknown`] : [],
    );
  });

  test('an unknown member is refused in every object', () => {
    const objects = [
      '',
      '/authentication/methods/0',
      '/authentication/methods/1',
      '/resources/0',
      '/resources/0/events/0',
    ];
    objects.push('/resources/0/representations/0', '/alternate_versions/0');
    if (!isOld) objects.push('/errors/http/0', '/errors/websocket/0');
    for (const at of objects) {
      const unknown = faults(release, `${at}/unknown`, put(1));
      expect([at, unknown.length > 0]).toEqual([at, true]);
    }
  });
});

test('errors are a member of release 2026-08-13 alone, which requires them', () => {
  const { errors } = sampleDiscovery();
  expect(faults('2026-08-12', '/errors', put(errors)).map(({ path: at }) => at)).toEqual(['/errors']);
  expect(
    faults('2026-08-13', '/errors', (document) => Reflect.deleteProperty(document, 'errors')).map(
      ({ path: at }) => at,
    ),
  ).toEqual(['/errors']);
});
