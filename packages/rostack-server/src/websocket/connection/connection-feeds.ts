import { visibleFilter } from 'rostack-core';
import { createEventFeed, type EventFeed, type FeedSink } from '../hub/feed/event-feed.ts';
import type { StartingPoint } from '../hub/replay/start-locator.ts';
import type { ResourceHub } from '../hub/resource-hub.ts';
import type { RequestedSubscription } from '../session/session-state.ts';

/** The feeds of one connection's open subscriptions, by subscription id. */
export class ConnectionFeeds {
  readonly #sink: FeedSink;
  readonly #feeds = new Map<string, EventFeed>();

  constructor(sink: FeedSink) {
    this.#sink = sink;
  }

  /** Delivers the events of a subscription from its starting point on. */
  start(hub: ResourceHub, ticket: number, requested: RequestedSubscription, start: StartingPoint): void {
    const { subscriptionId, encoding, scopeTag, visibility } = requested;
    const feed = createEventFeed({
      subscriptionId,
      ticket,
      hub,
      group:
        visibility.kind === 'none'
          ? hub.groupOf(undefined, [])
          : hub.groupOf(visibleFilter(visibility, requested.filter), requested.eventTypes),
      encoding,
      own: hub.ownHalf(encoding, subscriptionId, scopeTag),
      sink: this.#sink,
      ...start,
      isReplaying: requested.from !== undefined,
    });
    this.#feeds.set(subscriptionId, feed);
    hub.add(feed);
  }

  /** Called when the sink takes events again. */
  wake(): void {
    for (const feed of this.#feeds.values()) feed.hub.resume(feed);
  }

  stop(subscriptionId: string, ticket: number): void {
    const feed = this.#feeds.get(subscriptionId);
    if (feed?.ticket !== ticket) return;
    this.#feeds.delete(subscriptionId);
    feed.hub.remove(feed);
  }

  stopAll(): void {
    for (const feed of this.#feeds.values()) feed.hub.remove(feed);
    this.#feeds.clear();
  }
}
