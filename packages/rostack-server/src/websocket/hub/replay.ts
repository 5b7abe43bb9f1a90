import {
  isPositionExpired,
  isSourceUnavailable,
  type Position,
  type PositionExpiredError,
} from 'rostack-core';
import type { Clock } from '../options/clock.ts';
import type { EventFeed } from './event-feed.ts';
import { type LogPlace, OutOfOrderError } from './log-place.ts';
import type { LoggedChange } from './logged-change.ts';
import { type ReplayedEvent, ReplaySlice } from './replay-slice.ts';
import { ReplayTurn } from './replay-turn.ts';

const RETRY_MS = 250;
/** Of so many readings one is for the feed that has waited longest. */
const TURNS = 4;
/** How long newcomers wait at most for others that are as far behind, and how long when none comes. */
const GATHER_MS = 3_000;
const QUIET_MS = 100;
/** So many newcomers may have everybody wait with them. */
const CROWD = 32;

/** What a replay needs of the hub that it belongs to. */
export interface ReplayedLog {
  /** True when a feed has been given everything that comes before live events. */
  isAtHead(place: LogPlace & { readonly replayTo: Position }): boolean;
  /** @see LogReader.after */
  after(place: LogPlace): readonly LoggedChange[] | Promise<readonly LoggedChange[]>;
  /** @see LogReader.readAhead */
  readAhead(place: LogPlace): void;
  /** Gives a feed an event; returns its bytes. */
  deliver(feed: EventFeed, event: ReplayedEvent & { readonly kind: 'event' }): number;
  attach(feed: EventFeed): void;
  expire(feed: EventFeed, error: PositionExpiredError): void;
  refuse(feed: EventFeed, error: OutOfOrderError): void;
  fail(feed: EventFeed, error: unknown): void;
}

/**
 * Brings the feeds of one resource that are behind to the head, all of them together: one slice of the log at a time goes to each feed
 * whose place it holds. Mostly the slice is that of the feed which is furthest behind, so that feeds come together, and by turns that
 * of the feed which has waited longest, so that none waits for all others. A feed is attached in the same turn in which it gets to the
 * head: no live event overtakes a replayed one.
 */
export class Replay {
  readonly #log: ReplayedLog;
  readonly #clock: Clock;
  readonly #turn: ReplayTurn;
  /** Those whose sinks take events, by when they were last served. */
  readonly #ready = new Set<EventFeed>();
  /** Those whose place could not be read just now. */
  readonly #aside = new Set<EventFeed>();
  /** New feeds from further back than all others, which wait for more of them: one reading then serves them all. */
  readonly #newcomers = new Set<EventFeed>();
  #gatherEndMs = 0;
  #admitAtMs = 0;
  #endGathering = () => {};
  #isRunning = false;
  #readings = 0;
  /** Where the feed was that was furthest behind at the last reading. */
  #rear: Position = 0;
  #lastEnd: Position | undefined;

  constructor(log: ReplayedLog, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
    this.#turn = new ReplayTurn(clock);
  }

  /** Takes a new feed. */
  join(feed: EventFeed): void {
    if (!this.#isRunning || feed.position >= this.#rear) {
      this.add(feed);
      return;
    }
    const nowMs = this.#clock.monotonicMs();
    if (this.#newcomers.size === 0) this.#gatherEndMs = nowMs + GATHER_MS;
    this.#admitAtMs = Math.min(this.#gatherEndMs, nowMs + QUIET_MS);
    this.#newcomers.add(feed);
  }

  /** Takes a feed that is not attached. One whose sink is full comes again when that takes events. */
  add(feed: EventFeed): void {
    if (feed.sink.isFull || this.#ready.has(feed) || this.#aside.has(feed)) return;
    if (this.#log.isAtHead(feed)) {
      this.#log.attach(feed);
      return;
    }
    feed.stalledSinceMs ??= this.#clock.monotonicMs();
    this.#ready.add(feed);
    if (!this.#isRunning) void this.#run();
  }

  remove(feed: EventFeed): void {
    this.#leave(feed);
    this.#aside.delete(feed);
    if (this.#newcomers.delete(feed) && this.#newcomers.size === 0) this.#endGathering();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let feed = this.#next(); feed !== undefined; feed = this.#next()) {
      const slice = await this.#read({ position: feed.position, tag: feed.tag });
      if (slice !== undefined) await this.#serve(slice);
      if (this.#newcomers.size > Math.max(CROWD, this.#ready.size)) await this.#gather();
    }
    this.#isRunning = false;
  }

  /** The feed whose slice is read next; lets those go whose sinks are full, and those that are at the head. */
  #next(): EventFeed | undefined {
    if (this.#clock.monotonicMs() >= this.#admitAtMs) this.#admit();
    let longest: EventFeed | undefined;
    let rear: EventFeed | undefined;
    for (const feed of this.#ready) {
      if (!this.#goesOn(feed)) continue;
      longest ??= feed;
      if (rear === undefined || feed.position < rear.position) rear = feed;
    }
    if (rear === undefined) {
      if (this.#newcomers.size === 0) return undefined;
      this.#admit();
      return this.#next();
    }
    this.#rear = rear.position;
    this.#readings += 1;
    return this.#readings % TURNS === 0 ? longest : rear;
  }

  /** Leaves the time to those who come: what is read meanwhile would have to be read for them once more. */
  async #gather(): Promise<void> {
    while (this.#newcomers.size > 0) {
      const delayMs = this.#admitAtMs - this.#clock.monotonicMs();
      if (delayMs <= 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const cancel = this.#clock.after(delayMs, resolve);
      this.#endGathering = resolve;
      await promise;
      cancel();
    }
  }

  /** Ends the wait of newcomers. */
  #admit(): void {
    const newcomers = [...this.#newcomers];
    this.#newcomers.clear();
    for (const feed of newcomers) this.add(feed);
  }

  #goesOn(feed: EventFeed): boolean {
    if (feed.sink.isFull) this.#leave(feed);
    else if (this.#log.isAtHead(feed)) {
      this.#leave(feed);
      this.#log.attach(feed);
    }
    return this.#ready.has(feed);
  }

  /** What follows a place; undefined when that cannot be read, and the feeds there have been told or wait. */
  async #read(place: LogPlace): Promise<ReplaySlice | undefined> {
    try {
      const found = this.#log.after(place);
      const changes = found instanceof Promise ? await found : found;
      if (changes.length > 0) return new ReplaySlice(place, changes);
      // The source lags behind its own head.
      this.#setAside(this.#at(place));
    } catch (error) {
      this.#failed(this.#at(place), error);
    }
    return undefined;
  }

  #at({ position, tag }: LogPlace): readonly EventFeed[] {
    return [...this.#ready].filter((feed) => feed.position === position && feed.tag === tag);
  }

  #failed(feeds: readonly EventFeed[], error: unknown): void {
    if (isSourceUnavailable(error)) {
      this.#setAside(feeds);
      return;
    }
    for (const feed of feeds) {
      if (isPositionExpired(error)) this.#log.expire(feed, error);
      else if (error instanceof OutOfOrderError) this.#log.refuse(feed, error);
      else this.#log.fail(feed, error);
    }
  }

  /** Asks for them again after a pause; others go on meanwhile. */
  #setAside(feeds: readonly EventFeed[]): void {
    for (const feed of feeds) {
      this.#ready.delete(feed);
      this.#aside.add(feed);
    }
    this.#clock.after(RETRY_MS, () => {
      for (const feed of feeds) if (this.#aside.delete(feed)) this.add(feed);
    });
  }

  async #serve(slice: ReplaySlice): Promise<void> {
    const { end } = slice;
    const feeds = [...this.#ready].filter((feed) => slice.holds(feed));
    // Whoever has had all of the slice before will want the next one too.
    if (feeds.some(({ position }) => position === this.#lastEnd)) this.#log.readAhead(end);
    this.#lastEnd = end.position;
    slice.prepare(new Set(feeds.map(({ group }) => group)));
    this.#turn.count(slice.size);
    await this.#turn.pass();
    for (const feed of feeds) {
      while (this.#ready.has(feed) && slice.holds(feed) && !this.#deliver(feed, slice))
        await this.#turn.pass();
      this.#turn.count(1);
      await this.#turn.pass();
    }
  }

  /** Gives a feed its events of a slice; false when the turn ends before the slice does. */
  #deliver(feed: EventFeed, slice: ReplaySlice): boolean {
    for (const event of slice.eventsAfter(feed.group, feed.position)) {
      const { logged } = event;
      const isTurnOver = this.#turn.isOver;
      if (isTurnOver || feed.sink.isFull) {
        this.#moveTo(feed, { position: logged.position - 1, tag: logged.tagBefore });
        if (!isTurnOver) this.#leave(feed);
        return !isTurnOver;
      }
      if (!this.#give(feed, event)) return true;
    }
    this.#moveTo(feed, slice.end);
    // To the end of the line.
    this.#ready.delete(feed);
    this.#ready.add(feed);
    this.#goesOn(feed);
    return true;
  }

  /** Gives a feed one event; false when it has ended. */
  #give(feed: EventFeed, event: ReplayedEvent): boolean {
    try {
      if (event.kind === 'fault') throw event.error;
      this.#turn.count(1, this.#log.deliver(feed, event));
    } catch (error) {
      this.#log.fail(feed, error);
    }
    return !feed.isEnded;
  }

  #moveTo(feed: EventFeed, { position, tag }: LogPlace): void {
    if (position > feed.position) feed.stalledSinceMs = this.#clock.monotonicMs();
    feed.position = position;
    feed.tag = tag;
  }

  #leave(feed: EventFeed): void {
    feed.stalledSinceMs = undefined;
    this.#ready.delete(feed);
  }
}
