import type { EventMessage, Transition } from 'rostack-core';

/** One event of a resource (protocol section 7). */
export interface ResourceEvent<D> {
  readonly kind: 'event';
  readonly eventId: string;
  /** Subscribing with it goes on after this event. */
  readonly cursor: string;
  /** RFC 3339. */
  readonly occurredAt: string;
  /** Name of the event descriptor, such as `station.created`. */
  readonly eventType: string;
  /** With a filter, `delete` means that the record left the filter or was deleted, and `create` that it came in or was made. */
  readonly transition: Transition;
  readonly resourceId: string;
  readonly resourceVersion: string;
  readonly detailUrl: string | undefined;
  /** Undefined where the server sent none. */
  readonly data: D | undefined;
}

/** All events since the cursor have been given out; what follows is live. Comes again after each reconnection. */
export interface CaughtUp {
  readonly kind: 'caught_up';
}

/** The connection broke before the first event, of a subscription without a cursor: events may be missing here. */
export interface Gap {
  readonly kind: 'gap';
}

/** Nothing has happened for a while: going on after this cursor loses nothing, and the server keeps it for longer than an older one. */
export interface Bookmark {
  readonly kind: 'bookmark';
  readonly cursor: string;
}

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
