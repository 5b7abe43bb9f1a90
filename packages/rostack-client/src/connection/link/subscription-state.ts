import type { EventMessage } from 'rostack-core';
import type { ClientError } from '../../http/error/errors.ts';
import type { SubscriptionDefinition } from '../session/session-state.ts';

/** How many event ids are remembered. */
export const EVENT_WINDOW_SIZE = 1_024;

/** Where a subscription's events go. */
export interface SubscriptionSink {
  /** @returns false when it can take no more: the subscription is paused until it is resumed */
  onEvent(event: EventMessage, frameLength: number): boolean;
  /** All events since the cursor have come. */
  onCaughtUp(): void;
  /** The connection broke before there was a cursor to resume from: events may be missing here. */
  onGap(): void;
  /** The last connection that carried it is gone; what comes after the next one has subscribed ends with `onCaughtUp`. */
  onLost(): void;
  /** There will be no further event. */
  onEnded(error: ClientError): void;
}

/** One subscription across all connections that it is on: its definition, its cursor, and what it has seen. */
export class SubscriptionState {
  readonly id: string;
  /** What to ask for by the newest discovery document. @throws ClientError if the server no longer offers it */
  readonly define: () => SubscriptionDefinition;
  readonly sink: SubscriptionSink;
  readonly #window = new EventWindow();
  /** Of the last event that was taken. */
  cursor: string | undefined;
  isPaused = false;
  /** Whether a server has confirmed it before. */
  wasSubscribed = false;
  /** Events taken since a second connection subscribed as well. */
  overlapCount = 0;
  /** Whether the first connection has handed it over to the second one. */
  isRelieved = false;
  /** Temporary refusals since it was last confirmed. */
  failures = 0;
  /** Connections in a row on which the gateway broke the protocol for it. */
  violations = 0;
  /** Set while it waits for its next attempt. */
  callOffRetry: (() => void) | undefined;

  /** @param place the cursor, and the id of the event just before it, if they are known */
  constructor(
    id: string,
    define: () => SubscriptionDefinition,
    place: { readonly cursor: string | undefined; readonly seen: string | undefined },
    sink: SubscriptionSink,
  ) {
    this.id = id;
    this.define = define;
    this.cursor = place.cursor;
    if (place.seen !== undefined) this.#window.add(place.seen);
    this.sink = sink;
  }

  /** Takes an event that is new, and is paused when its consumer has no room for another. @returns whether it was taken */
  take(event: EventMessage, frameLength: number): boolean {
    if (this.isPaused || this.#window.has(event.event_id)) return false;
    this.#window.add(event.event_id);
    this.cursor = event.cursor;
    this.isPaused = !this.sink.onEvent(event, frameLength);
    return true;
  }
}

/** The newest event ids of a subscription, so that an event that comes twice is taken once. */
class EventWindow {
  readonly #ids = new Set<string>();

  has(eventId: string): boolean {
    return this.#ids.has(eventId);
  }

  add(eventId: string): void {
    this.#ids.add(eventId);
    if (this.#ids.size <= EVENT_WINDOW_SIZE) return;
    const [oldest] = this.#ids;
    if (oldest !== undefined) this.#ids.delete(oldest);
  }
}
