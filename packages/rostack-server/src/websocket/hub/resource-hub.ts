import {
  type Change,
  type EventPosition,
  type Filter,
  type Head,
  type Position,
  type RecordSource,
  type Resource,
  SourceUnavailableError,
} from 'rostack-core';
import type { Clock } from '../clock.ts';
import type { EventFeed } from '../delivery/event-feed.ts';
import type { FrameHalf } from '../delivery/frame-half.ts';
import type { GatewayAlarm } from '../gateway-observer.ts';
import type { ResourceStatus } from '../gateway-options.ts';
import type { EndReason } from '../session/session-input.ts';
import { ChangeRing, type RingLimits } from './change-ring.ts';
import type { EventDataRules } from './event-data.ts';
import { EventFrames } from './event-frames.ts';
import { EventRules } from './event-rules.ts';
import { FilterGroup, groupKey } from './filter-group.ts';
import { FilterIndex } from './filter-index.ts';
import { HeadLooks } from './head-looks.ts';
import { LogChunks } from './log-chunks.ts';
import type { LogPlace } from './log-place.ts';
import { LogTail, type ResetReason } from './log-tail.ts';
import { LoggedChange } from './logged-change.ts';
import { OutOfOrderError } from './out-of-order-error.ts';

/** A replay that could go on and did not move for this long is told. */
const REPLAY_STALL_MS = 10_000;
const RING_READ_CHANGES = 512;

/** The alarm at cursors of another history is raised no more often. */
const FOREIGN_CURSOR_PAUSE_MS = 60_000;

/** As is the alarm at a source that fails when a subscription starts. */
const SOURCE_FAULT_PAUSE_MS = 1_000;

/** Where a subscription starts, and up to where what it gets is replay. */
export interface StartingPoint extends LogPlace {
  readonly replayTo: Position;
  /** Which start of the hub the positions belong to. */
  readonly era: number;
}

export interface ResourceHubOptions {
  readonly resource: Resource;
  readonly source: RecordSource;
  readonly clock: Clock;
  readonly data: EventDataRules;
  readonly ring: RingLimits;
  readonly minPollMs: number;
  readonly maxPollMs: number;
  readonly onAlarm: (alarm: GatewayAlarm) => void;
}

/** Everything that the subscribers of one resource share: the tail of its log, the newest changes, the filters. */
export class ResourceHub implements AsyncDisposable {
  readonly #options: ResourceHubOptions;
  readonly #rules: EventRules;
  readonly #frames: EventFrames;
  readonly #ring: ChangeRing;
  readonly #chunks: LogChunks;
  readonly #heads: HeadLooks;
  readonly #tail: LogTail;
  readonly #index = new FilterIndex();
  readonly #groups = new Map<string, FilterGroup>();
  readonly #feeds = new Set<EventFeed>();
  /** Attached feeds beyond what the tail has handed on. */
  readonly #ahead = new Set<EventFeed>();
  #position: Position = 0;
  #tag = '';
  #epoch = '';
  #era = 0;
  #isStallTold = false;
  #foreignCursorAtMs = Number.NEGATIVE_INFINITY;
  #sourceFaultAtMs = Number.NEGATIVE_INFINITY;
  #changes = 0;
  #events = 0;
  #ringHits = 0;
  #ringMisses = 0;

  constructor(options: ResourceHubOptions) {
    const { resource, source, clock, minPollMs, maxPollMs } = options;
    this.#options = options;
    this.#rules = new EventRules(resource);
    this.#frames = new EventFrames({ resource: resource.name, data: options.data, onAlarm: options.onAlarm });
    this.#ring = new ChangeRing(options.ring);
    this.#chunks = new LogChunks(source);
    this.#heads = new HeadLooks(source);
    this.#tail = new LogTail({
      source,
      clock,
      minPollMs,
      maxPollMs,
      onStart: (head) => this.#startAt(head),
      onChange: (change) => this.#take(change),
      onReset: (reason, head) => this.#reset(reason, head),
      onFault: (error) => this.#faultOfTail(error),
    });
  }

  /** Position of the last change that attached feeds were given. */
  get position(): Position {
    return this.#position;
  }

  get feedCount(): number {
    return this.#feeds.size;
  }

  get clock(): Clock {
    return this.#options.clock;
  }

  get status(): ResourceStatus {
    let oldestPosition: Position | undefined;
    for (const feed of this.#feeds) {
      const position = feed.isAttached ? this.#position : feed.position;
      if (oldestPosition === undefined || position < oldestPosition) oldestPosition = position;
    }
    return {
      resource: this.#options.resource.name,
      behindMs: this.#tail.behindMs,
      fault: this.#tail.fault,
      replayStalledMs: this.#replayStalledMs(),
      position: this.#position,
      oldestPosition,
      subscriptions: this.#feeds.size,
      changes: this.#changes,
      events: this.#events,
      ringHits: this.#ringHits,
      ringMisses: this.#ringMisses,
    };
  }

  /**
   * Finds where a subscription starts: now, or at a cursor if the log still reaches back to it.
   * @returns undefined when the cursor cannot be used
   * @throws SourceUnavailableError when the source cannot be reached
   */
  async locate(from: EventPosition | undefined): Promise<StartingPoint | undefined> {
    await this.#asked(this.#tail.start());
    const era = this.#era;
    if (from === undefined) {
      return { position: this.#position, tag: this.#tag, replayTo: this.#position, era };
    }
    const head = await this.#asked(this.#heads.look());
    if (from.epoch !== head.epoch || from.position < head.floor) return undefined;
    const tag =
      from.position === head.position
        ? head.tag
        : await this.#asked(this.#options.source.tagAt(from.position));
    if (tag !== from.tag) {
      this.#tellForeignCursor(from, head);
      return undefined;
    }
    if (head.epoch !== this.#epoch) {
      this.#tail.doubt();
      throw new SourceUnavailableError('The log has a new history that is not followed yet.');
    }
    return { position: from.position, tag, replayTo: head.position, era };
  }

  /** The group of all subscriptions that ask for the same events. */
  groupOf(filter: Filter | undefined, eventTypes: readonly string[]): FilterGroup {
    const key = groupKey(filter, eventTypes);
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const group = new FilterGroup(this.#rules, filter, eventTypes);
    this.#groups.set(key, group);
    this.#index.add(group);
    return group;
  }

  /** Takes a feed in, which gets nothing until it is attached; ends it if the hub made a new start since it was located. */
  add(feed: EventFeed): void {
    this.#feeds.add(feed);
    feed.group.feedCount += 1;
    if (feed.era !== this.#era) this.end(feed, 'cursor_unavailable');
  }

  /** Lets a feed go. */
  remove(feed: EventFeed): void {
    if (!this.#feeds.delete(feed)) return;
    feed.isEnded = true;
    this.#release(feed);
    feed.group.feedCount -= 1;
    if (feed.group.feedCount === 0) {
      this.#groups.delete(feed.group.key);
      this.#index.remove(feed.group);
    }
  }

  /** Gives a feed that stands at the head, or beyond what this hub has seen, the events to come. */
  attach(feed: EventFeed): void {
    if (feed.position === this.#position && feed.tag !== this.#tag) {
      this.#endForeign(feed);
      return;
    }
    feed.isAttached = true;
    feed.group.attached[feed.encoding].add(feed);
    if (feed.position > this.#position) this.#ahead.add(feed);
    if (!feed.isReplaying) return;
    feed.isReplaying = false;
    feed.sink.feedCaughtUp(feed);
  }

  /** Ends a feed and says so. */
  end(feed: EventFeed, reason: EndReason): void {
    if (feed.isEnded) return;
    this.remove(feed);
    feed.sink.feedEnded(feed, reason);
  }

  /** Ends a feed whose filter or events cannot be worked out. */
  fail(feed: EventFeed, error: unknown): void {
    if (feed.isEnded) return;
    this.#alarm({ kind: 'subscription_failed', resource: this.#options.resource.name, error });
    this.end(feed, 'internal_error');
  }

  /** Ends a feed that was given another change than its next one; what is in memory is not trusted any more. */
  refuse(feed: EventFeed, error: OutOfOrderError): void {
    this.#raiseOutOfOrder(error);
    this.#ring.clear();
    this.#chunks.clear();
    this.end(feed, 'cursor_unavailable');
  }

  /** Raises an alarm when a replay stopped moving, once until all move again. */
  checkReplay(): void {
    const stalledMs = this.#replayStalledMs() ?? 0;
    const isStalled = stalledMs >= REPLAY_STALL_MS;
    if (isStalled && !this.#isStallTold) {
      this.#alarm({ kind: 'replay_stalled', resource: this.#options.resource.name, stalledMs });
    }
    this.#isStallTold = isStalled;
  }

  /** True when all that a feed has to be given before live events is given. */
  isAtHead({ position, replayTo }: EventFeed): boolean {
    return position >= this.#position && position >= replayTo;
  }

  /** The next changes for a feed that is not at the head, from memory if they are there. */
  changesFor(feed: EventFeed): readonly LoggedChange[] | Promise<readonly LoggedChange[]> {
    const recent = this.#ring.after(feed, RING_READ_CHANGES);
    if (recent !== undefined && recent.length > 0) {
      this.#ringHits += 1;
      return recent;
    }
    this.#ringMisses += 1;
    return this.#chunks.kept(feed) ?? this.#chunks.read(feed);
  }

  /** The shared part of the event that a change is to a feed; undefined when it is none. */
  eventFor(feed: EventFeed, logged: LoggedChange): FrameHalf | undefined {
    const descriptor = feed.group.eventOf(logged);
    if (descriptor === undefined) return undefined;
    this.#events += 1;
    return this.#frames.shared(logged, descriptor, feed.encoding, this.#epoch);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tail[Symbol.asyncDispose]();
  }

  #take(change: Change): void {
    const logged = new LoggedChange(change, this.#tag);
    const next = this.#position + 1;
    if (change.position !== next) throw new OutOfOrderError(next, change.position);
    this.#ring.push(logged);
    this.#position = next;
    this.#tag = change.tag;
    this.#changes += 1;
    for (const feed of this.#ahead) this.#meet(feed);
    try {
      this.#index.visit(logged, (group) => this.#publish(group, logged));
    } catch (error) {
      for (const feed of this.#feeds) if (feed.isAttached) this.fail(feed, error);
    }
  }

  #publish(group: FilterGroup, logged: LoggedChange): void {
    if (group.attachedCount === 0) return;
    try {
      const descriptor = group.eventOf(logged);
      if (descriptor === undefined) return;
      for (const encoding of ['json', 'compact-json'] as const) {
        const feeds = group.attached[encoding];
        if (feeds.size === 0) continue;
        const shared = this.#frames.shared(logged, descriptor, encoding, this.#epoch);
        this.#fanOut(feeds, shared, logged);
      }
    } catch (error) {
      for (const feed of [...group.attached.json, ...group.attached['compact-json']]) this.fail(feed, error);
    }
  }

  #fanOut(feeds: ReadonlySet<EventFeed>, shared: FrameHalf, { position, tagBefore }: LoggedChange): void {
    for (const feed of feeds) {
      if (position <= feed.position) continue;
      if (feed.sink.isFull) {
        this.#release(feed);
        feed.position = position - 1;
        feed.tag = tagBefore;
        feed.sink.feedDetached(feed);
      } else {
        this.#events += 1;
        feed.sink.pushEvent(feed.own, shared);
      }
    }
  }

  /** Lets the tail come up with a feed that was ahead of it, if both are in the same history. */
  #meet(feed: EventFeed): void {
    if (feed.position > this.#position) return;
    this.#ahead.delete(feed);
    if (feed.tag !== this.#tag) this.#endForeign(feed);
  }

  /** Ends a feed in another history than the tail's: one of the two is no longer the database's. */
  #endForeign(feed: EventFeed): void {
    this.#tail.doubt();
    this.end(feed, 'cursor_unavailable');
  }

  /** What the source gives; a failure is told, once a second at most, and is the subscriber's to try again. */
  async #asked<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      const nowMs = this.clock.monotonicMs();
      if (nowMs - this.#sourceFaultAtMs >= SOURCE_FAULT_PAUSE_MS) {
        this.#sourceFaultAtMs = nowMs;
        this.#alarm({ kind: 'source_fault', resource: this.#options.resource.name, error });
      }
      throw error;
    }
  }

  #tellForeignCursor({ position }: EventPosition, head: Head): void {
    const nowMs = this.clock.monotonicMs();
    if (nowMs - this.#foreignCursorAtMs < FOREIGN_CURSOR_PAUSE_MS) return;
    this.#foreignCursorAtMs = nowMs;
    const { name: resource } = this.#options.resource;
    this.#alarm({ kind: 'foreign_cursor', resource, position, headPosition: head.position });
  }

  #release(feed: EventFeed): void {
    feed.isAttached = false;
    this.#ahead.delete(feed);
    feed.group.attached[feed.encoding].delete(feed);
  }

  /** How long the replay is stuck that is stuck the longest; undefined when none is. */
  #replayStalledMs(): number | undefined {
    let sinceMs: number | undefined;
    for (const { stalledSinceMs, isAttached, sink } of this.#feeds) {
      if (stalledSinceMs === undefined || isAttached || sink.isFull) continue;
      sinceMs = Math.min(sinceMs ?? stalledSinceMs, stalledSinceMs);
    }
    return sinceMs === undefined ? undefined : this.clock.monotonicMs() - sinceMs;
  }

  #startAt({ position, tag, epoch }: Head): void {
    this.#era += 1;
    this.#position = position;
    this.#tag = tag;
    this.#epoch = epoch;
  }

  #reset(reason: ResetReason, head: Head): void {
    this.#alarm({ kind: 'log_reset', resource: this.#options.resource.name, reason });
    this.#ring.clear();
    this.#chunks.clear();
    this.#startAt(head);
    for (const feed of this.#feeds) this.end(feed, 'cursor_unavailable');
  }

  #faultOfTail(error: unknown): void {
    if (error instanceof OutOfOrderError) this.#raiseOutOfOrder(error);
    else this.#alarm({ kind: 'source_fault', resource: this.#options.resource.name, error });
  }

  #raiseOutOfOrder({ expected, found }: OutOfOrderError): void {
    this.#alarm({ kind: 'out_of_order', resource: this.#options.resource.name, expected, found });
  }

  #alarm(alarm: GatewayAlarm): void {
    this.#options.onAlarm(alarm);
  }
}
