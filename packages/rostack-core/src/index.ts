export { type Collection, CollectionError, parseCollection } from './collection/parse-collection.ts';
export type { BreakingChange, BreakingChangeKind } from './compatibility/breaking-change.ts';
export { type CompatibilityReport, compareImplementations } from './compatibility/compare-implementations.ts';
export type { DescribedImplementation } from './compatibility/compare-resources.ts';
export * from './cursor/index.ts';
export type {
  AuthenticationDeclaration,
  EventDeclaration,
  ImplementationDeclaration,
  LimitsDeclaration,
  Projection,
  RecordModel,
  RepresentationDeclaration,
  ResourceDeclaration,
  StateChange,
  UrlsDeclaration,
} from './definition/declaration.ts';
export { defaultErrors } from './definition/default-errors.ts';
export {
  DefinitionError,
  defineImplementation,
  type ImplementationDefinition,
} from './definition/define-implementation.ts';
export { fieldTypes } from './definition/field-types.ts';
export {
  eventData,
  type ImplementedEvent,
  type ImplementedResource,
} from './definition/implemented-resource.ts';
export {
  type Authentication,
  PERMISSION_NAME_PATTERN,
  SHARED_TOKEN_SCHEME,
} from './discovery/authentication-model.ts';
export {
  type Capabilities,
  WEBSOCKET_EXTENSIONS,
  type WebSocketCapabilities,
} from './discovery/capabilities-model.ts';
export type { DiscoveryCheck } from './discovery/check/discovery-check.ts';
export { DISCOVERY_CHECKS } from './discovery/check/discovery-checks.ts';
export type {
  AnyDiscoveryDocument,
  DiscoveryDocument,
  DiscoveryDocument20260812,
  Implementation,
} from './discovery/discovery-model.ts';
export {
  type ErrorDeclaration,
  HTTP_OPERATIONS,
  type HttpOperation,
  WEBSOCKET_OPERATIONS,
  type WebSocketOperation,
} from './discovery/errors-model.ts';
export {
  checkDiscovery,
  DiscoveryError,
  detectRelease,
  parseDiscovery,
} from './discovery/parse-discovery.ts';
export {
  EVENT_NAME_PATTERN,
  type EventDescriptor,
  JSON_MEDIA_TYPE,
  RESOURCE_NAME_PATTERN,
  type Representation,
  type Resource,
  type ResourceFiltering,
} from './discovery/resource-model.ts';
export { canonicalFilterText, canonicalizeFilter, hashFilter } from './filter/canonicalize-filter.ts';
export { type AdvertisedFiltering, checkFilter } from './filter/check-filter.ts';
export { compileFilter, type Predicate } from './filter/compile-filter.ts';
export { type Filter, type FilterComparison, filterToJson } from './filter/filter.ts';
export { FilterError } from './filter/filter-error.ts';
export { DEFAULT_FILTER_LIMITS, type FilterLimits } from './filter/filter-limits.ts';
export {
  FILTER_OPERATOR_NAMES,
  FILTER_OPERATORS,
  type FilterOperand,
  type FilterOperator,
  type OperandKind,
} from './filter/operators.ts';
export { parseFilter, parseFilterText } from './filter/parse-filter.ts';
export { formatEtag, matchesEtag } from './http/etag.ts';
export { negotiateMediaType } from './http/negotiate-media-type.ts';
export { type JsonObject, type JsonScalar, type JsonType, type JsonValue, jsonEquals } from './json/json.ts';
export {
  AUTHENTICATION_METHODS,
  type AuthenticateMessage,
  type AuthenticationMethod,
  type ClientMessage,
  EVENT_ENCODINGS,
  type EventEncoding,
  type PingMessage,
  type PongMessage,
  type SubscribeMessage,
  type UnsubscribeMessage,
} from './message/client-message.ts';
export { decodeCompactEvent, encodeCompactEvent } from './message/compact-event-codec.ts';
export {
  createEventEncoder,
  type EventEncoder,
  type FramePieces,
  joinFrame,
  type SharedEvent,
} from './message/event-encoder.ts';
export { ClientMessageError, parseClientMessage } from './message/parse-client-message.ts';
export { parseServerMessage, ServerMessageError } from './message/parse-server-message.ts';
export type {
  AuthenticatedMessage,
  CompactEvent,
  EventMessage,
  GoAwayMessage,
  ReplayCompleteMessage,
  ServerMessage,
  ServerMessage20260812,
  SubscribedMessage,
} from './message/server-message.ts';
export type { Fault } from './model/fault.ts';
export { FIELD_POINTER_PATTERN } from './model/text.ts';
export { MODELS, releaseSchemas } from './models/models.ts';
export { disarmPromise, guardObserver } from './options/guard-observer.ts';
export {
  aBoolean,
  aFunction,
  anObject,
  aSignal,
  aText,
  expecting,
  listOf,
  type OptionCheck,
  type OptionChecks,
  objectWith,
  oneOf,
  optional,
  optionsOf,
  wholeNumber,
} from './options/option-check.ts';
export {
  evaluatePermission,
  type GuardedResource,
  type PermissionDecision,
  type Principal,
  type ResourceOperation,
} from './permission/evaluate-permission.ts';
export { formatPointer, isPointer, PointerError, parsePointer, resolvePointer } from './pointer/pointer.ts';
export { createProblem, ProblemError, parseProblem } from './problem/problem.ts';
export type { AnyProblem } from './problem/problem-model.ts';
export {
  carriesRetryAfter,
  PROBLEM_MEDIA_TYPE,
  PROBLEM_SLUGS,
  PROBLEM_TYPES,
  type Problem,
  type ProblemMembers,
  type ProblemOf,
  type ProblemSlug,
  type ProblemTypeUri,
  problemSlug,
  problemTypeUri,
  RETRY_AFTER_PROBLEMS,
  type RetryAfterProblemSlug,
} from './problem/problem-types.ts';
export {
  type FieldSelection,
  FieldsError,
  type FieldTree,
  parseFields,
  schemaFields,
} from './projection/parse-fields.ts';
export { project } from './projection/project.ts';
export {
  comparePageKeys,
  compareRecords,
  type IdentifiedRecord,
  pageKeyOf,
} from './record/compare-records.ts';
export * from './record/index.ts';
export {
  DEFAULT_RELEASE,
  DISCOVERY_PATH,
  PROTOCOL_VERSION,
  RELEASES,
  type Release,
  SCHEMA_DIALECT,
  SCHEMA_ID_BASES,
  SPEC_BASE_URL,
  SUBPROTOCOL,
} from './release/release.ts';
export { auditSchemas, type SchemaFinding, type SchemaFindingKind } from './schema/audit-schemas.ts';
export type { JsonSchema } from './schema/json-schema.ts';
export {
  createSchemaGraph,
  type InnerNode,
  type References,
  type SchemaGraph,
} from './schema/schema-graph.ts';
export { nodePointer, type SchemaNode } from './schema/schema-node.ts';
export { inPlaceNodes, nodesAtPath } from './schema/schema-path.ts';
export { formatSort, parseSort, SortError, type SortKey } from './sort/sort.ts';
export { isExactNumber } from './strict-json/find-json-fault.ts';
export { parseStrictJson, StrictJsonError } from './strict-json/parse-strict-json.ts';
export {
  filterTransition,
  type NormalizedSubscription,
  normalizeSubscription,
  subscriptionsEqual,
} from './subscription/subscription.ts';
export type { TemplateValue, TemplateValues } from './uri-template/expand-expression.ts';
export { UriTemplateError } from './uri-template/template-parts.ts';
export { parseUriTemplate, type UriTemplate } from './uri-template/uri-template.ts';
export {
  createErrorMessage,
  ErrorMessageError,
  parseErrorMessage,
} from './websocket-error/create-error-message.ts';
export {
  CLOSE_CODES,
  type CloseCode,
  type ErrorMembers,
  type ErrorMessage,
  type ErrorMessageOf,
  WEBSOCKET_ERROR_CODES,
  WEBSOCKET_ERRORS,
  type WebSocketErrorCode,
} from './websocket-error/websocket-errors.ts';
