import { type JsonObject, type JsonValue, SPEC_BASE_URL } from 'rostack-core';
import { documentMembers } from '../../../src/checks/speaks/document-members.ts';
import type { Mutant } from '../mutant.ts';
import { bodies, membersOf } from './answers.ts';

/** What else a document breaks that registers no permissions. */
const UNREGISTERED = ['discovery.rule.permission_registered', 'permission.registered'];

/** Requirements that say of a member what the one of the member says, or that are broken without it. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  errors: ['release.errors.required'],
  'errors.http': ['release.bounds.error-lists'],
  'errors.websocket': ['release.bounds.error-lists'],
  'implementation.documentation_url': ['release.documentation-url'],
  authentication: UNREGISTERED,
  'authentication.permissions': ['release.permission-names', ...UNREGISTERED],
  capabilities: ['discovery.rule.filter_operator_advertised'],
  'capabilities.filter_operators': ['discovery.rule.filter_operator_advertised'],
  'resources.representations.media_type': ['discovery.rule.json_representation'],
  'resources.events': ['discovery.rule.event_filtering_has_one_descriptor_per_transition'],
  'resources.events.state_transition': ['discovery.rule.event_filtering_has_one_descriptor_per_transition'],
  'resources.representations.schema_dialect': ['release.schema-dialect'],
  'resources.events.schema_dialect': ['release.schema-dialect'],
  'resources.representations.schema_url': ['discovery.schemas.https'],
  'resources.events.schema_url': ['discovery.schemas.https'],
};

/** Members that the reference does not have; what they stand in has to be there. */
const ABSENT: Readonly<Record<string, (document: JsonObject) => JsonObject>> = {
  'authentication.methods.authorization_server_metadata': withOAuth,
  alternate_versions: (document) => document,
  'alternate_versions.api_version': withAlternative,
  'alternate_versions.discovery_url': withAlternative,
};

function withOAuth(document: JsonObject): JsonObject {
  const method = { type: 'oauth2', authorization_server_metadata: 'https://localhost/metadata' };
  return atPath(document, ['authentication', 'methods'], () => [method]);
}

function withAlternative(document: JsonObject): JsonObject {
  const other = { api_version: '0', discovery_url: 'https://localhost/.well-known/rostack' };
  return { ...document, alternate_versions: [other] };
}

/** A value with another one at a path; the first item of each list on the way is meant. */
function atPath<T extends JsonValue>(
  value: T,
  path: readonly string[],
  change: (old: JsonValue | undefined) => JsonValue,
): T {
  const [name, ...deeper] = path;
  if (Array.isArray(value)) {
    const [first, ...rest] = value as readonly JsonValue[];
    return [atPath(first ?? {}, path, change), ...rest] as unknown as T;
  }
  if (name === undefined) return value;
  const members = membersOf(value);
  const old = members[name];
  return {
    ...members,
    [name]: deeper.length === 0 ? change(old) : atPath(old ?? {}, deeper, change),
  } as unknown as T;
}

const document = (change: (document: JsonObject) => JsonObject): NonNullable<Mutant['answer']> =>
  bodies(['discovery'], change);

/** Each member that the protocol knows is null in one mutant. */
const MEMBER_MUTANTS = Object.fromEntries(
  documentMembers().map((member): [string, Mutant] => [
    `discovery: ${member} is null`,
    {
      fails: [`discovery.member.${member}`, ...(ALSO[member] ?? [])],
      answer: document((old) => atPath(ABSENT[member]?.(old) ?? old, member.split('.'), () => null)),
    },
  ]),
);

const changed = (
  path: string,
  change: (old: JsonValue | undefined) => JsonValue,
): NonNullable<Mutant['answer']> => document((old) => atPath(old, path.split('.'), change));

const twice = (list: JsonValue | undefined): JsonValue =>
  Array.isArray(list) ? [...list, ...list.slice(0, 1)] : [];

/** One mutant for each rule beyond the schema, and for what is said of the document as a whole. */
const RULE_MUTANTS: Readonly<Record<string, Mutant>> = {
  'discovery has a member too many': {
    fails: ['discovery.closed'],
    answer: document((old) => ({ ...old, more: 1 })),
  },
  'discovery has no resources': {
    fails: ['discovery.includes', 'discovery.member.resources'],
    answer: document(({ resources: _resources, ...rest }) => rest),
  },
  'an operator is listed twice': {
    fails: ['release.bounds.unique', 'discovery.member.capabilities.filter_operators'],
    answer: changed('capabilities.filter_operators', twice),
  },
  'a number is too large': {
    fails: ['discovery.rule.whole_number_exact', 'release.bounds.whole-numbers'],
    answer: changed('capabilities.max_page_size', () => 2 ** 53),
  },
  'the heartbeat waits longer than it comes': {
    fails: ['discovery.rule.heartbeat_timeout_within_interval'],
    answer: changed('capabilities.websocket.heartbeat_timeout_ms', () => 600_000),
  },
  'delays are out of order': {
    fails: ['discovery.rule.reconnect_delays_in_order'],
    answer: changed('capabilities.websocket.reconnect_min_delay_ms', () => 600_000),
  },
  'a problem is declared twice': {
    fails: ['discovery.rule.http_error_declared_once', 'err.http.declared'],
    answer: changed('errors.http', (list) => {
      const [first] = Array.isArray(list) ? (list as readonly JsonValue[]) : [];
      return Array.isArray(list) ? [...list, { ...membersOf(first), operations: ['discovery'] }] : [];
    }),
  },
  'an error code is declared twice': {
    fails: ['discovery.rule.websocket_error_declared_once', 'err.ws.declared'],
    answer: changed('errors.websocket', (list) => {
      const [first] = Array.isArray(list) ? (list as readonly JsonValue[]) : [];
      return Array.isArray(list) ? [...list, { ...membersOf(first), operations: ['session'] }] : [];
    }),
  },
  'two resources have one name': {
    fails: ['discovery.rule.resource_name_unique'],
    answer: changed('resources.name', () => 'sheets'),
  },
  'a template is malformed': {
    fails: ['discovery.rule.item_url_template_usable'],
    answer: changed('resources.item_url_template', () => 'https://localhost/{id}/{!x}'),
  },
  'a template needs another variable': {
    fails: ['discovery.rule.item_url_requires_only_id'],
    answer: changed('resources.item_url_template', () => 'https://localhost/api/{kind}/{id}'),
  },
  'no representation is JSON': {
    fails: ['discovery.rule.json_representation'],
    answer: changed('resources.representations.media_type', () => 'application/xml'),
  },
  'a media type is malformed': {
    fails: ['discovery.rule.media_type_valid', 'discovery.rule.json_representation'],
    answer: changed('resources.representations.media_type', () => 'application/@json'),
  },
  'a field is no pointer': {
    fails: ['discovery.rule.field_pointer_valid'],
    answer: changed('resources.filtering.sortable_fields', () => ['/a~2']),
  },
  'two events have one name': {
    fails: ['discovery.rule.event_name_unique'],
    answer: changed('resources.events.name', () => 'plant.changed'),
  },
  'events are filtered without one for each transition': {
    fails: ['discovery.rule.event_filtering_has_one_descriptor_per_transition'],
    answer: changed('resources.events.state_transition', () => 'update'),
  },
  'a permission is not registered': {
    fails: ['discovery.rule.permission_registered', 'permission.registered'],
    answer: changed('resources.read_permissions', () => ['roots:read']),
  },
  'a field takes an operator that is not advertised': {
    fails: ['discovery.rule.filter_operator_advertised'],
    answer: changed('capabilities.filter_operators', (list) => (Array.isArray(list) ? list.slice(1) : [])),
  },
  'a schema is at the specification': {
    fails: ['discovery.rule.schema_url_owned'],
    answer: changed('resources.representations.schema_url', () => `${SPEC_BASE_URL}/plants.schema.json`),
  },
  'a URL has a password': {
    fails: ['discovery.rule.url_usable'],
    answer: changed('endpoints.json_api', () => 'https://me:secret@localhost/api'),
  },
  'a URI is malformed': {
    fails: ['discovery.rule.uri_valid'],
    answer: changed('implementation.documentation_url', () => 'https://[v1.a]/docs'),
  },
};

/** Faults in the discovery document: that alone is looked at. */
export const DOCUMENT_MUTANTS: Readonly<Record<string, Mutant>> = { ...MEMBER_MUTANTS, ...RULE_MUTANTS };
