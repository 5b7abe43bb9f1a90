import { formatPointer } from '../../query/pointer/format-pointer.ts';
import { parsePointer } from '../../query/pointer/pointer.ts';
import type { ImplementationDeclaration } from './declaration.ts';

/** Where a member of the discovery document comes from; the longest matching prefix wins. */
const MEMBERS: readonly (readonly [document: string, declaration: string])[] = [
  ['/implementation/api_version', '/apiVersion'],
  ['/implementation/documentation_url', '/documentationUrl'],
  ['/implementation', ''],
  ['/endpoints/json_api', '/urls/jsonApi'],
  ['/endpoints', '/urls'],
  ['/authentication/permissions', '/permissions'],
  ['/authentication/methods', '/authentication'],
  ['/authentication/discovery_public', '/authentication/discoveryPublic'],
  ['/capabilities/max_page_size', '/limits/maxPageSize'],
  ['/capabilities/filter_operators', '/resources'],
  ['/capabilities/websocket/event_encodings', '/eventEncodings'],
  ['/capabilities/websocket/extensions', '/compression'],
  ['/capabilities/websocket/authentication_timeout_ms', '/limits/authenticationTimeoutMs'],
  ['/capabilities/websocket/heartbeat_interval_ms', '/limits/heartbeatIntervalMs'],
  ['/capabilities/websocket/heartbeat_timeout_ms', '/limits/heartbeatTimeoutMs'],
  ['/capabilities/websocket/reconnect_min_delay_ms', '/limits/reconnectMinDelayMs'],
  ['/capabilities/websocket/reconnect_max_delay_ms', '/limits/reconnectMaxDelayMs'],
  ['/capabilities/websocket/discovery_refresh_after_ms', '/limits/discoveryRefreshAfterMs'],
  ['/alternate_versions', '/alternateVersions'],
];

const RESOURCE_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  name: [],
  collection_url: ['collectionUrl'],
  item_url_template: ['itemUrlTemplate'],
  event_filtering: ['eventFiltering'],
  read_permissions: ['readPermissions'],
  subscribe_permissions: ['subscribePermissions'],
};

/** Translates a JSON Pointer into the discovery document to one into the declaration it was made from. */
export function declarationPath(pointer: string, declaration: ImplementationDeclaration): string {
  const [first, index, ...rest] = parsePointer(pointer);
  if (first === 'resources' && index !== undefined)
    return formatPointer(resourcePath(declaration, index, rest));
  const known = MEMBERS.find(([document]) => pointer === document || pointer.startsWith(`${document}/`));
  return known === undefined ? pointer : known[1] + pointer.slice(known[0].length);
}

function resourcePath(
  declaration: ImplementationDeclaration,
  index: string,
  rest: readonly string[],
): string[] {
  const [name = index, resource] = Object.entries(declaration.resources)[Number(index)] ?? [];
  const [member = '', position = '', ...below] = rest;
  const base = ['resources', name];
  if (member === 'filtering') {
    return [...base, position === 'sortable_fields' ? 'sortable' : 'filterable', ...below];
  }
  if (member === 'events') {
    const event = Object.keys(resource?.events ?? {})[Number(position)];
    const [inner = ''] = below;
    const way = inner === 'state_transition' ? ['transition'] : inner === 'tombstone' ? ['tombstone'] : [];
    return event === undefined ? [...base, 'events'] : [...base, 'events', event, ...way];
  }
  if (member === 'representations') {
    // The first one is the JSON representation, which the declaration calls `model`.
    return position === '0' ? [...base, 'model'] : [...base, 'representations', String(Number(position) - 1)];
  }
  const way = Object.hasOwn(RESOURCE_MEMBERS, member) ? (RESOURCE_MEMBERS[member] ?? []) : [member];
  return [...base, ...way, ...rest.slice(1)].filter((token) => token !== '');
}
