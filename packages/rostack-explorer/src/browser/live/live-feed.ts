import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { ResourceEvent } from 'rostack-client';
import type { JsonObject, JsonValue } from 'rostack-core';
import type { Frame } from '../session/recording-web-socket.ts';
import type { Session } from '../session/session.ts';
import { RateWindow, type Second } from './rate-window.ts';

const KEPT_EVENTS = 200;
const KEPT_FRAMES = 200;
const KEPT_RECORDS = 2_000;
const WINDOW_SECONDS = 60;

/** The message from which on events are sent, whatever the order of its members. */
const SUBSCRIBED = /^\s*\{[^[{]*"type"\s*:\s*"subscribed"/;

/** The shortest time between two drawings. */
const DRAW_MS = 100;

/** The chart moves on even when nothing comes in. */
const TICK_MS = 1_000;

/** The events to watch. */
export interface LiveQuery {
  readonly resource: string;
  readonly eventTypes: readonly string[];
  readonly filter: JsonObject | undefined;
}

/** An event with the last known state of its record. */
export interface LiveEvent {
  readonly event: ResourceEvent<JsonValue>;
  readonly before: JsonValue | undefined;
}

/** `waiting`: the connection was lost and will be made again. */
export type LiveState = 'connecting' | 'live' | 'waiting' | 'ended';

/** What has come in so far: the newest events and frames first, and how many there were. */
export class LiveFeed {
  readonly rates = new RateWindow(WINDOW_SECONDS);
  readonly #known = new Map<string, JsonValue>();
  readonly #onChange: () => void;
  events: readonly LiveEvent[] = [];
  frames: readonly Frame[] = [];
  eventCount = 0;
  frameCount = 0;
  state: LiveState = 'connecting';
  /** Whether events may be missing, because the connection broke before the first one. */
  hasGap = false;
  error: unknown;

  /** @param onChange called at every change, many times a second */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** The number of events in each of the last seconds. */
  rate(): readonly Second[] {
    return this.rates.read(Date.now());
  }

  /** Receives events until the signal or an error ends it. */
  async run(session: Session, query: LiveQuery, signal: AbortSignal): Promise<void> {
    const stopFrames = session.frames.listen((frame) => this.#addFrame(frame));
    const stopStatuses = session.statuses.listen(({ kind }) => {
      if (kind === 'waiting' || kind === 'connecting') this.#setState(kind);
    });
    try {
      const subscription = session.client.subscribe<JsonValue>(query.resource, {
        eventTypes: query.eventTypes,
        encoding: 'json',
        signal,
        ...(query.filter === undefined ? {} : { filter: query.filter }),
      });
      for await (const message of subscription) {
        if (message.kind === 'event') this.#addEvent(message);
        else if (message.kind === 'gap') this.hasGap = true;
      }
    } catch (error) {
      if (!signal.aborted) this.error = error;
    } finally {
      stopFrames();
      stopStatuses();
      this.#setState('ended');
    }
  }

  #addEvent(event: ResourceEvent<JsonValue>): void {
    const before = this.#known.get(event.resourceId);
    this.#remember(event);
    this.rates.add(event.transition, Date.now());
    this.events = [{ event, before }, ...this.events.slice(0, KEPT_EVENTS - 1)];
    this.eventCount += 1;
    this.#onChange();
  }

  #remember({ transition, resourceId, data }: ResourceEvent<JsonValue>): void {
    this.#known.delete(resourceId);
    if (transition !== 'delete' && data !== undefined) this.#known.set(resourceId, data);
    const [oldest] = this.#known.keys();
    if (this.#known.size > KEPT_RECORDS && oldest !== undefined) this.#known.delete(oldest);
  }

  #addFrame(frame: Omit<Frame, 'key'>): void {
    this.frameCount += 1;
    this.frames = [{ ...frame, key: this.frameCount }, ...this.frames.slice(0, KEPT_FRAMES - 1)];
    // A connection is not enough: what happens before the gateway has answered is not sent.
    if (frame.direction === 'received' && SUBSCRIBED.test(frame.text)) this.#setState('live');
    else this.#onChange();
  }

  #setState(state: LiveState): void {
    this.state = state;
    this.#onChange();
  }
}

/** The feed of the newest query; when the query is removed, the ended feed stays. Undefined before the first query. */
export function useLiveFeed(session: Session, query: LiveQuery | undefined): LiveFeed | undefined {
  const feed = useRef<LiveFeed>(undefined);
  const [, redraw] = useReducer((count: number) => count + 1, 0);

  useEffect(() => {
    if (query === undefined) return undefined;
    const ended = new AbortController();
    let drawing: ReturnType<typeof setTimeout> | undefined;
    const draw = () => {
      drawing = undefined;
      redraw(undefined);
    };
    feed.current = new LiveFeed(() => {
      drawing ??= setTimeout(draw, DRAW_MS);
    });
    const timer = setInterval(draw, TICK_MS);
    void feed.current.run(session, query, ended.signal).then(draw);
    draw();
    return () => {
      ended.abort();
      clearInterval(timer);
    };
  }, [session, query]);

  return feed.current;
}
