import { isPositionExpired, isSourceUnavailable } from 'rostack-core';
import type { Clock } from '../options/clock.ts';
import type { EventFeed, FeedSink } from './event-feed.ts';
import { OutOfOrderError } from './log-place.ts';
import type { LoggedChange } from './logged-change.ts';

/** How much one connection may take before others have their turn. */
const TURN_BYTES = 65_536;
const TURN_CHANGES = 512;
const RETRY_MS = 250;

/**
 * Brings the detached feeds of one connection to the head, a turn at a time and in rotation, and attaches each
 * there in the same turn in which it gets there: no live event overtakes a replayed one.
 */
export class CatchUp {
  readonly #sink: FeedSink;
  readonly #clock: Clock;
  readonly #waiting = new Set<EventFeed>();
  #isRunning = false;
  #isClosed = false;

  constructor(sink: FeedSink, clock: Clock) {
    this.#sink = sink;
    this.#clock = clock;
  }

  /** Takes a feed that is not at the head. */
  add(feed: EventFeed): void {
    this.#waiting.add(feed);
    this.wake();
  }

  remove(feed: EventFeed): void {
    this.#waiting.delete(feed);
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting.clear();
  }

  /** Goes on, if there is anything to do and the sink takes events. */
  wake(): void {
    if (this.#isRunning || this.#isClosed || this.#waiting.size === 0 || this.#sink.isFull) return;
    this.#isRunning = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    let bytes = 0;
    let changes = 0;
    for (const feed of this.#rotation()) {
      const before = feed.position;
      feed.stalledSinceMs ??= this.#clock.monotonicMs();
      const batch = await this.#read(feed);
      if (batch === undefined || !this.#waiting.has(feed)) continue;
      for (const logged of batch) {
        if (this.#sink.isFull || bytes >= TURN_BYTES || changes >= TURN_CHANGES) break;
        changes += 1;
        bytes += this.#deliver(feed, logged);
        if (feed.isEnded) break;
      }
      if (feed.position > before) feed.stalledSinceMs = undefined;
      if (!feed.isEnded && feed.hub.isAtHead(feed)) {
        feed.stalledSinceMs = undefined;
        this.#waiting.delete(feed);
        feed.hub.attach(feed);
      }
      if (bytes >= TURN_BYTES || changes >= TURN_CHANGES) {
        bytes = 0;
        changes = 0;
        await this.#clock.nextTurn();
      }
    }
    this.#isRunning = false;
  }

  /** Each waiting feed in turn, until none waits or the sink is full. */
  *#rotation(): Generator<EventFeed> {
    while (!this.#isClosed && !this.#sink.isFull) {
      const [feed] = this.#waiting;
      if (feed === undefined) return;
      this.#waiting.delete(feed);
      this.#waiting.add(feed);
      yield feed;
    }
  }

  /** The next changes for a feed; undefined when it ended or has to be tried again. */
  async #read(feed: EventFeed): Promise<readonly LoggedChange[] | undefined> {
    try {
      if (feed.hub.isAtHead(feed)) return [];
      const found = feed.hub.changesFor(feed);
      const changes = found instanceof Promise ? await found : found;
      // The source lags behind its own head: ask again after a pause.
      if (changes.length === 0) await this.#pause();
      return changes;
    } catch (error) {
      if (isPositionExpired(error)) feed.hub.expire(feed, error);
      else if (error instanceof OutOfOrderError) feed.hub.refuse(feed, error);
      else if (isSourceUnavailable(error)) await this.#pause();
      else feed.hub.fail(feed, error);
      return undefined;
    }
  }

  /** Delivers one change, if it is an event to the feed; returns its bytes. */
  #deliver(feed: EventFeed, logged: LoggedChange): number {
    const next = feed.position + 1;
    if (logged.position !== next) {
      feed.hub.refuse(feed, new OutOfOrderError(next, logged.position));
      return 0;
    }
    try {
      const shared = feed.hub.eventFor(feed, logged);
      feed.position = logged.position;
      feed.tag = logged.change.tag;
      if (shared === undefined) return 0;
      this.#sink.pushEvent(feed.own, shared);
      return feed.own.byteLength + shared.byteLength;
    } catch (error) {
      feed.hub.fail(feed, error);
      return 0;
    }
  }

  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => this.#clock.after(RETRY_MS, resolve));
  }
}
