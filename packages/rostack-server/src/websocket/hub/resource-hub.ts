import { setImmediate as nextTurn } from 'node:timers/promises';
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
import { LogTail, type ResetReason } from './log-tail.ts';
import { LoggedChange } from './logged-change.ts';

/** After this much was handed to each subscriber, sockets get a turn. */
const TURN_BYTES = 65_536;
const RING_READ_CHANGES = 512;

/** Where a subscription starts, and up to where what it gets is replay. */
export interface StartingPoint {
  readonly position: Position;
  readonly replayTo: Position;
}

export interface ResourceHubOptions {
  readonly resource: Resource;
  readonly source: RecordSource;
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
  #position: Position = 0;
  #epoch = '';
  #changes = 0;
  #events = 0;
  #ringHits = 0;
  #ringMisses = 0;

  constructor(options: ResourceHubOptions) {
    const { resource, source, minPollMs, maxPollMs } = options;
    this.#options = options;
    this.#rules = new EventRules(resource);
    this.#frames = new EventFrames({ resource: resource.name, data: options.data, onAlarm: options.onAlarm });
    this.#ring = new ChangeRing(options.ring);
    this.#chunks = new LogChunks(source);
    this.#heads = new HeadLooks(source);
    this.#tail = new LogTail({
      source,
      minPollMs,
      maxPollMs,
      onStart: (head) => this.#startAt(head),
      onChanges: (changes) => this.#take(changes),
      onReset: (reason, head) => this.#reset(reason, head),
      onFault: (error) => this.#alarm({ kind: 'source_fault', resource: resource.name, error }),
    });
  }

  /** Position of the last change that attached feeds were given. */
  get position(): Position {
    return this.#position;
  }

  get feedCount(): number {
    return this.#feeds.size;
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
    await this.#tail.start();
    if (from === undefined) return { position: this.#position, replayTo: this.#position };
    const head = await this.#heads.look();
    if (from.epoch !== head.epoch || from.position < head.floor || from.position > head.position) {
      return undefined;
    }
    if (head.epoch !== this.#epoch) {
      this.#tail.doubt();
      throw new SourceUnavailableError('The log has a new history that is not followed yet.');
    }
    return { position: from.position, replayTo: head.position };
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

  /** Takes a feed in; it gets nothing until it is attached. */
  add(feed: EventFeed): void {
    this.#feeds.add(feed);
    feed.group.feedCount += 1;
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
    feed.isAttached = true;
    feed.group.attached[feed.encoding].add(feed);
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

  /** True when all that a feed has to be given before live events is given. */
  isAtHead({ position, replayTo }: EventFeed): boolean {
    return position >= this.#position && position >= replayTo;
  }

  /** The next changes for a feed that is not at the head, from memory if they are there. */
  changesFor({ position }: EventFeed): readonly LoggedChange[] | Promise<readonly LoggedChange[]> {
    const recent = this.#ring.after(position, RING_READ_CHANGES);
    if (recent !== undefined && recent.length > 0) {
      this.#ringHits += 1;
      return recent;
    }
    this.#ringMisses += 1;
    return this.#chunks.kept(position) ?? this.#chunks.read(position);
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

  async #take(changes: readonly Change[]): Promise<void> {
    let bytes = 0;
    for (const change of changes) {
      const logged = new LoggedChange(change);
      this.#ring.push(logged);
      this.#index.visit(logged, (group) => this.#publish(group, logged));
      this.#position = change.position;
      this.#changes += 1;
      bytes += (change.after ?? change.before ?? '').length;
      if (bytes >= TURN_BYTES) {
        bytes = 0;
        await nextTurn();
      }
    }
    await nextTurn();
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
        this.#fanOut(feeds, shared, logged.position);
      }
    } catch (error) {
      for (const feed of [...group.attached.json, ...group.attached['compact-json']]) this.fail(feed, error);
    }
  }

  #fanOut(feeds: ReadonlySet<EventFeed>, shared: FrameHalf, position: Position): void {
    for (const feed of feeds) {
      if (position <= feed.position) continue;
      if (feed.sink.isFull) {
        this.#release(feed);
        feed.position = position - 1;
        feed.sink.feedDetached(feed);
      } else {
        this.#events += 1;
        feed.sink.pushEvent(feed.own, shared);
      }
    }
  }

  #release(feed: EventFeed): void {
    feed.isAttached = false;
    feed.group.attached[feed.encoding].delete(feed);
  }

  #startAt({ position, epoch }: Head): void {
    this.#position = position;
    this.#epoch = epoch;
  }

  #reset(reason: ResetReason, head: Head): void {
    this.#alarm({ kind: 'log_reset', resource: this.#options.resource.name, reason });
    this.#ring.clear();
    this.#chunks.clear();
    this.#startAt(head);
    for (const feed of this.#feeds) this.end(feed, 'cursor_unavailable');
  }

  #alarm(alarm: GatewayAlarm): void {
    this.#options.onAlarm(alarm);
  }
}
