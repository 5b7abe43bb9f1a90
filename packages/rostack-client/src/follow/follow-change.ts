/** The event behind a change. */
export interface ChangeEvent<EventName extends string = string> {
  readonly eventId: string;
  readonly cursor: string;
  /** RFC 3339. */
  readonly occurredAt: string;
  /** Name of the event descriptor. */
  readonly eventType: EventName;
  readonly resourceVersion: string;
}

/** One record and what it was before. */
export interface RecordChange<T> {
  readonly id: string;
  readonly record: T;
  readonly previous: T;
}

/**
 * The whole set at once.
 * - `initial`: the first one; everything is added.
 * - `restored`: what the state store held, as it was when the process before ended; nothing is added, changed or removed.
 * - `replaced`: events were lost (`cursor_unavailable`), or the stored state was of another filter or API version; the differences
 *   to the set before are in `added`, `changed` and `removed`.
 * - `shifted`, with a limit: one record took the place of another among the first ones; the differences are told as for `replaced`.
 */
export interface SnapshotChange<T> {
  readonly kind: 'snapshot';
  readonly reason: 'initial' | 'restored' | 'replaced' | 'shifted';
  /** The set from here on, by id, in the order of `sort`; it is a copy that does not change. */
  readonly records: ReadonlyMap<string, T>;
  readonly added: readonly { readonly id: string; readonly record: T }[];
  readonly changed: readonly RecordChange<T>[];
  readonly removed: readonly { readonly id: string; readonly previous: T }[];
  readonly cursor: string;
}

/** A record came into the set. */
export interface CreatedChange<T, EventName extends string = string> {
  readonly kind: 'created';
  readonly id: string;
  readonly record: T;
  readonly event: ChangeEvent<EventName>;
}

/** A record of the set has changed. */
export interface UpdatedChange<T, EventName extends string = string> extends RecordChange<T> {
  readonly kind: 'updated';
  readonly event: ChangeEvent<EventName>;
}

/**
 * A record is no longer in the set. `deleted`: it was deleted. `left-or-deleted`, with a filter: it was deleted, or exists but does not match
 * the filter any more. The protocol does not say which; `RostackClient.get` does.
 */
export interface RemovedChange<T, EventName extends string = string> {
  readonly kind: 'deleted' | 'left-or-deleted';
  readonly id: string;
  /** Undefined where the set did not hold it. */
  readonly previous: T | undefined;
  readonly event: ChangeEvent<EventName>;
}

/** The set is up to date; what follows is live. Comes again after each interruption, also one of a slow consumer's own making. */
export interface LiveChange {
  readonly kind: 'live';
}

/** What a follow tells, in order. */
export type FollowChange<T, EventName extends string = string> =
  | SnapshotChange<T>
  | CreatedChange<T, EventName>
  | UpdatedChange<T, EventName>
  | RemovedChange<T, EventName>
  | LiveChange;
