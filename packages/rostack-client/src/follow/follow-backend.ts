import type { AnyDiscoveryDocument, JsonObject, Resource } from 'rostack-core';
import type { Item } from '../item/get-item.ts';
import type { ListPage } from '../list/list-options.ts';
import type { ResourceEvent, SubscriptionMessage } from '../subscription/resource-event.ts';

/** What a follow needs of its client. */
export interface FollowBackend {
  describe(
    signal: AbortSignal,
  ): Promise<{ readonly document: AnyDiscoveryDocument; readonly resource: Resource }>;
  /** By the newest discovery document that is known. */
  resource(): Resource;
  pages(signal: AbortSignal): AsyncIterable<ListPage<JsonObject>>;
  get(id: string, signal: AbortSignal): Promise<Item<JsonObject>>;
  /** Begins at once. */
  subscribe(
    place: FollowPlace,
    signal: AbortSignal,
  ): Promise<AsyncIterator<SubscriptionMessage<JsonObject>, undefined, undefined> & { close(): void }>;
  /** Waits after something that may pass, longer with each failure in a row. */
  pause(error: unknown, failures: number, signal: AbortSignal): Promise<void>;
  /** Milliseconds that only go forward. */
  nowMs(): number;
  /** How long a follow has to be live before a failure counts as the first one again, in milliseconds. */
  healthyAfterMs(): number;
  readonly maxRecords: number;
  /** Snapshots in a row that may be in vain, because their cursors are refused. */
  readonly maxRefusedSnapshots: number;
  /** How long a gateway may refuse them because it lags behind, in milliseconds. */
  readonly maxLagMs: number;
  /** Aborted when the client is closed. */
  readonly life: AbortSignal;
}

/** Where a follow goes on: after a cursor, and after an event where there was one. */
export interface FollowPlace {
  readonly cursor: string;
  readonly seen: string | undefined;
}

export type FollowedEvent = ResourceEvent<JsonObject>;
