import {
  isPositionExpired,
  isSourceUnavailable,
  type Position,
  type PositionExpiredError,
} from 'rostack-core';
import type { Clock } from '../../options/clock.ts';
import type { EventFeed } from '../feed/event-feed.ts';
import { type LogPosition, OutOfOrderError } from '../log/log-position.ts';
import type { LoggedChange } from '../log/logged-change.ts';
import { type ReplayedEvent, ReplaySlice } from './replay-slice.ts';
import { ReplayTurn } from './replay-turn.ts';

const RETRY_MS = 250;
/** One in this many reads is for the feed that has waited longest. */
const TURNS = 4;
/** The longest that newcomers wait for others that are just as far behind, and how long they wait if no more come. */
const GATHER_MS = 3_000;
const QUIET_MS = 100;
/** More newcomers than this may make all feeds wait with them. */
const CROWD = 32;

/** What a replay needs from its hub. */
export interface ReplayedLog {
  /** Whether a feed has been given everything that comes before live events. */
  isAtHead(place: LogPosition & { readonly replayTo: Position }): boolean;
  /** @see LogReader.after */
  after(place: LogPosition): readonly LoggedChange[] | Promise<readonly LoggedChange[]>;
  /** @see LogReader.readAhead */
  readAhead(place: LogPosition): void;
  /** Gives a feed an event; returns its bytes. */
  deliver(feed: EventFeed, event: ReplayedEvent & { readonly kind: 'event' }): number;
  attach(feed: EventFeed): void;
  expire(feed: EventFeed, error: PositionExpiredError): void;
  refuse(feed: EventFeed, error: OutOfOrderError): void;
  fail(feed: EventFeed, error: unknown): void;
}

/**
 * Brings all feeds of one resource that are behind to the head together: it reads one slice of the log at a time and gives it to every feed
 * whose place is in it. Usually it reads for the feed that is furthest behind, so that feeds catch up with each other, and every few times
 * for the feed that has waited longest, so that none waits for all others. A feed is attached in the same turn in which it reaches the
 * head, so no live event overtakes a replayed one.
 */
export class Replay implements Disposable {
  readonly #log: ReplayedLog;
  readonly #clock: Clock;
  readonly #turn: ReplayTurn;
  /** Feeds whose sinks take events, the least recently served first. */
  readonly #ready = new Set<EventFeed>();
  /** Feeds whose place could not be read just now. */
  readonly #aside = new Set<EventFeed>();
  /** Call off the retries for these feeds. */
  readonly #callOffs = new Set<() => void>();
  /** New feeds that are further behind than all others. They wait for more of their kind, so that one read serves them all. */
  readonly #newcomers = new Set<EventFeed>();
  #gatherEndMs = 0;
  #admitAtMs = 0;
  #endGathering = () => {};
  #isRunning = false;
  #readings = 0;
  /** Position of the feed that was furthest behind at the last read. */
  #rear: Position = 0;
  #lastEnd: Position | undefined;

  constructor(log: ReplayedLog, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
    this.#turn = new ReplayTurn(clock);
  }

  /** Adds a new feed. */
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

  /** Adds a feed that is not attached. One whose sink is full is added again when the sink takes events. */
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

  /** Called when all feeds are gone. */
  [Symbol.dispose](): void {
    for (const callOff of this.#callOffs) callOff();
    this.#callOffs.clear();
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

  /** Picks the feed to read for next; drops feeds whose sinks are full or that are at the head. */
  #next(): EventFeed | undefined {
    if (this.#clock.monotonicMs() >= this.#admitAtMs) this.#admit();
    let longest: EventFeed | undefined;
    let rear: EventFeed | undefined;
    for (const feed of this.#ready) {
      if (!this.#staysReady(feed)) continue;
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

  /** Waits for more newcomers: anything read in the meantime would have to be read again for them. */
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

  /** Lets the waiting newcomers join. */
  #admit(): void {
    const newcomers = [...this.#newcomers];
    this.#newcomers.clear();
    for (const feed of newcomers) this.add(feed);
  }

  #staysReady(feed: EventFeed): boolean {
    if (feed.sink.isFull) this.#leave(feed);
    else if (this.#log.isAtHead(feed)) {
      this.#leave(feed);
      this.#log.attach(feed);
    }
    return this.#ready.has(feed);
  }

  /** Reads what follows a place; undefined if that fails, and then the feeds there have been ended or set aside. */
  async #read(place: LogPosition): Promise<ReplaySlice | undefined> {
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

  #at({ position, tag }: LogPosition): readonly EventFeed[] {
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

  /** Retries these feeds after a pause; others continue in the meantime. */
  #setAside(feeds: readonly EventFeed[]): void {
    for (const feed of feeds) {
      this.#ready.delete(feed);
      this.#aside.add(feed);
    }
    const callOff = this.#clock.after(RETRY_MS, () => {
      this.#callOffs.delete(callOff);
      for (const feed of feeds) if (this.#aside.delete(feed)) this.add(feed);
    });
    this.#callOffs.add(callOff);
  }

  async #serve(slice: ReplaySlice): Promise<void> {
    const { end } = slice;
    const feeds = [...this.#ready].filter((feed) => slice.holds(feed));
    // A feed that has had all of the previous slice will want the next one too.
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

  /** Gives a feed its events from a slice; false if the turn ends before the slice does. */
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
    // Moves it to the end of the queue.
    this.#ready.delete(feed);
    this.#ready.add(feed);
    this.#staysReady(feed);
    return true;
  }

  /** Gives a feed one event; false if the feed has ended. */
  #give(feed: EventFeed, event: ReplayedEvent): boolean {
    try {
      if (event.kind === 'fault') throw event.error;
      this.#turn.count(1, this.#log.deliver(feed, event));
    } catch (error) {
      this.#log.fail(feed, error);
    }
    return !feed.isEnded;
  }

  #moveTo(feed: EventFeed, { position, tag }: LogPosition): void {
    if (position > feed.position) feed.stalledSinceMs = this.#clock.monotonicMs();
    feed.position = position;
    feed.tag = tag;
  }

  #leave(feed: EventFeed): void {
    feed.stalledSinceMs = undefined;
    this.#ready.delete(feed);
  }
}
