import {
  type Change,
  type EventEncoding,
  type EventPosition,
  type Filter,
  type Head,
  isLogHole,
  type PositionExpiredError,
  type RecordSource,
  type Resource,
} from 'rostack-core';
import type { HistoryTexts } from '../../guard/history-texts.ts';
import type { Delivery, GatewayAlarm, ResetReason } from '../../options/gateway-hooks.ts';
import type { FrameHalf, SharedPayload } from '../delivery/text-frame.ts';
import type { WriteRound } from '../delivery/write-round.ts';
import type { Clock } from '../options/clock.ts';
import type { ResourceStatus } from '../options/gateway-options.ts';
import { Throttle } from '../options/throttle.ts';
import type { EndReason } from '../session/session-input.ts';
import type { EventDataRules } from './feed/event-data.ts';
import type { EventFeed, FeedGroup, FeedHub } from './feed/event-feed.ts';
import { EventFrames } from './feed/event-frames.ts';
import { FeedRegistry } from './feed/feed-registry.ts';
import type { RingLimits } from './log/change-ring.ts';
import { type LogPosition, OutOfOrderError } from './log/log-position.ts';
import { LogReader } from './log/log-reader.ts';
import { LogTail } from './log/log-tail.ts';
import { LoggedChange } from './log/logged-change.ts';
import { Replay, type ReplayedLog } from './replay/replay.ts';
import type { ReplayedEvent } from './replay/replay-slice.ts';
import { type FollowedLog, type StartingPoint, StartLocator } from './replay/start-locator.ts';

/** A replay that could continue but has not moved for this long raises an alarm. */
const REPLAY_STALL_MS = 10_000;
/** Pause between alarms: an unavailable source fails at each poll and for each subscriber. */
const SOURCE_FAULT_PAUSE_MS = 60_000;

export interface ResourceHubOptions {
  readonly resource: Resource;
  readonly source: RecordSource;
  readonly history: HistoryTexts;
  readonly clock: Clock;
  /** The round in which all connections of the gateway write. */
  readonly round: WriteRound;
  readonly data: EventDataRules;
  readonly ring: RingLimits;
  readonly minPollMs: number;
  readonly maxPollMs: number;
  readonly onAlarm: (alarm: GatewayAlarm) => void;
  /** Undefined if no hook needs it. */
  readonly onDelivered: ((delivery: Delivery) => void) | undefined;
}

/** Everything that the subscribers of one resource share: it follows the log once and gives each feed its events. */
export class ResourceHub implements FeedHub, ReplayedLog, AsyncDisposable {
  readonly #name: string;
  readonly #clock: Clock;
  readonly #alarm: (alarm: GatewayAlarm) => void;
  readonly #round: WriteRound;
  readonly #delivered: ((delivery: Delivery) => void) | undefined;
  readonly #frames: EventFrames;
  readonly #reader: LogReader;
  readonly #tail: LogTail;
  readonly #starts: StartLocator;
  readonly #feeds: FeedRegistry;
  readonly #replay: Replay;
  readonly #sourceFaults = new Throttle(SOURCE_FAULT_PAUSE_MS);
  /** A replica that falls back does not invalidate cursors: clients that come back are judged by their own cursor. */
  readonly #reasonOfReset: EndReason;
  /** Attached feeds that are ahead of what the tail has passed on. */
  readonly #ahead = new Set<EventFeed>();
  /** The last change that attached feeds were given. */
  #followed: FollowedLog = { position: 0, tag: '', epoch: '', generation: 0 };
  /** The furthest place that a subscriber has reached before the tail: it may know the log up to there. */
  #seenAhead: LogPosition | undefined;
  #isStallAlarmed = false;
  #changes = 0;
  #events = 0;

  constructor(options: ResourceHubOptions) {
    const { resource, source, clock, data, onAlarm, minPollMs, maxPollMs } = options;
    this.#name = resource.name;
    this.#clock = clock;
    this.#alarm = onAlarm;
    this.#round = options.round;
    this.#delivered = options.onDelivered;
    this.#frames = new EventFrames({ resource: resource.name, history: options.history, data, onAlarm });
    this.#feeds = new FeedRegistry(resource);
    this.#reasonOfReset = source.waitForPosition === undefined ? 'cursor_unavailable' : 'service_unavailable';
    this.#reader = new LogReader(source, options.ring);
    this.#replay = new Replay(this, clock);
    this.#tail = new LogTail({
      source,
      clock,
      minPollMs,
      maxPollMs,
      onStart: (head) => this.#startAt(head),
      seenAhead: () => this.#seenAhead,
      onChange: (change) => this.#take(change),
      onReset: (reason, head) => this.#reset(reason, head),
      onFault: (error) => {
        if (error instanceof OutOfOrderError) this.#outOfOrder(error);
        else this.#sourceFault(error);
      },
    });
    this.#starts = new StartLocator({
      resource: resource.name,
      source,
      clock,
      tail: this.#tail,
      followed: () => this.#followed,
      onAlarm,
      onFault: (error) => this.#sourceFault(error),
    });
  }

  get status(): ResourceStatus {
    const { position } = this.#followed;
    return {
      resource: this.#name,
      behindMs: this.#tail.behindMs,
      fault: this.#tail.fault,
      replayStalledMs: this.#replayStalledMs(),
      position,
      oldestPosition: this.#feeds.oldestPosition(position),
      subscriptions: this.#feeds.size,
      changes: this.#changes,
      events: this.#events,
      ...this.#reader.counts,
    };
  }

  /** @see StartLocator.locate */
  locate(from: EventPosition | undefined): Promise<StartingPoint | undefined> {
    return this.#starts.locate(from);
  }

  /** @see EventFrames.own */
  ownHalf(encoding: EventEncoding, subscriptionId: string, scopeTag: string): FrameHalf {
    return this.#frames.own(encoding, subscriptionId, scopeTag);
  }

  /** The group of all subscriptions that ask for the same events. */
  groupOf(filter: Filter | undefined, eventTypes: readonly string[]): FeedGroup {
    return this.#feeds.groupOf(filter, eventTypes);
  }

  /**
   * Adds a feed and gives it everything from its place on. If the hub has started again since the feed was located, it is unknown to which
   * start its cursor belongs, so the feed ends and the client has to come back.
   */
  add(feed: EventFeed): void {
    this.#feeds.add(feed);
    if (feed.generation === this.#followed.generation) this.#replay.join(feed);
    else this.end(feed, 'service_unavailable');
  }

  resume(feed: EventFeed): void {
    if (!feed.isAttached && !feed.isEnded) this.#replay.add(feed);
  }

  /** Removes a feed. */
  remove(feed: EventFeed): void {
    if (!this.#feeds.remove(feed)) return;
    feed.isEnded = true;
    this.#replay.remove(feed);
    this.#detach(feed);
  }

  /** Attaches a feed that is at the head, or beyond what this hub has seen, to live events. */
  attach(feed: EventFeed): void {
    const { position, tag } = this.#followed;
    if (feed.position === position && feed.tag !== tag) {
      this.#endForeign(feed);
      return;
    }
    feed.isAttached = true;
    feed.group.attached[feed.encoding].add(feed);
    if (feed.position > position) {
      this.#ahead.add(feed);
      if (feed.position > (this.#seenAhead?.position ?? 0)) {
        this.#seenAhead = { position: feed.position, tag: feed.tag };
      }
    }
    if (!feed.isReplaying) return;
    feed.isReplaying = false;
    feed.sink.feedCaughtUp(feed);
  }

  /** Ends a feed and notifies its sink. */
  end(feed: EventFeed, reason: EndReason): void {
    if (feed.isEnded) return;
    this.remove(feed);
    feed.sink.feedEnded(feed, reason);
  }

  /** Ends a feed whose place the log no longer has. That place may be behind the cursor that its client got last. */
  expire(feed: EventFeed, error: PositionExpiredError): void {
    this.end(feed, isLogHole(error) ? 'cursor_unavailable' : this.#reasonOfReset);
  }

  /** Ends a feed whose filter or events cannot be evaluated. */
  fail(feed: EventFeed, error: unknown): void {
    if (feed.isEnded) return;
    this.#alarm({ kind: 'subscription_failed', resource: this.#name, error });
    this.end(feed, 'internal_error');
  }

  /** Ends a feed whose next change was not the expected one; changes in memory are no longer trusted. */
  refuse(feed: EventFeed, error: OutOfOrderError): void {
    this.#outOfOrder(error);
    this.#reader.clear();
    this.end(feed, this.#reasonOfReset);
  }

  /** Raises an alarm if a replay has stopped moving, once until all move again. */
  checkReplay(): void {
    const stalledMs = this.#replayStalledMs() ?? 0;
    const isStalled = stalledMs >= REPLAY_STALL_MS;
    if (isStalled && !this.#isStallAlarmed) {
      this.#alarm({ kind: 'replay_stalled', resource: this.#name, stalledMs });
    }
    this.#isStallAlarmed = isStalled;
  }

  /** Whether a feed has been given everything that comes before live events. */
  isAtHead({ position, replayTo }: Pick<EventFeed, 'position' | 'replayTo'>): boolean {
    return position >= this.#followed.position && position >= replayTo;
  }

  /** @see LogReader.after */
  after(place: LogPosition): readonly LoggedChange[] | Promise<readonly LoggedChange[]> {
    return this.#reader.after(place);
  }

  /** @see LogReader.readAhead */
  readAhead(place: LogPosition): void {
    if (place.position < this.#followed.position) this.#reader.readAhead(place);
  }

  /** Gives a feed an event of its replay; returns its bytes. */
  deliver(feed: EventFeed, { logged, descriptor }: ReplayedEvent & { readonly kind: 'event' }): number {
    const shared = this.#frames.shared(logged, descriptor, feed.encoding, this.#followed.epoch);
    this.#events += 1;
    feed.sink.pushReplayed(feed.own, shared);
    return feed.own.byteLength + shared.byteLength;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#replay[Symbol.dispose]();
    await this.#tail[Symbol.asyncDispose]();
  }

  #take(change: Change): void {
    const logged = new LoggedChange(change, this.#followed.tag);
    const next = this.#followed.position + 1;
    if (change.position !== next) throw new OutOfOrderError(next, change.position);
    this.#reader.push(logged);
    this.#followed = { ...this.#followed, position: next, tag: change.tag };
    if (this.#seenAhead !== undefined && this.#seenAhead.position <= next) this.#seenAhead = undefined;
    this.#changes += 1;
    for (const feed of this.#ahead) this.#meet(feed);
    const eventsBefore = this.#events;
    try {
      this.#feeds.visit(logged, (group) => this.#publish(group, logged));
    } catch (error) {
      for (const feed of this.#feeds) if (feed.isAttached) this.fail(feed, error);
    }
    this.#tellDelivery(change, this.#events - eventsBefore);
  }

  #tellDelivery({ position, occurredAtMs }: Change, events: number): void {
    const onDelivered = this.#delivered;
    if (events === 0 || onDelivered === undefined) return;
    this.#round.whenWritten(({ wallMs }) => {
      onDelivered({ resource: this.#name, position, ageMs: Math.max(0, wallMs - occurredAtMs), events });
    });
  }

  #publish(group: FeedGroup, logged: LoggedChange): void {
    if (group.attachedCount === 0) return;
    try {
      const descriptor = group.eventOf(logged);
      if (descriptor === undefined) return;
      for (const encoding of ['json', 'compact-json'] as const) {
        const feeds = group.attached[encoding];
        if (feeds.size === 0) continue;
        const shared = this.#frames.shared(logged, descriptor, encoding, this.#followed.epoch);
        this.#fanOut(feeds, shared, logged);
      }
    } catch (error) {
      for (const feed of [...group.attached.json, ...group.attached['compact-json']]) this.fail(feed, error);
    }
  }

  #fanOut(feeds: ReadonlySet<EventFeed>, shared: SharedPayload, { position, tagBefore }: LoggedChange): void {
    for (const feed of feeds) {
      if (position <= feed.position) continue;
      if (feed.sink.isFull) {
        this.#detach(feed);
        feed.position = position - 1;
        feed.tag = tagBefore;
      } else {
        this.#events += 1;
        feed.sink.pushEvent(feed.own, shared);
      }
    }
  }

  /** The tail reaches a feed that was ahead of it; both have to be in the same history. */
  #meet(feed: EventFeed): void {
    if (feed.position > this.#followed.position) return;
    this.#ahead.delete(feed);
    if (feed.tag !== this.#followed.tag) this.#endForeign(feed);
  }

  /** Ends a feed whose history differs from the tail's: one of the two is no longer in the database. */
  #endForeign(feed: EventFeed): void {
    this.#tail.doubt();
    this.end(feed, this.#reasonOfReset);
  }

  #detach(feed: EventFeed): void {
    feed.isAttached = false;
    this.#ahead.delete(feed);
    feed.group.attached[feed.encoding].delete(feed);
  }

  #replayStalledMs(): number | undefined {
    return this.#feeds.replayStalledMs(this.#clock.monotonicMs());
  }

  #startAt({ position, tag, epoch }: Head): void {
    this.#followed = { position, tag, epoch, generation: this.#followed.generation + 1 };
    this.#seenAhead = undefined;
  }

  #reset(reason: ResetReason, head: Head): void {
    this.#alarm({ kind: 'log_reset', resource: this.#name, reason });
    this.#reader.clear();
    this.#startAt(head);
    for (const feed of this.#feeds) this.end(feed, this.#reasonOfReset);
  }

  #sourceFault(error: unknown): void {
    if (!this.#sourceFaults.permits(this.#clock.monotonicMs())) return;
    this.#alarm({ kind: 'source_fault', resource: this.#name, error });
  }

  #outOfOrder({ expected, found }: OutOfOrderError): void {
    this.#alarm({ kind: 'out_of_order', resource: this.#name, expected, found });
  }
}
