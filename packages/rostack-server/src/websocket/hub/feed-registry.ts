import type { Filter, Position, Resource } from 'rostack-core';
import type { EventFeed, FeedGroup } from './event-feed.ts';
import { EventRules, FilterGroup, groupKey } from './filter-group.ts';
import { FilterIndex } from './filter-index.ts';
import type { LoggedChange } from './logged-change.ts';

/** The feeds of one resource, grouped by the events that they ask for. */
export class FeedRegistry {
  readonly #rules: EventRules;
  readonly #index = new FilterIndex();
  readonly #groups = new Map<string, FeedGroup>();
  readonly #feeds = new Set<EventFeed>();

  constructor(resource: Resource) {
    this.#rules = new EventRules(resource);
  }

  get size(): number {
    return this.#feeds.size;
  }

  [Symbol.iterator](): Iterator<EventFeed> {
    return this.#feeds.values();
  }

  /** The group of all subscriptions that ask for the same events. */
  groupOf(filter: Filter | undefined, eventTypes: readonly string[]): FeedGroup {
    const key = groupKey(filter, eventTypes);
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const group = new FilterGroup<EventFeed>(this.#rules, filter, eventTypes);
    this.#groups.set(key, group);
    this.#index.add(group);
    return group;
  }

  add(feed: EventFeed): void {
    this.#feeds.add(feed);
    feed.group.feedCount += 1;
  }

  /** Removes a feed, and its group if it was the last one; false if the feed was not there. */
  remove(feed: EventFeed): boolean {
    if (!this.#feeds.delete(feed)) return false;
    const { group } = feed;
    group.feedCount -= 1;
    if (group.feedCount === 0) {
      this.#groups.delete(group.key);
      this.#index.remove(group);
    }
    return true;
  }

  /** Calls `visit` once for each group that may match the record before or after the change. */
  visit(logged: LoggedChange, visit: (group: FeedGroup) => void): void {
    this.#index.visit(logged, visit);
  }

  /** The position of the feed that is furthest behind; undefined if there is none. */
  oldestPosition(head: Position): Position | undefined {
    let oldest: Position | undefined;
    for (const feed of this.#feeds) {
      const position = feed.isAttached ? head : feed.position;
      if (oldest === undefined || position < oldest) oldest = position;
    }
    return oldest;
  }

  /** How long the longest stalled replay has not moved although its client reads; undefined if all move. */
  replayStalledMs(nowMs: number): number | undefined {
    let sinceMs: number | undefined;
    for (const { stalledSinceMs, isAttached, sink } of this.#feeds) {
      if (stalledSinceMs === undefined || isAttached || sink.isFull) continue;
      sinceMs = Math.min(sinceMs ?? stalledSinceMs, stalledSinceMs);
    }
    return sinceMs === undefined ? undefined : nowMs - sinceMs;
  }
}
