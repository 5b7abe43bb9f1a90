import type { DiscoveryDocument, DiscoveryDocument20260812 } from '../../src/index.ts';

const schema_dialect = 'https://json-schema.org/draft/2020-12/schema';

/** A valid document of release 2026-08-13 that uses every optional member. */
export function sampleDiscovery(): DiscoveryDocument {
  return {
    protocol: { name: 'rostack', version: 'rostack_v1' },
    implementation: {
      id: 'observatory',
      name: 'Observatory',
      api_version: '7',
      documentation_url: 'https://observatory.example/docs',
    },
    endpoints: {
      discovery: 'https://observatory.example/.well-known/rostack',
      json_api: 'https://observatory.example/api',
      websocket: 'wss://observatory.example/gateway',
    },
    authentication: {
      discovery_public: true,
      methods: [
        {
          type: 'oauth2',
          authorization_server_metadata:
            'https://login.observatory.example/.well-known/oauth-authorization-server',
        },
        {
          type: 'shared_token',
          http_authorization_scheme: 'Rostack-Token',
          provisioning: 'out_of_band',
          description: 'Ask the operator.',
        },
      ],
      permissions: { 'stations:read': 'Read stations', 'stations:follow': 'Follow stations' },
    },
    capabilities: {
      filter_operators: ['eq', 'ne', 'gt', 'gte', 'in', 'contains', 'exists'],
      max_page_size: 200,
      websocket: {
        event_encodings: ['json', 'compact-json'],
        extensions: ['permessage-deflate'],
        authentication_timeout_ms: 10_000,
        heartbeat_interval_ms: 30_000,
        heartbeat_timeout_ms: 10_000,
        reconnect_min_delay_ms: 500,
        reconnect_max_delay_ms: 30_000,
        discovery_refresh_after_ms: 3_600_000,
      },
    },
    errors: {
      http: [
        { type: 'https://spec.pmh.codes/problems/invalid-filter', operations: ['list'] },
        { type: 'https://spec.pmh.codes/problems/internal-error', operations: ['discovery', 'list', 'get'] },
      ],
      websocket: [
        { code: 'invalid_message', operations: ['authenticate', 'session'] },
        { code: 'cursor_unavailable', operations: ['subscribe', 'subscription'] },
      ],
    },
    resources: [
      {
        name: 'stations',
        description: 'Weather stations',
        collection_url: 'https://observatory.example/api/stations',
        item_url_template: 'https://observatory.example/api/stations/{id}{?fields}',
        representations: [
          {
            media_type: 'application/json',
            schema_url: 'https://observatory.example/schemas/7/stations.schema.json',
            schema_dialect,
            description: 'The whole record',
          },
          {
            media_type: 'application/geo+json',
            schema_url: 'https://observatory.example/schemas/7/stations.geo.schema.json',
            schema_dialect,
          },
        ],
        events: [
          {
            name: 'station.created',
            schema_url: 'https://observatory.example/schemas/7/stations.schema.json',
            schema_dialect,
            description: 'A station went into service',
            state_transition: 'create',
            tombstone: false,
          },
          {
            name: 'station.changed',
            schema_url: 'https://observatory.example/schemas/7/stations.schema.json',
            schema_dialect,
            state_transition: 'update',
          },
          {
            name: 'station.removed',
            schema_url: 'https://observatory.example/schemas/7/stations.schema.json',
            schema_dialect,
            state_transition: 'delete',
            tombstone: true,
          },
        ],
        event_filtering: true,
        filtering: {
          filterable_fields: { '/name': ['eq', 'contains'], '/position/height': ['eq', 'gt', 'gte'] },
          sortable_fields: ['/name', '/position/height'],
        },
        read_permissions: ['stations:read'],
        subscribe_permissions: ['stations:follow'],
      },
    ],
    alternate_versions: [
      { api_version: '6', discovery_url: 'https://old.observatory.example/.well-known/rostack' },
    ],
  };
}

/** The same as a document of release 2026-08-12. */
export function sampleDiscovery20260812(): DiscoveryDocument20260812 {
  const { errors: _, ...rest } = sampleDiscovery();
  return rest;
}
