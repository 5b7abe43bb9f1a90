export {
  COLLATIONS,
  type Collation,
  type Collations,
  collationKey,
} from './collation/collation.ts';
export { DECIMAL_FORMAT, DECIMAL_PATTERN, isDecimal } from './collation/decimal.ts';
export { type Collection, CollectionError, parseCollection } from './collection/parse-collection.ts';
export * from './compatibility/breaking-change.ts';
export * from './compatibility/compare-implementations.ts';
export type { DescribedImplementation } from './compatibility/compare-resources.ts';
export {
  decodeEventCursor,
  EventCursorError,
  type EventCursorErrorCode,
  type EventCursorScope,
  encodeEventCursor,
  eventScopeTag,
  type PositionTexts,
} from './cursor/event-cursor.ts';
export { checkRowRule } from './definition/check-row-rule.ts';
export * from './definition/declaration.ts';
export type { CheckedPointer, Mistake } from './definition/declaration-mistakes.ts';
export * from './definition/default-errors.ts';
export * from './definition/define-implementation.ts';
export { fieldCollations } from './definition/field-collations.ts';
export { fieldCollation, fieldTypes } from './definition/field-types.ts';
export { findTypeMismatches, type TypeMismatch } from './definition/find-type-mismatches.ts';
export * from './definition/implemented-resource.ts';
export * from './definition/record-model.ts';
export type {
  DeclaredTypes,
  EventTypes,
  ImplementationTypes,
  ResourceTypes,
  Typed,
  TypesOf,
} from './definition/resource-types.ts';
export { asyncApiOf } from './description/async-api.ts';
export { filterSchema } from './description/filter-schema.ts';
export { openApiOf } from './description/open-api.ts';
export { typeScriptOf } from './description/type-script.ts';
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
export * from './discovery/discovery-checks.ts';
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
export * from './discovery/parse-discovery.ts';
export {
  EVENT_NAME_PATTERN,
  type EventDescriptor,
  JSON_MEDIA_TYPE,
  RESOURCE_NAME_PATTERN,
  type Representation,
  type Resource,
  type ResourceFiltering,
} from './discovery/resource-model.ts';
export * from './error/has-code.ts';
export * from './filter/canonicalize-filter.ts';
export * from './filter/check-filter.ts';
export { collatedOperand, collateFilter } from './filter/collate-filter.ts';
export * from './filter/compile-filter.ts';
export { type Filter, type FilterComparison, filterToJson } from './filter/filter.ts';
export { FILTER_RULES, FilterError, type FilterRule } from './filter/filter-error.ts';
export * from './filter/filter-limits.ts';
export { FILTER_OPERATOR_NAMES, type FilterOperator, type OperandKind } from './filter/operator-names.ts';
export { FILTER_OPERATORS, type FilterOperand } from './filter/operators.ts';
export * from './filter/parse-filter.ts';
export type { Comparisons, FilterCombinations, TypedFilter } from './filter/typed-filter.ts';
export * from './http/etag.ts';
export * from './http/negotiate-media-type.ts';
export { type JsonObject, type JsonScalar, type JsonType, type JsonValue, jsonEquals } from './json/json.ts';
export { checkMapping, type MappedSchemas } from './mapping/check-mapping.ts';
export {
  compileMapping,
  type MappedValue,
  MappingError,
  type RecordMapping,
} from './mapping/record-mapping.ts';
export type {
  AuthenticateMessage,
  ClientMessage,
  PingMessage,
  PongMessage,
  ReceivedMessage,
  ReceivedSubscribe,
  SubscribeMessage,
  UnsubscribeMessage,
} from './message/client-message.ts';
export * from './message/compact-event-codec.ts';
export * from './message/event-encoder.ts';
export { SERVER_MESSAGE_CHECKS, SERVER_MESSAGE_RULES } from './message/message-checks.ts';
export * from './message/parse-client-message.ts';
export * from './message/parse-server-message.ts';
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
export {
  AUTHENTICATION_METHODS,
  type AuthenticationMethod,
  EVENT_ENCODINGS,
  type EventEncoding,
} from './message/shared-models.ts';
export type { Check } from './model/check.ts';
export type { Fault } from './model/fault.ts';
export { FIELD_POINTER_PATTERN } from './model/text.ts';
export * from './models/models.ts';
export * from './options/guard-observer.ts';
export * from './options/option-check.ts';
export * from './options/options-error.ts';
export * from './permission/evaluate-permission.ts';
export type { FieldAt } from './pointer/field-at.ts';
export { formatPointer } from './pointer/format-pointer.ts';
export { isPointer, PointerError, parsePointer, resolvePointer } from './pointer/pointer.ts';
export * from './problem/problem.ts';
export * from './problem/problem-checks.ts';
export type { AnyProblem } from './problem/problem-model.ts';
export * from './problem/problem-types.ts';
export * from './projection/parse-fields.ts';
export * from './projection/project.ts';
export type { SelectedFields, WithoutFields } from './projection/selected-fields.ts';
export * from './record/change.ts';
export * from './record/compare-records.ts';
export * from './record/next-reads.ts';
export * from './record/page-of.ts';
export * from './record/record-id.ts';
export * from './record/record-source.ts';
export * from './release/release.ts';
export * from './schema/audit-schemas.ts';
export { bundleSchema, type SchemaDocuments, schemasBehind } from './schema/bundle-schema.ts';
export type { JsonSchema } from './schema/json-schema.ts';
export * from './schema/schema-graph.ts';
export { SCHEMA_ID_BASES } from './schema/schema-id-bases.ts';
export { nodePointer, type SchemaNode } from './schema/schema-node.ts';
export { inPlaceNodes, nodesAtPath } from './schema/schema-path.ts';
export { unresolvedReferences } from './schema/unresolved-references.ts';
export * from './sort/sort.ts';
export { isExactNumber } from './strict-json/find-json-fault.ts';
export * from './strict-json/parse-strict-json.ts';
export { parseTrustedJson } from './strict-json/parse-trusted-json.ts';
export * from './subscription/subscription.ts';
export * from './text/escape-controls.ts';
export type { TemplateValue, TemplateValues } from './uri-template/expand-expression.ts';
export { UriTemplateError } from './uri-template/template-parts.ts';
export * from './uri-template/uri-matcher.ts';
export * from './uri-template/uri-template.ts';
export * from './visibility/hidden-fields.ts';
export * from './visibility/visibility.ts';
export {
  type ComparedField,
  parseRowRule,
  type WrittenRowRule,
} from './visibility/written-row-rule.ts';
export * from './websocket-error/create-error-message.ts';
export * from './websocket-error/websocket-errors.ts';
