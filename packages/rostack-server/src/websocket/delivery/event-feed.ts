import type { EventEncoding, Position } from 'rostack-core';
import type { FilterGroup } from '../hub/filter-group.ts';
import type { ResourceHub } from '../hub/resource-hub.ts';
import type { EndReason } from '../session/session-input.ts';
import type { FrameHalf } from './frame-half.ts';

/** Where the events of a connection's feeds go. */
export interface FeedSink {
  /** True while so much waits that no more events should come. */
  readonly isFull: boolean;
  /** Takes one event. */
  pushEvent(own: FrameHalf, shared: FrameHalf): void;
  /** The feed left the head because the sink was full. */
  feedDetached(feed: EventFeed): void;
  /** The feed's replay reached the head. */
  feedCaughtUp(feed: EventFeed): void;
  /** The feed cannot go on. */
  feedEnded(feed: EventFeed, reason: EndReason): void;
}

export interface EventFeedOptions {
  readonly subscriptionId: string;
  readonly ticket: number;
  readonly hub: ResourceHub;
  readonly group: FilterGroup;
  readonly encoding: EventEncoding;
  /** The constant half of each of its messages. */
  readonly own: FrameHalf;
  readonly sink: FeedSink;
  readonly position: Position;
  /** Tag of the position. */
  readonly tag: string;
  /** Events up to here are replay. */
  readonly replayTo: Position;
  readonly isReplaying: boolean;
  /** Which start of the hub the positions belong to. */
  readonly era: number;
}

/** The delivery of one subscription: a cursor into the log, and nothing that grows. */
export class EventFeed {
  readonly subscriptionId: string;
  readonly ticket: number;
  readonly hub: ResourceHub;
  readonly group: FilterGroup;
  readonly encoding: EventEncoding;
  readonly own: FrameHalf;
  readonly sink: FeedSink;
  /** Everything up to here was delivered or is of no concern; does not move while the feed is attached. */
  position: Position;
  /** Tag of the position, which says of which history it is. */
  tag: string;
  /** True until the first time it stands at the head. */
  isReplaying: boolean;
  readonly replayTo: Position;
  readonly era: number;
  /** Since when, on the monotonic clock, it has been tried to give it its next change; undefined when it got it. */
  stalledSinceMs: number | undefined;
  isAttached = false;
  isEnded = false;

  constructor(options: EventFeedOptions) {
    this.subscriptionId = options.subscriptionId;
    this.ticket = options.ticket;
    this.hub = options.hub;
    this.group = options.group;
    this.encoding = options.encoding;
    this.own = options.own;
    this.sink = options.sink;
    this.position = options.position;
    this.tag = options.tag;
    this.replayTo = options.replayTo;
    this.isReplaying = options.isReplaying;
    this.era = options.era;
  }
}
