/** The event behind a change. */
export interface ChangeEvent<EventName extends string = string> {
  /** Unique and stable over all deliveries. */
  readonly eventId: string;
  /** The event position after this event. */
  readonly cursor: string;
  /** RFC 3339. */
  readonly occurredAt: string;
  /** Name of the event descriptor. */
  readonly eventType: EventName;
  /** Opaque name of the record's revision, which is also the item's ETag. */
  readonly resourceVersion: string;
}

/** One record and what it was before. */
export interface RecordChange<T> {
  /** Text of the record's id. */
  readonly id: string;
  /** The record as it is now. */
  readonly record: T;
  /** The record as it was in the set before. */
  readonly previous: T;
}

/**
 * The whole set at once.
 * - `initial`: the first one; everything is added.
 * - `restored`: what the state store held, as it was when the previous process ended; nothing is added, changed or removed.
 * - `replaced`: events were lost (`cursor_unavailable`), or the stored state was of another filter or API version; the differences
 *   to the set before are in `added`, `changed` and `removed`.
 * - `shifted`, with a limit: one record took the place of another among the first ones; the differences are given as for `replaced`.
 */
export interface SnapshotChange<T> {
  /** Distinguishes the change from others. */
  readonly kind: 'snapshot';
  /** Why the whole set comes at once, see above. */
  readonly reason: 'initial' | 'restored' | 'replaced' | 'shifted';
  /** The set from here on, by id, in the order of `sort`; it is a copy that does not change. */
  readonly records: ReadonlyMap<string, T>;
  /** Records that the set did not have before. */
  readonly added: readonly { readonly id: string; readonly record: T }[];
  /** Records that the set had in another state. */
  readonly changed: readonly RecordChange<T>[];
  /** Records that the set no longer has. */
  readonly removed: readonly { readonly id: string; readonly previous: T }[];
  /** The event position of the set. */
  readonly cursor: string;
}

/** A record came into the set. */
export interface CreatedChange<T, EventName extends string = string> {
  /** Distinguishes the change from others. */
  readonly kind: 'created';
  /** Text of the record's id. */
  readonly id: string;
  /** The record as it is now. */
  readonly record: T;
  /** The event that brought it. */
  readonly event: ChangeEvent<EventName>;
}

/** A record of the set has changed. */
export interface UpdatedChange<T, EventName extends string = string> extends RecordChange<T> {
  /** Distinguishes the change from others. */
  readonly kind: 'updated';
  /** The event that brought it. */
  readonly event: ChangeEvent<EventName>;
}

/**
 * A record is no longer in the set. `deleted`: it was deleted. `left-or-deleted`, with a filter: it was deleted, or it exists but no
 * longer matches the filter. The protocol does not say which; `RostackClient.get` does.
 */
export interface RemovedChange<T, EventName extends string = string> {
  /** What is known about why it is gone, see above. */
  readonly kind: 'deleted' | 'left-or-deleted';
  /** Text of the record's id. */
  readonly id: string;
  /** Undefined if the set did not hold it. */
  readonly previous: T | undefined;
  /** The event that brought it. */
  readonly event: ChangeEvent<EventName>;
}

/** The set is up to date; what follows is live. Comes again after each interruption, even one that a slow consumer causes. */
export interface LiveChange {
  /** Distinguishes the change from others. */
  readonly kind: 'live';
}

/** What a follow yields, in order. */
export type FollowChange<T, EventName extends string = string> =
  | SnapshotChange<T>
  | CreatedChange<T, EventName>
  | UpdatedChange<T, EventName>
  | RemovedChange<T, EventName>
  | LiveChange;
