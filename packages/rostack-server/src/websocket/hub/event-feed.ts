import type { EventEncoding, Position } from 'rostack-core';
import type { SharedHalf } from '../delivery/shared-half.ts';
import type { FrameHalf } from '../delivery/text-frame.ts';
import type { EndReason } from '../session/session-input.ts';
import type { FilterGroup } from './filter-group.ts';

/** Where the events of a connection's feeds go. */
export interface FeedSink {
  /** True while so much waits that no more events should come. */
  readonly isFull: boolean;
  /** Takes one event, and writes it in this turn. */
  pushEvent(own: FrameHalf, shared: SharedHalf): void;
  /** Takes one event, and writes it soon, with those that follow. */
  pushReplayed(own: FrameHalf, shared: SharedHalf): void;
  /** The feed's replay reached the head. */
  feedCaughtUp(feed: EventFeed): void;
  /** The feed cannot go on. */
  feedEnded(feed: EventFeed, reason: EndReason): void;
}

/** What the holder of a feed needs of the hub that it belongs to. */
export interface FeedHub {
  /** Goes on with a feed that left the head, or has not come to it, because its sink was full. */
  resume(feed: EventFeed): void;
  remove(feed: EventFeed): void;
}

/** All feeds that ask for the same events. */
export type FeedGroup = FilterGroup<EventFeed>;

/** What a feed is made from. */
export interface NewEventFeed {
  readonly subscriptionId: string;
  readonly ticket: number;
  readonly hub: FeedHub;
  readonly group: FeedGroup;
  readonly encoding: EventEncoding;
  /** The constant half of each of its messages. */
  readonly own: FrameHalf;
  readonly sink: FeedSink;
  /** Events up to here are replay. */
  readonly replayTo: Position;
  /** Which start of the hub the positions belong to. */
  readonly era: number;
  /** Everything up to here was delivered or does not concern it; does not move while the feed is attached. */
  position: Position;
  /** Tag of the position, which says of which history it is. */
  tag: string;
  /** True until it reaches the head for the first time. */
  isReplaying: boolean;
}

/** The delivery of one subscription: a cursor into the log, and nothing that grows. */
export interface EventFeed extends NewEventFeed {
  /** Since when, on the monotonic clock, its next change is being fetched; undefined once it got it. */
  stalledSinceMs: number | undefined;
  /** True while it gets events as they come. */
  isAttached: boolean;
  isEnded: boolean;
}

export function createEventFeed(feed: NewEventFeed): EventFeed {
  return { ...feed, stalledSinceMs: undefined, isAttached: false, isEnded: false };
}
