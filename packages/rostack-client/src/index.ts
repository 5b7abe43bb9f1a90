export { RostackClient } from './client.ts';
export { type ClientLimits, type ClientOptions, DEFAULT_CLIENT_LIMITS } from './client-options.ts';
export { connect } from './connect.ts';
export type {
  Credential,
  CredentialReason,
  Credentials,
  CredentialsCallback,
} from './credential/credential.ts';
export * from './error/index.ts';
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
export type { FollowOptions } from './follow/follow-options.ts';
export type { GetOptions, Item } from './item/get-item.ts';
export type { ConnectionStatus } from './link/connection-status.ts';
export type { ListOptions, ListPage } from './list/list-options.ts';
export { RecordList } from './list/record-list.ts';
export type { ClientClock } from './platform/clock.ts';
export type { RecordSchema } from './record/record-schema.ts';
export { MemoryStateStore } from './store/memory-state-store.ts';
export type { FollowState, StateScope, StateStore, StateUpdate, StoredRecord } from './store/state-store.ts';
export type { CaughtUp, Gap, ResourceEvent, SubscriptionMessage } from './subscription/resource-event.ts';
export type { SubscribeOptions } from './subscription/subscribe-options.ts';
export { Subscription } from './subscription/subscription.ts';
