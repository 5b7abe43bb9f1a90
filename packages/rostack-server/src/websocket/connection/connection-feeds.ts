import { createEventEncoder, visibleFilter } from 'rostack-core';
import { encodeFrameHalf } from '../delivery/text-frame.ts';
import { CatchUp } from '../hub/catch-up.ts';
import { createEventFeed, type EventFeed, type FeedSink } from '../hub/event-feed.ts';
import type { ResourceHub } from '../hub/resource-hub.ts';
import type { StartingPoint } from '../hub/start-locator.ts';
import type { Clock } from '../options/clock.ts';
import type { RequestedSubscription } from '../session/session-state.ts';

/** The feeds of one connection's open subscriptions, by subscription id. */
export class ConnectionFeeds {
  readonly #sink: FeedSink;
  readonly #feeds = new Map<string, EventFeed>();
  readonly #catchUp: CatchUp;

  constructor(sink: FeedSink, clock: Clock) {
    this.#sink = sink;
    this.#catchUp = new CatchUp(sink, clock);
  }

  /** Delivers the events of a subscription from its starting point on. */
  start(hub: ResourceHub, ticket: number, requested: RequestedSubscription, start: StartingPoint): void {
    const { subscriptionId, encoding, scopeTag, visibility } = requested;
    const pieces = createEventEncoder(encoding).subscriptionPieces(subscriptionId, scopeTag);
    const feed = createEventFeed({
      subscriptionId,
      ticket,
      hub,
      group:
        visibility.kind === 'none'
          ? hub.groupOf(undefined, [])
          : hub.groupOf(visibleFilter(visibility, requested.filter), requested.eventTypes),
      encoding,
      own: encodeFrameHalf(pieces),
      sink: this.#sink,
      ...start,
      isReplaying: requested.from !== undefined,
    });
    this.#feeds.set(subscriptionId, feed);
    hub.add(feed);
    if (!feed.isEnded) this.#catchUp.add(feed);
  }

  /** Takes a feed that left the head. */
  detached(feed: EventFeed): void {
    this.#catchUp.add(feed);
  }

  /** The sink takes events again. */
  wake(): void {
    this.#catchUp.wake();
  }

  stop(subscriptionId: string, ticket: number): void {
    const feed = this.#feeds.get(subscriptionId);
    if (feed?.ticket !== ticket) return;
    this.#feeds.delete(subscriptionId);
    this.#catchUp.remove(feed);
    feed.hub.remove(feed);
  }

  stopAll(): void {
    this.#catchUp.close();
    for (const feed of this.#feeds.values()) feed.hub.remove(feed);
    this.#feeds.clear();
  }
}
