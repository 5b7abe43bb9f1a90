import {
  type DiscoveryDocument,
  FILTER_OPERATOR_NAMES,
  type JsonObject,
  type JsonSchema,
  parseDiscovery,
  problemTypeUri,
  SCHEMA_DIALECT,
  WEBSOCKET_ERROR_CODES,
  WEBSOCKET_OPERATIONS,
} from 'rostack-core';
import type { ServedImplementation } from 'rostack-server';
import type { ResourceDefinition } from 'rostack-store';

const BASE = 'https://observatory.example';

export interface SampleOptions {
  /** @default both */
  readonly encodings?: readonly ('json' | 'compact-json')[];
  readonly extensions?: readonly 'permessage-deflate'[];
  readonly authenticationTimeoutMs?: number;
  readonly heartbeatIntervalMs?: number;
  readonly heartbeatTimeoutMs?: number;
  /** @default shared_token */
  readonly methods?: readonly ('shared_token' | 'oauth2')[];
}

const descriptor = (name: string, state_transition: 'create' | 'update' | 'delete', schema = 'station') => ({
  name,
  schema_url: `${BASE}/schemas/${schema}.json`,
  schema_dialect: SCHEMA_DIALECT,
  state_transition,
  ...(state_transition === 'delete' ? { tombstone: true } : {}),
});

const resource = (name: string, members: JsonObject): JsonObject => ({
  name,
  collection_url: `${BASE}/api/${name}`,
  item_url_template: `${BASE}/api/${name}/{id}`,
  representations: [
    {
      media_type: 'application/json',
      schema_url: `${BASE}/schemas/station.json`,
      schema_dialect: SCHEMA_DIALECT,
    },
  ],
  events: [],
  filtering: { filterable_fields: {}, sortable_fields: [] },
  read_permissions: ['stations:read'],
  subscribe_permissions: [],
  ...members,
});

/** An implementation with a filtered resource, one with several events per transition, one without events. */
export function sampleDiscovery(options: SampleOptions = {}): DiscoveryDocument {
  const { methods = ['shared_token'] } = options;
  return parseDiscovery({
    protocol: { name: 'rostack', version: 'rostack_v1' },
    implementation: {
      id: 'observatory',
      name: 'Observatory',
      api_version: '1',
      documentation_url: `${BASE}/docs`,
    },
    endpoints: {
      discovery: `${BASE}/.well-known/rostack`,
      json_api: `${BASE}/api`,
      websocket: 'wss://observatory.example/gateway',
    },
    authentication: {
      discovery_public: true,
      methods: methods.map((type) =>
        type === 'oauth2'
          ? { type, authorization_server_metadata: `${BASE}/.well-known/oauth-authorization-server` }
          : { type, http_authorization_scheme: 'Rostack-Token', provisioning: 'out_of_band' },
      ),
      permissions: {
        'stations:read': 'Read stations',
        'stations:subscribe': 'Subscribe to stations',
      },
    },
    capabilities: {
      filter_operators: [...FILTER_OPERATOR_NAMES],
      max_page_size: 100,
      websocket: {
        event_encodings: options.encodings ?? ['json', 'compact-json'],
        extensions: options.extensions ?? [],
        authentication_timeout_ms: options.authenticationTimeoutMs ?? 5_000,
        heartbeat_interval_ms: options.heartbeatIntervalMs ?? 30_000,
        heartbeat_timeout_ms: options.heartbeatTimeoutMs ?? 10_000,
        reconnect_min_delay_ms: 100,
        reconnect_max_delay_ms: 1_000,
        discovery_refresh_after_ms: 60_000,
      },
    },
    errors: {
      http: [{ type: problemTypeUri('internal-error'), operations: ['discovery', 'list', 'get'] }],
      websocket: WEBSOCKET_ERROR_CODES.map((code) => ({ code, operations: WEBSOCKET_OPERATIONS })),
    },
    resources: [
      resource('stations', {
        events: [
          descriptor('station.created', 'create'),
          descriptor('station.updated', 'update'),
          descriptor('station.deleted', 'delete'),
        ],
        event_filtering: true,
        filtering: {
          filterable_fields: {
            '/city': [...FILTER_OPERATOR_NAMES],
            '/height': ['eq', 'gt', 'gte', 'lt', 'lte', 'in'],
          },
          sortable_fields: ['/city'],
        },
        subscribe_permissions: ['stations:subscribe'],
      }),
      resource('alerts', {
        events: [
          descriptor('alert.raised', 'create', 'alert-event'),
          descriptor('alert.changed', 'update', 'alert-event'),
          descriptor('alert.escalated', 'update', 'alert-event'),
        ],
      }),
      resource('archives', {}),
    ],
  });
}

export const STATION_SCHEMA: JsonSchema = {
  $schema: SCHEMA_DIALECT,
  $id: `${BASE}/schemas/station.json`,
  type: 'object',
  properties: {
    id: { type: 'string' },
    city: { type: ['string', 'null'] },
    height: { type: 'number' },
    note: { type: 'string' },
  },
  required: ['id'],
  additionalProperties: false,
};

/** Narrower than the record's schema: events of higher stations break it. */
export const ALERT_EVENT_SCHEMA: JsonSchema = {
  $schema: SCHEMA_DIALECT,
  $id: `${BASE}/schemas/alert-event.json`,
  type: 'object',
  properties: {
    id: { type: 'string' },
    city: { type: ['string', 'null'] },
    height: { type: 'number', maximum: 100 },
    note: { type: 'string' },
  },
  additionalProperties: false,
};

export const SAMPLE_SCHEMAS: ReadonlyMap<string, JsonSchema> = new Map([
  [`${BASE}/schemas/station.json`, STATION_SCHEMA],
  [`${BASE}/schemas/alert-event.json`, ALERT_EVENT_SCHEMA],
]);

/** What the store has to know of the sample's resources. */
export const SAMPLE_RESOURCES: readonly ResourceDefinition[] = [
  {
    name: 'stations',
    schema: STATION_SCHEMA,
    idPointer: '/id',
    events: [
      { name: 'station.created', transition: 'create' },
      { name: 'station.updated', transition: 'update' },
      { name: 'station.deleted', transition: 'delete' },
    ],
    filterableFields: {
      '/city': [...FILTER_OPERATOR_NAMES],
      '/height': ['eq', 'gt', 'gte', 'lt', 'lte', 'in'],
    },
    sortableFields: ['/city'],
  },
  {
    name: 'alerts',
    schema: STATION_SCHEMA,
    idPointer: '/id',
    events: [
      { name: 'alert.raised', transition: 'create' },
      { name: 'alert.changed', transition: 'update' },
      { name: 'alert.escalated', transition: 'update' },
    ],
  },
  { name: 'archives', schema: STATION_SCHEMA, idPointer: '/id' },
];

/** A document written by hand with its schemas; every row and field of each resource is visible. */
export const sampleImplementation = (discovery = sampleDiscovery()): ServedImplementation => ({
  discovery,
  schemas: SAMPLE_SCHEMAS,
  resources: Object.fromEntries(
    discovery.resources.map(({ name }) => [
      name,
      {
        visible: undefined,
        hidden: [],
        requires: {},
        schema: STATION_SCHEMA,
        schemaUrl: `${BASE}/schemas/station.json`,
      },
    ]),
  ),
});
