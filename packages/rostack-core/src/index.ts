export * from './compatibility/breaking-change.ts';
export * from './compatibility/compare-implementations.ts';
export type { DescribedImplementation } from './compatibility/compare-resources.ts';
export { checkRowRule } from './definition/check-row-rule.ts';
export * from './definition/declaration/declaration.ts';
export type { CheckedPointer, Mistake } from './definition/declaration/declaration-mistakes.ts';
export * from './definition/declaration/default-errors.ts';
export * from './definition/define-implementation.ts';
export * from './definition/implemented-resource.ts';
export type {
  DeclaredTypes,
  EventTypes,
  ImplementationTypes,
  ResourceTypes,
  Typed,
  TypesOf,
} from './definition/resource-types.ts';
export { fieldCollation, fieldCollations, fieldTypes } from './definition/schema/field-types.ts';
export { findTypeMismatches, type TypeMismatch } from './definition/schema/find-type-mismatches.ts';
export * from './definition/schema/record-model.ts';
export * from './definition/schema/schema-without-fields.ts';
export { asyncApiOf } from './description/async-api.ts';
export { filterSchema } from './description/filter-schema.ts';
export { openApiOf } from './description/open-api.ts';
export { typeScriptOf } from './description/type-script.ts';
export {
  COLLATIONS,
  type Collation,
  type Collations,
  collationKey,
} from './query/collation/collation.ts';
export { DECIMAL_FORMAT, DECIMAL_PATTERN, isDecimal } from './query/collation/decimal.ts';
export {
  type AdvertisedFiltering,
  checkFilter,
  collatedOperand,
  collateFilter,
} from './query/filter/check-filter.ts';
export * from './query/filter/compile-filter.ts';
export {
  canonicalFilterText,
  canonicalizeFilter,
  type Filter,
  type FilterComparison,
  filterToJson,
  hashFilter,
} from './query/filter/filter.ts';
export { FILTER_RULES, FilterError, type FilterRule } from './query/filter/filter-error.ts';
export * from './query/filter/filter-limits.ts';
export {
  FILTER_OPERATOR_NAMES,
  type FilterOperator,
  type OperandKind,
} from './query/filter/operator-names.ts';
export { FILTER_OPERATORS, type FilterOperand } from './query/filter/operators.ts';
export * from './query/filter/parse-filter.ts';
export type { Comparisons, FilterCombinations, TypedFilter } from './query/filter/typed-filter.ts';
export type { FieldAt } from './query/pointer/field-at.ts';
export { formatPointer } from './query/pointer/format-pointer.ts';
export { isPointer, PointerError, parsePointer, resolvePointer } from './query/pointer/pointer.ts';
export * from './query/projection/parse-fields.ts';
export * from './query/projection/project.ts';
export type { SelectedFields, WithoutFields } from './query/projection/selected-fields.ts';
export * from './query/sort/sort.ts';
export * from './query/subscription.ts';
export * from './record/change.ts';
export { checkMapping, type MappedSchemas } from './record/mapping/check-mapping.ts';
export {
  compileMapping,
  type MappedValue,
  MappingError,
  type RecordMapping,
} from './record/mapping/record-mapping.ts';
export * from './record/next-reads.ts';
export * from './record/page-of.ts';
export * from './record/permission/permission.ts';
export * from './record/record-source.ts';
export * from './record/visibility/visibility.ts';
export {
  type ComparedField,
  parseRowRule,
  type WrittenRowRule,
} from './record/visibility/written-row-rule.ts';
export * from './schema/audit-schemas.ts';
export { bundleSchema, type SchemaDocuments, schemasBehind } from './schema/bundle-schema.ts';
export type { JsonSchema } from './schema/graph/json-schema.ts';
export * from './schema/graph/schema-graph.ts';
export { nodePointer, type SchemaNode } from './schema/graph/schema-node.ts';
export { inPlaceNodes, nodesAtPath } from './schema/graph/schema-path.ts';
export { isPlainSchema } from './schema/plain-schema.ts';
export { SCHEMA_ID_BASES } from './schema/schema-id-bases.ts';
export { unresolvedReferences } from './schema/unresolved-references.ts';
export * from './text/define-error.ts';
export * from './text/escape-controls.ts';
export * from './text/has-code.ts';
export {
  type JsonObject,
  type JsonScalar,
  type JsonType,
  type JsonValue,
  jsonEquals,
  parseTrustedJson,
  type RecordId,
  recordIdText,
} from './text/json.ts';
export { isLoopback } from './text/loopback.ts';
export * from './text/options/option-check.ts';
export * from './text/options/options-error.ts';
export { isExactNumber } from './text/strict-json/find-json-fault.ts';
export * from './text/strict-json/parse-strict-json.ts';
export { type Collection, CollectionError, parseCollection } from './wire/collection/parse-collection.ts';
export {
  decodeEventCursor,
  EventCursorError,
  type EventCursorErrorCode,
  type EventCursorScope,
  encodeEventCursor,
  eventScopeTag,
  type PositionTexts,
} from './wire/cursor/event-cursor.ts';
export {
  type Authentication,
  PERMISSION_NAME_PATTERN,
  SHARED_TOKEN_SCHEME,
} from './wire/discovery/authentication-model.ts';
export {
  type Capabilities,
  WEBSOCKET_EXTENSIONS,
  type WebSocketCapabilities,
} from './wire/discovery/capabilities-model.ts';
export * from './wire/discovery/discovery-checks.ts';
export type {
  AnyDiscoveryDocument,
  DiscoveryDocument,
  DiscoveryDocument20260812,
  Implementation,
} from './wire/discovery/discovery-model.ts';
export {
  type ErrorDeclaration,
  HTTP_OPERATIONS,
  type HttpOperation,
  WEBSOCKET_OPERATIONS,
  type WebSocketOperation,
} from './wire/discovery/errors-model.ts';
export * from './wire/discovery/parse-discovery.ts';
export {
  EVENT_NAME_PATTERN,
  type EventDescriptor,
  JSON_MEDIA_TYPE,
  RESOURCE_NAME_PATTERN,
  type Representation,
  type Resource,
  type ResourceFiltering,
} from './wire/discovery/resource-model.ts';
export * from './wire/http/etag.ts';
export * from './wire/http/negotiate-media-type.ts';
export type {
  AuthenticateMessage,
  ClientMessage,
  PingMessage,
  PongMessage,
  ReceivedMessage,
  ReceivedSubscribe,
  SubscribeMessage,
  UnsubscribeMessage,
} from './wire/message/client-message.ts';
export * from './wire/message/compact-event-codec.ts';
export * from './wire/message/event-encoder.ts';
export { SERVER_MESSAGE_CHECKS, SERVER_MESSAGE_RULES } from './wire/message/message-checks.ts';
export * from './wire/message/parse-client-message.ts';
export { parseServerMessage, ServerMessageError } from './wire/message/parse-server-message.ts';
export type {
  AuthenticatedMessage,
  CompactEvent,
  EventMessage,
  GoAwayMessage,
  ReplayCompleteMessage,
  ServerMessage,
  ServerMessage20260812,
  SubscribedMessage,
} from './wire/message/server-message.ts';
export {
  AUTHENTICATION_METHODS,
  type AuthenticationMethod,
  EVENT_ENCODINGS,
  type EventEncoding,
} from './wire/message/shared-models.ts';
export type { Check } from './wire/model/check.ts';
export type { Fault } from './wire/model/fault.ts';
export { FIELD_POINTER_PATTERN } from './wire/model/text.ts';
export * from './wire/problem/problem.ts';
export * from './wire/problem/problem-checks.ts';
export type { AnyProblem } from './wire/problem/problem-model.ts';
export * from './wire/problem/problem-types.ts';
export * from './wire/release/release.ts';
export type { TemplateValue, TemplateValues } from './wire/uri-template/expand-expression.ts';
export { UriTemplateError } from './wire/uri-template/template-parts.ts';
export * from './wire/uri-template/uri-matcher.ts';
export * from './wire/uri-template/uri-template.ts';
export * from './wire/websocket-error/create-error-message.ts';
export * from './wire/websocket-error/websocket-errors.ts';
export * from './wire/zod/models.ts';
