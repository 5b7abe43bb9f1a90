import type { EventEncoding, Position } from 'rostack-core';
import type { SharedPayload } from '../delivery/shared-payload.ts';
import type { FrameHalf } from '../delivery/text-frame.ts';
import type { EndReason } from '../session/session-input.ts';
import type { FilterGroup } from './filter-group.ts';

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
