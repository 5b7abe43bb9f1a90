import type { EventMessage, Resource } from 'rostack-core';
import type { ConnectionManagers } from '../../connection/link/connection-managers.ts';
import { SubscriptionState } from '../../connection/link/subscription-state.ts';
import { type Filters, loadFilters } from '../../connection/platform/platform.ts';
import type { SubscriptionDefinition } from '../../connection/session/session-state.ts';
import { findResource } from '../../http/discovery-cache.ts';
import { type ClientError, ResponseError } from '../../http/error/errors.ts';
import type { JsonApi } from '../../list/json-api.ts';
import { readEventCursor } from '../../list/read-pages.ts';
import { readRecord } from '../../list/record-ids.ts';
import { Bookmarker } from './bookmarker.ts';
import { EventQueue } from './event-queue.ts';
import { type ResourceEvent, type SubscriptionMessage, toResourceEvent } from './resource-event.ts';
import { defineSubscription, type SubscribeOptions } from './subscribe-options.ts';

/** What is subscribed to. */
export interface SubscriptionRequest<D> {
  /** Unique among the subscriptions of the client. */
  readonly id: string;
  readonly resource: string;
  readonly options: SubscribeOptions<D>;
  /** Id of the event just before the cursor. */
  readonly seen: string | undefined;
  /** Called, in the order of the messages, when the connection is lost; must not throw. */
  readonly onLost: () => void;
}

type Queued =
  | EventMessage
  | { readonly type: 'caught_up' }
  | { readonly type: 'gap' }
  | { readonly type: 'lost' }
  | { readonly type: 'bookmark'; readonly cursor: string };

/**
 * The events of one resource, in order and each once, no matter how often the connection is lost. One consumer iterates it; an
 * event counts as processed when the next one is asked for. If the consumer is slow, the client leaves the subscription
 * when `maxQueuedEvents` wait, and resumes it from its cursor when half of them are done.
 * @see protocol section 7 and 8
 */
export class Subscription<D, Event = ResourceEvent<D>>
  implements AsyncIterableIterator<SubscriptionMessage<D, Event>, undefined, undefined>, AsyncDisposable
{
  readonly #api: JsonApi;
  readonly #links: ConnectionManagers;
  readonly #request: SubscriptionRequest<D>;
  readonly #queue: EventQueue<Queued>;
  readonly #state: SubscriptionState;
  readonly #bookmarker: Bookmarker;
  readonly #onAbort: () => void;
  /** Undefined until the code that checks filters is loaded. */
  #filters: Filters | undefined;
  #cursor: string | undefined;
  #givenOut: string | undefined;
  #isOver = false;

  /** Use `RostackClient.subscribe`. @throws UsageError `invalid_options` */
  constructor(api: JsonApi, links: ConnectionManagers, request: SubscriptionRequest<D>) {
    const { id, resource, seen, options } = request;
    const { cursor, signal } = options;
    const { limits } = api.context;
    this.#api = api;
    this.#links = links;
    this.#request = request;
    this.#define();
    this.#cursor = cursor;
    this.#queue = new EventQueue({ maxItems: limits.maxQueuedEvents, maxSize: limits.maxQueuedLength }, () =>
      links.resume(this.#state),
    );
    this.#state = new SubscriptionState(
      id,
      () => this.#define(),
      { cursor, seen },
      {
        onEvent: (event, frameLength) => {
          this.#bookmarker.noteMoved();
          return this.#queue.push(event, frameLength);
        },
        onCaughtUp: () => {
          this.#bookmarker.start();
          this.#queue.push({ type: 'caught_up' }, 0);
        },
        onLost: () => void this.#queue.push({ type: 'lost' }, 0),
        onGap: () => void this.#queue.push({ type: 'gap' }, 0),
        onEnded: (error) => this.#finish(error),
      },
    );
    this.#bookmarker = new Bookmarker(api.context, {
      take: (ending) => readEventCursor(api, resource, ending),
      cursor: () => this.#state.cursor,
      check: (from, bookmark) => links.checkBookmark(this.#state, from, bookmark),
      onSafe: (bookmark) => {
        this.#state.cursor = bookmark;
        this.#queue.push({ type: 'bookmark', cursor: bookmark }, 0);
      },
    });
    this.#onAbort = () => {
      this.#queue.clear(signal?.reason);
      this.#finish(undefined);
    };
    if (signal?.aborted === true) this.#queue.end(signal.reason);
    else {
      signal?.addEventListener('abort', this.#onAbort, { once: true });
      void this.#begin();
    }
  }

  /** The cursor after the last processed event or bookmark; before that, the one that the subscription began with. */
  get cursor(): string | undefined {
    return this.#cursor;
  }

  /**
   * The next message; asking for it says that the previous one was processed.
   * @throws SubscriptionError, AuthenticationError, RecordError, ClientClosedError; the signal's reason
   */
  async next(): Promise<IteratorResult<SubscriptionMessage<D, Event>, undefined>> {
    this.#cursor = this.#givenOut ?? this.#cursor;
    const message = await this.#queue.take();
    if (message === undefined) return { done: true, value: undefined };
    if (message.type === 'lost') {
      this.#request.onLost();
      return this.next();
    }
    if (message.type === 'caught_up' || message.type === 'gap') {
      return { done: false, value: { kind: message.type } };
    }
    this.#givenOut = message.cursor;
    if (message.type === 'bookmark') {
      return { done: false, value: { kind: 'bookmark', cursor: message.cursor } };
    }
    return { done: false, value: this.#read(message) };
  }

  /** Ends the subscription; called when a loop is left. */
  async return(): Promise<IteratorResult<SubscriptionMessage<D, Event>, undefined>> {
    await this.close();
    return { done: true, value: undefined };
  }

  /** The subscription itself, for one consumer. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Unsubscribes; the iteration ends. */
  async close(): Promise<void> {
    this.#queue.clear();
    this.#finish(undefined);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** What to ask for by the newest discovery document. @throws UsageError `invalid_options`, FilterError of rostack-core */
  #define(): SubscriptionDefinition {
    return defineSubscription(this.#api.newest, this.#resource, this.#request.options, this.#filters);
  }

  get #resource(): Resource {
    return findResource(this.#api.newest, this.#request.resource);
  }

  /** A filter is checked before anything is sent. */
  async #begin(): Promise<void> {
    try {
      if (this.#request.options.filter !== undefined) {
        this.#filters = await loadFilters();
        this.#api.context.life.throwIfAborted();
        this.#define();
      }
      if (!this.#isOver) this.#links.add(this.#state);
    } catch (error) {
      this.#finish(error as ClientError);
    }
  }

  #finish(error: ClientError | undefined): void {
    this.#isOver = true;
    this.#queue.end(error);
    this.#bookmarker.stop();
    this.#request.options.signal?.removeEventListener('abort', this.#onAbort);
    this.#links.remove(this.#state);
  }

  #read(message: EventMessage): Event {
    const { schema } = this.#request.options;
    const { name, events } = this.#resource;
    const descriptor = events.find((event) => event.name === message.event_type);
    if (descriptor === undefined) throw new ResponseError(`${name} has no event ${message.event_type}`);
    const data =
      message.data === undefined
        ? undefined
        : readRecord(schema, message.data, `the data of event ${message.event_id} of ${name}`);
    // The type of an event follows from the declaration, as that of a record does.
    return toResourceEvent(message, descriptor.state_transition, data) as Event;
  }
}
