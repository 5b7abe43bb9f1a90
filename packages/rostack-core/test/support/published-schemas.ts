import type { Release } from '../../src/index.ts';

// The published schemas of both releases, stated once more by hand from the protocol's pages: nothing here comes from the models,
// so a mistake in a model, which would be in the generated files too, is a difference.

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string' };
const given: Schema = { type: 'string', minLength: 1 };
const yesOrNo: Schema = { type: 'boolean' };
const uri: Schema = { type: 'string', format: 'uri' };
const https: Schema = { ...uri, pattern: '^https://' };
const wss: Schema = { ...uri, pattern: '^wss://' };
const instant: Schema = { type: 'string', format: 'date-time' };
const is = (value: unknown): Schema => ({ const: value });
const oneOf = (...values: readonly unknown[]): Schema => ({ enum: values });
const like = (pattern: string): Schema => ({ type: 'string', pattern });
const whole = (minimum: number): Schema => ({ type: 'integer', minimum });
const list = (items: Schema, rules: Schema = {}): Schema => ({ type: 'array', items, ...rules });
const set = (items: Schema, minItems = 0): Schema => list(items, { uniqueItems: true, minItems });

/** A closed object; the names of optional members end with a question mark. */
function closed(members: Readonly<Record<string, Schema>>): Schema {
  const entries = Object.entries(members);
  return {
    type: 'object',
    additionalProperties: false,
    required: entries.map(([name]) => name).filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace('?', ''), schema])),
  };
}

const OPERATORS = 'eq ne gt gte lt lte in nin contains starts_with ends_with exists'.split(' ');
const PROBLEMS: readonly (readonly [status: number, ...titles: readonly string[]])[] = [
  [400, 'Invalid request', 'Invalid filter', 'Unsupported filter'],
  [400, 'Invalid sort', 'Invalid fields', 'Invalid cursor'],
  [401, 'Authentication required'],
  [403, 'Permission denied'],
  [404, 'Resource not found'],
  [405, 'Method not allowed'],
  [406, 'Representation not acceptable'],
  [410, 'Resource gone'],
  [429, 'Rate limited'],
  [500, 'Internal error'],
  [503, 'Service unavailable'],
];
const problemTypes = PROBLEMS.flatMap(([status, ...titles]) =>
  titles.map((title) => {
    const slug = title.toLowerCase().replaceAll(' ', '-');
    return { type: `https://spec.pmh.codes/problems/${slug}`, title, status };
  }),
);

/** Codes of an error of a connection, of a subscription, and of either. */
const OF_CONNECTION = ['invalid_message', 'authentication_failed', 'reauthentication_identity_mismatch'];
const OF_SUBSCRIPTION = [
  'permission_revoked',
  'resource_not_found',
  'unsupported_event_type',
  'unsupported_filter',
  'unsupported_encoding',
  'subscription_id_conflict',
  'cursor_scope_mismatch',
  'cursor_unavailable',
];
const OF_EITHER = ['permission_denied', 'rate_limited', 'service_unavailable', 'internal_error'];
const RETRYABLE = ['authentication_failed', 'rate_limited', 'service_unavailable', 'internal_error'];
const WITH_WAIT = ['rate_limited', 'service_unavailable'];
const CODES = [...OF_CONNECTION, ...OF_SUBSCRIPTION, ...OF_EITHER];

const isNewer = (release: Release): boolean => release === '2026-08-13';

function problem(): Schema {
  const members = {
    'detail?': text,
    'instance?': { type: 'string', format: 'uri-reference' },
    'request_id?': given,
  };
  return {
    oneOf: problemTypes.map(({ type, title, status }) =>
      closed({
        type: is(type),
        title: is(title),
        status: is(status),
        ...members,
        ...(status === 429 || status === 503 ? { retry_after_ms: whole(0) } : {}),
      }),
    ),
  };
}

function filter(release: Release): Schema {
  const scalar: Schema = { type: ['null', 'boolean', 'number', 'string'] };
  const operand = isNewer(release) ? { anyOf: [scalar, list(scalar)] } : {};
  const operands = isNewer(release) ? list(scalar) : { type: 'array' };
  const kinds: Readonly<Record<string, Schema>> = {
    in: operands,
    nin: operands,
    starts_with: text,
    ends_with: text,
    exists: yesOrNo,
  };
  const expression: Schema = { $ref: '#/$defs/expression' };
  return {
    ...expression,
    $defs: {
      expression: {
        type: 'object',
        minProperties: 1,
        properties: {
          $and: list(expression, { minItems: 1 }),
          $or: list(expression, { minItems: 1 }),
          $not: expression,
        },
        patternProperties: {
          '^/': {
            ...closed(Object.fromEntries(OPERATORS.map((name) => [`${name}?`, kinds[name] ?? operand]))),
            minProperties: 1,
          },
        },
        additionalProperties: false,
      },
    },
  };
}

function errors(): Schema {
  const declared = (name: string, values: readonly string[], operations: readonly string[]): Schema =>
    set(closed({ [name]: oneOf(...values), operations: set(oneOf(...operations), 1) }), 1);
  return closed({
    http: declared(
      'type',
      problemTypes.map(({ type }) => type),
      ['discovery', 'list', 'get'],
    ),
    websocket: declared('code', CODES, ['authenticate', 'subscribe', 'subscription', 'session']),
  });
}

function resource(release: Release): Schema {
  const schema_dialect = isNewer(release) ? is('https://json-schema.org/draft/2020-12/schema') : uri;
  const schema = { schema_url: https, schema_dialect, 'description?': text };
  return closed({
    name: like('^[a-z][a-z0-9-]*$'),
    'description?': text,
    collection_url: https,
    item_url_template: like('^https://.*\\{id\\}'),
    representations: list(closed({ media_type: like('^[^/ ]+/[^/ ]+$'), ...schema }), { minItems: 1 }),
    events: set(
      closed({
        name: like('^[a-z][a-z0-9.-]*$'),
        ...schema,
        state_transition: oneOf('create', 'update', 'delete'),
        'tombstone?': yesOrNo,
      }),
    ),
    'event_filtering?': yesOrNo,
    filtering: closed({
      filterable_fields: {
        type: 'object',
        propertyNames: { pattern: '^/' },
        additionalProperties: set(oneOf(...OPERATORS), 1),
      },
      sortable_fields: set(like('^/')),
    }),
    read_permissions: set(given, 1),
    subscribe_permissions: set(given),
  });
}

function discovery(release: Release): Schema {
  const newer = isNewer(release);
  const permission = '^[a-z][a-z0-9-]*:[a-z][a-z0-9-]*$';
  return closed({
    protocol: closed({ name: is('rostack'), version: is('rostack_v1') }),
    implementation: closed({
      id: given,
      name: given,
      api_version: given,
      [newer ? 'documentation_url' : 'documentation_url?']: uri,
    }),
    endpoints: closed({ discovery: https, json_api: https, websocket: wss }),
    authentication: closed({
      'discovery_public?': yesOrNo,
      methods: set(
        {
          oneOf: [
            closed({ type: is('oauth2'), authorization_server_metadata: https }),
            closed({
              type: is('shared_token'),
              http_authorization_scheme: is('Rostack-Token'),
              provisioning: is('out_of_band'),
              'description?': text,
            }),
          ],
        },
        1,
      ),
      permissions: {
        type: 'object',
        minProperties: 1,
        additionalProperties: newer ? given : text,
        ...(newer ? { propertyNames: { pattern: permission } } : {}),
      },
    }),
    capabilities: closed({
      filter_operators: set(oneOf(...OPERATORS)),
      max_page_size: whole(1),
      websocket: closed({
        event_encodings: { ...set(oneOf('json', 'compact-json'), 1), contains: is('json') },
        extensions: set(oneOf('permessage-deflate')),
        authentication_timeout_ms: whole(1000),
        heartbeat_interval_ms: whole(1000),
        heartbeat_timeout_ms: whole(1000),
        reconnect_min_delay_ms: whole(100),
        reconnect_max_delay_ms: whole(1000),
        discovery_refresh_after_ms: whole(1000),
      }),
    }),
    ...(newer ? { errors: errors() } : {}),
    resources: list(resource(release), { minItems: 1 }),
    'alternate_versions?': list(closed({ api_version: given, discovery_url: https })),
  });
}

function errorMessage(release: Release): Schema[] {
  const members = { type: is('error'), message: given };
  if (!isNewer(release)) {
    const free = { 'retryable?': yesOrNo, 'subscription_id?': text, 'retry_after_ms?': whole(0) };
    return [closed({ ...members, code: given, ...free })];
  }
  return CODES.map((code) =>
    closed({
      ...members,
      code: is(code),
      retryable: is(RETRYABLE.includes(code)),
      ...(OF_SUBSCRIPTION.includes(code) ? { subscription_id: given } : { 'subscription_id?': text }),
      ...(WITH_WAIT.includes(code) ? { retry_after_ms: whole(0) } : {}),
    }),
  );
}

function message(release: Release): Schema {
  const { $defs, ...filterSchema } = filter(release);
  const method = oneOf('oauth2', 'shared_token');
  const event_encoding = oneOf('json', 'compact-json');
  const of = (type: string, members: Readonly<Record<string, Schema>>) =>
    closed({ type: is(type), ...members });
  const subscription_id = given;
  return {
    $defs,
    oneOf: [
      of('authenticate', { method, token: given }),
      of('authenticated', {
        method,
        protocol_version: is('rostack_v1'),
        api_version: given,
        principal_id: given,
        'reauthenticate_at?': instant,
      }),
      of('subscribe', {
        subscription_id,
        resource: given,
        'event_types?': set(text, 1),
        'filter?': filterSchema,
        'cursor?': given,
        'event_encoding?': event_encoding,
      }),
      of('subscribed', { subscription_id, event_encoding, replaying: yesOrNo }),
      of('replay_complete', { subscription_id }),
      of('unsubscribe', { subscription_id }),
      of('event', {
        subscription_id,
        event_id: given,
        cursor: given,
        occurred_at: instant,
        event_type: given,
        resource_id: given,
        resource_version: given,
        'detail_url?': https,
        'data?': {},
      }),
      {
        type: 'array',
        minItems: 8,
        maxItems: 10,
        prefixItems: [
          is('e'),
          given,
          given,
          given,
          whole(0),
          given,
          given,
          given,
          { anyOf: [https, { type: 'null' }] },
        ],
      },
      ...errorMessage(release),
      of('go_away', {
        reason: given,
        reconnect_after_ms: whole(0),
        drain_timeout_ms: whole(0),
        'gateway_url?': wss,
      }),
      of('ping', { id: given }),
      of('pong', { id: given }),
    ],
  };
}

/** The schemas of a release, by the names of its files; 2026-08-12 has none of problems. */
export const publishedSchemas = (release: Release): Readonly<Record<string, Schema>> => ({
  discovery: discovery(release),
  filter: filter(release),
  'websocket-message': message(release),
  ...(isNewer(release) ? { problem: problem() } : {}),
});
