import type { EventEncoding, EventPosition, Filter, NormalizedSubscription, Resource } from 'rostack-core';

/** A `subscribe` that may be served: known, permitted, supported. */
export interface RequestedSubscription {
  readonly subscriptionId: string;
  readonly resource: Resource;
  /** What makes two requests the same. */
  readonly definition: NormalizedSubscription;
  /** Names of the events to deliver; never empty. */
  readonly eventTypes: readonly string[];
  readonly filter: Filter | undefined;
  readonly encoding: EventEncoding;
  /** Binds the cursors of its events to the principal. */
  readonly scopeTag: string;
  /** Where to resume; undefined: from now on. */
  readonly from: EventPosition | undefined;
}
