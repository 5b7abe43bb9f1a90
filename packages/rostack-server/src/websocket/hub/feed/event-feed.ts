import {
  type Change,
  canonicalizeFilter,
  compileFilter,
  type EventDescriptor,
  type EventEncoding,
  type Filter,
  filterTransition,
  type JsonValue,
  type Position,
  type Resource,
  type Transition,
} from 'rostack-core';
import type { FrameHalf, SharedPayload } from '../../delivery/text-frame.ts';
import type { EndReason } from '../../session/session-input.ts';
import type { LoggedChange } from '../log/logged-change.ts';

/** Finds the event of a change, by the resource's descriptors. */
export class EventRules {
  readonly #byName: ReadonlyMap<string, EventDescriptor>;
  readonly #byTransition: ReadonlyMap<Transition, EventDescriptor>;

  constructor(resource: Resource) {
    this.#byName = new Map(resource.events.map((descriptor) => [descriptor.name, descriptor]));
    this.#byTransition = new Map(
      resource.events.map((descriptor) => [descriptor.state_transition, descriptor]),
    );
  }

  /** The event that the producer named; undefined if it named none, or one that is not advertised. */
  descriptorOf(change: Change): EventDescriptor | undefined {
    return change.eventType === undefined ? undefined : this.#byName.get(change.eventType);
  }

  /** The event of a transition; resources that filter events have exactly one for each. */
  descriptorFor(transition: Transition | undefined): EventDescriptor | undefined {
    return transition === undefined ? undefined : this.#byTransition.get(transition);
  }
}

/** All subscriptions of a resource that ask for the same events: one compiled filter and one set of types. */
export class FilterGroup<Feed> {
  readonly key: string;
  readonly filter: Filter | undefined;
  readonly #matches: ((record: JsonValue) => boolean) | undefined;
  readonly #eventTypes: ReadonlySet<string>;
  readonly #rules: EventRules;
  /** The feeds at the head, which get events as they come. */
  readonly attached: Readonly<Record<EventEncoding, Set<Feed>>> = {
    json: new Set(),
    'compact-json': new Set(),
  };
  /** All feeds, including those that are catching up. */
  feedCount = 0;
  /** Number of the last visit of the index to this group. */
  visitedBy = 0;

  constructor(rules: EventRules, filter: Filter | undefined, eventTypes: readonly string[]) {
    this.key = groupKey(filter, eventTypes);
    this.filter = filter;
    this.#matches = filter === undefined ? undefined : compileFilter(filter);
    this.#eventTypes = new Set(eventTypes);
    this.#rules = rules;
  }

  get attachedCount(): number {
    return this.attached.json.size + this.attached['compact-json'].size;
  }

  /** The event that a change means for these subscriptions; undefined if none. */
  eventOf(logged: LoggedChange): EventDescriptor | undefined {
    const descriptor =
      this.#matches === undefined
        ? this.#rules.descriptorOf(logged.change)
        : this.#rules.descriptorFor(filterTransition(logged.before, logged.after, this.#matches));
    return descriptor !== undefined && this.#eventTypes.has(descriptor.name) ? descriptor : undefined;
  }
}

/** The same key for all requests for the same events, whatever the order of their members. */
export function groupKey(filter: Filter | undefined, eventTypes: readonly string[]): string {
  const types = [...new Set(eventTypes)].sort();
  return JSON.stringify([types, filter === undefined ? null : canonicalizeFilter(filter)]);
}

/** Where the events of a connection's feeds go. */
export interface FeedSink {
  /** True while so much is waiting that no more events should be pushed. */
  readonly isFull: boolean;
  /** Takes one event and writes it in this turn. */
  pushEvent(own: FrameHalf, shared: SharedPayload): void;
  /** Takes one event and writes it soon, together with those that follow. */
  pushReplayed(own: FrameHalf, shared: SharedPayload): void;
  /** The feed's replay reached the head. */
  feedCaughtUp(feed: EventFeed): void;
  /** The feed cannot continue. */
  feedEnded(feed: EventFeed, reason: EndReason): void;
}

/** What the holder of a feed needs from the feed's hub. */
export interface FeedHub {
  /** Continues a feed that left the head, or has not reached it, because its sink was full. */
  resume(feed: EventFeed): void;
  remove(feed: EventFeed): void;
}

/** All feeds that ask for the same events. */
export type FeedGroup = FilterGroup<EventFeed>;

/** What a feed is created from. */
export interface NewEventFeed {
  readonly subscriptionId: string;
  readonly ticket: number;
  readonly hub: FeedHub;
  readonly group: FeedGroup;
  readonly encoding: EventEncoding;
  /** The half that is the same in each of its messages. */
  readonly own: FrameHalf;
  readonly sink: FeedSink;
  /** Events up to here are replay. */
  readonly replayTo: Position;
  /** Which start of the hub the positions belong to. */
  readonly generation: number;
  /** Everything up to here was delivered or does not concern the feed; it does not move while the feed is attached. */
  position: Position;
  /** Tag of the position, which identifies its history. */
  tag: string;
  /** True until it reaches the head for the first time. */
  isReplaying: boolean;
}

/** The delivery state of one subscription: a cursor into the log, and nothing that grows. */
export interface EventFeed extends NewEventFeed {
  /** When, on the monotonic clock, the feed started to wait for its next change; undefined once it has it. */
  stalledSinceMs: number | undefined;
  /** True while it gets events as they come. */
  isAttached: boolean;
  isEnded: boolean;
}

export function createEventFeed(feed: NewEventFeed): EventFeed {
  return { ...feed, stalledSinceMs: undefined, isAttached: false, isEnded: false };
}
