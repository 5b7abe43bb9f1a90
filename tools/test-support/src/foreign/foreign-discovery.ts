import type { ForeignResource, ForeignStyle, JsonRecord } from './foreign-style.ts';

export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const PROBLEMS = 'https://spec.pmh.codes/problems';

export const schemaUrl = (base: string, { name }: ForeignResource, part: 'record' | 'event'): string =>
  `${base}/schemas/${name}-${part}.json`;

/** What a stand-in says of itself. @param base its origin, with https */
export function foreignDiscovery(style: ForeignStyle, base: string): JsonRecord {
  const { id, name, apiVersion, release, permission } = style;
  return {
    protocol: { name: 'rostack', version: 'rostack_v1' },
    implementation: { id, name, api_version: apiVersion, documentation_url: `${base}/docs` },
    endpoints: {
      discovery: `${base}/.well-known/rostack`,
      json_api: `${base}/api`,
      websocket: `${base.replace('https', 'wss')}/gateway`,
    },
    authentication: {
      methods: [
        { type: 'shared_token', http_authorization_scheme: 'Rostack-Token', provisioning: 'out_of_band' },
      ],
      permissions: { [permission]: 'Read everything' },
    },
    capabilities: {
      filter_operators: style.filterOperators,
      max_page_size: style.maxPageSize,
      websocket: {
        event_encodings: style.encodings,
        extensions: [],
        authentication_timeout_ms: 2_000,
        heartbeat_interval_ms: 30_000,
        heartbeat_timeout_ms: 10_000,
        reconnect_min_delay_ms: 100,
        reconnect_max_delay_ms: 5_000,
        discovery_refresh_after_ms: 60_000,
      },
    },
    ...(release === '2026-08-13' && { errors: ERRORS }),
    resources: style.resources.map((resource) => describe(resource, style, base)),
  };
}

function describe(resource: ForeignResource, { permission }: ForeignStyle, base: string): JsonRecord {
  const { name, description, filterable, eventNames, eventSchema } = resource;
  const record = { schema_url: schemaUrl(base, resource, 'record'), schema_dialect: DIALECT };
  const event = eventSchema === undefined ? record.schema_url : schemaUrl(base, resource, 'event');
  return {
    name,
    ...(description !== undefined && { description }),
    collection_url: `${base}/api/${name}`,
    item_url_template: `${base}/api/${name}/{id}`,
    representations: [{ media_type: 'application/json', ...record }],
    events: Object.entries(eventNames).map(([transition, eventName]) => ({
      name: eventName,
      schema_url: event,
      schema_dialect: DIALECT,
      state_transition: transition,
    })),
    ...(filterable !== undefined && { event_filtering: true }),
    filtering: { filterable_fields: filterable ?? {}, sortable_fields: [] },
    read_permissions: [permission],
    subscribe_permissions: [],
  };
}

const EVERYWHERE = ['discovery', 'list', 'get'];
const READING = ['list', 'get'];

/** No `invalid-filter` and no `unsupported-filter`: there are no filters. */
const ERRORS: JsonRecord = {
  http: [
    { type: `${PROBLEMS}/invalid-request`, operations: READING },
    { type: `${PROBLEMS}/invalid-sort`, operations: ['list'] },
    { type: `${PROBLEMS}/invalid-fields`, operations: READING },
    { type: `${PROBLEMS}/invalid-cursor`, operations: ['list'] },
    { type: `${PROBLEMS}/authentication-required`, operations: READING },
    { type: `${PROBLEMS}/resource-not-found`, operations: ['get'] },
    { type: `${PROBLEMS}/method-not-allowed`, operations: EVERYWHERE },
    { type: `${PROBLEMS}/representation-not-acceptable`, operations: EVERYWHERE },
  ],
  websocket: [
    { code: 'invalid_message', operations: ['authenticate', 'subscribe', 'session'] },
    { code: 'authentication_failed', operations: ['authenticate'] },
    { code: 'reauthentication_identity_mismatch', operations: ['authenticate'] },
    { code: 'resource_not_found', operations: ['subscribe'] },
    { code: 'unsupported_event_type', operations: ['subscribe'] },
    { code: 'unsupported_filter', operations: ['subscribe'] },
    { code: 'unsupported_encoding', operations: ['subscribe'] },
    { code: 'subscription_id_conflict', operations: ['subscribe'] },
    { code: 'cursor_scope_mismatch', operations: ['subscribe'] },
    { code: 'cursor_unavailable', operations: ['subscribe', 'subscription'] },
  ],
};
