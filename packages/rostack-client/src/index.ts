/// <reference lib="esnext.disposable" preserve="true" />
export { type RecordIdLookUp, RostackClient } from './client/client.ts';
export type { ClientOptions } from './client/client-options.ts';
export { connect } from './client/connect.ts';
export type {
  ClientOf,
  Listed,
  TypedClient,
  TypedEvent,
  TypedFollowOptions,
  TypedListOptions,
  TypedSubscribeOptions,
} from './client/typed-client.ts';
export { type ClientLimits, DEFAULT_CLIENT_LIMITS } from './connection/context/client-limits.ts';
export type {
  Credential,
  CredentialReason,
  Credentials,
  CredentialsCallback,
} from './connection/credential/credentials.ts';
export type { ConnectionStatus } from './connection/link/connection-status.ts';
export type { ClientClock } from './connection/platform/platform.ts';
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
export type {
  Bookmark,
  CaughtUp,
  Gap,
  ResourceEvent,
  SubscriptionMessage,
} from './follow/subscription/resource-event.ts';
export type { SubscribeOptions } from './follow/subscription/subscribe-options.ts';
export { Subscription } from './follow/subscription/subscription.ts';
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
} from './http/error/errors.ts';
export type { GetOptions, Item } from './list/get-item.ts';
export type { RecordIdOption, RecordSchema } from './list/record-ids.ts';
export type { ListOptions, ListPage } from './list/record-list.ts';
export { RecordList } from './list/record-list.ts';
export { type ReadSchemasOptions, readSchemas } from './list/schema/read-schemas.ts';
export { MemoryStateStore } from './state/memory-state-store.ts';
export type { FollowState, StateScope, StateStore, StateUpdate, StoredRecord } from './state/state-store.ts';
