import type { EventMessage, Transition } from 'rostack-core';

/** One event of a resource (protocol section 7). */
export interface ResourceEvent<D> {
  /** Distinguishes the event from other messages. */
  readonly kind: 'event';
  /** Unique and stable over all deliveries. */
  readonly eventId: string;
  /** Subscribe with it to continue after this event. */
  readonly cursor: string;
  /** RFC 3339. */
  readonly occurredAt: string;
  /** Name of the event descriptor, such as `station.created`. */
  readonly eventType: string;
  /** With a filter, `delete` means that the record left the filter or was deleted, and `create` that it entered it or was created. */
  readonly transition: Transition;
  /** Text of the record's id. */
  readonly resourceId: string;
  /** Opaque name of the record's revision, which is also the item's ETag. */
  readonly resourceVersion: string;
  /** The https URL of the item, if the server sends one; `RostackClient.get` does not need it. */
  readonly detailUrl: string | undefined;
  /** Undefined if the server sent none. */
  readonly data: D | undefined;
}

/** All events since the cursor have been returned; what follows is live. Comes again after each reconnection. */
export interface CaughtUp {
  /** Distinguishes the message from others. */
  readonly kind: 'caught_up';
}

/** The connection broke before the first event, of a subscription without a cursor: events may be missing here. */
export interface Gap {
  /** Distinguishes the message from others. */
  readonly kind: 'gap';
}

/** Nothing has happened for a while: continuing from this cursor loses nothing, and the server keeps it longer than an older one. */
export interface Bookmark {
  /** Distinguishes the message from others. */
  readonly kind: 'bookmark';
  /** The newer event position. */
  readonly cursor: string;
}

/** What a subscription yields: events, and what has to be known about the place in the log. */
export type SubscriptionMessage<D, Event = ResourceEvent<D>> = Event | CaughtUp | Gap | Bookmark;

export function toResourceEvent<D>(
  message: EventMessage,
  transition: Transition,
  data: D | undefined,
): ResourceEvent<D> {
  return {
    kind: 'event',
    eventId: message.event_id,
    cursor: message.cursor,
    occurredAt: message.occurred_at,
    eventType: message.event_type,
    transition,
    resourceId: message.resource_id,
    resourceVersion: message.resource_version,
    detailUrl: message.detail_url,
    data,
  };
}
