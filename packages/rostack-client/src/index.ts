/// <reference lib="esnext.disposable" preserve="true" />
export { type RecordIdLookUp, RostackClient } from './client.ts';
export { type ClientLimits, type ClientOptions, DEFAULT_CLIENT_LIMITS } from './client-options.ts';
export { connect } from './connect.ts';
export type {
  Credential,
  CredentialReason,
  Credentials,
  CredentialsCallback,
} from './credential/credential.ts';
export {
  AuthenticationError,
  ClientClosedError,
  ClientError,
  ConnectionLostError,
  CredentialsError,
  DiscoveryOutdatedError,
  GatewayTimeoutError,
  HttpProblemError,
  NetworkError,
  PageCursorExpiredError,
  ProtocolBrokenError,
  ProtocolViolationError,
  RecordError,
  RedirectRefusedError,
  RequestTimeoutError,
  ResponseError,
  ResponseTooLargeError,
  SnapshotRefusedError,
  StateGoneError,
  StateStoreError,
  SubscriptionError,
  UntrustedUrlError,
  UsageError,
} from './error/errors.ts';
export type { FollowOptions } from './follow/follow.ts';
export { Follow } from './follow/follow.ts';
export type {
  ChangeEvent,
  CreatedChange,
  FollowChange,
  LiveChange,
  RecordChange,
  RemovedChange,
  SnapshotChange,
  UpdatedChange,
} from './follow/follow-change.ts';
export type { ConnectionStatus } from './link/connection-status.ts';
export type { ClientClock } from './platform/clock.ts';
export type { GetOptions, Item } from './resource/get-item.ts';
export type { RecordIdOption } from './resource/record-ids.ts';
export type { ListOptions, ListPage } from './resource/record-list.ts';
export { RecordList } from './resource/record-list.ts';
export type { RecordSchema } from './resource/record-schema.ts';
export { type ReadSchemasOptions, readSchemas } from './schema/read-schemas.ts';
export { MemoryStateStore } from './store/memory-state-store.ts';
export type { FollowState, StateScope, StateStore, StateUpdate, StoredRecord } from './store/state-store.ts';
export type {
  Bookmark,
  CaughtUp,
  Gap,
  ResourceEvent,
  SubscriptionMessage,
} from './subscription/resource-event.ts';
export type { SubscribeOptions } from './subscription/subscribe-options.ts';
export { Subscription } from './subscription/subscription.ts';
export type {
  ClientOf,
  Listed,
  TypedClient,
  TypedEvent,
  TypedFollowOptions,
  TypedListOptions,
  TypedSubscribeOptions,
} from './typed-client.ts';
