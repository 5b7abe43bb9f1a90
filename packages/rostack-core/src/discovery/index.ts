export {
  type Authentication,
  PERMISSION_NAME_PATTERN,
  SHARED_TOKEN_SCHEME,
} from './authentication-model.ts';
export { type Capabilities, WEBSOCKET_EXTENSIONS, type WebSocketCapabilities } from './capabilities-model.ts';
export type { DiscoveryCheck } from './check/discovery-check.ts';
export { DISCOVERY_CHECKS } from './check/discovery-checks.ts';
export { DiscoveryError } from './discovery-error.ts';
export type {
  AnyDiscoveryDocument,
  DiscoveryDocument,
  DiscoveryDocument20260812,
  Implementation,
} from './discovery-model.ts';
export {
  type ErrorDeclaration,
  HTTP_OPERATIONS,
  type HttpOperation,
  WEBSOCKET_OPERATIONS,
  type WebSocketOperation,
} from './errors-model.ts';
export { checkDiscovery, detectRelease, parseDiscovery } from './parse-discovery.ts';
export {
  EVENT_NAME_PATTERN,
  type EventDescriptor,
  JSON_MEDIA_TYPE,
  RESOURCE_NAME_PATTERN,
  type Representation,
  type Resource,
  type ResourceFiltering,
} from './resource-model.ts';
