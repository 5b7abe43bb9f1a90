import type { ClientError } from '../../http/error/errors.ts';
import type { ClientClock } from '../platform/platform.ts';
import type { SubscriptionDefinition } from '../session/session-state.ts';
import type { ConnectionEffect, GatewayConnection } from './gateway-connection.ts';
import { EVENT_WINDOW_SIZE, type SubscriptionState } from './subscription-state.ts';

type EffectOf<K extends ConnectionEffect['kind']> = Extract<ConnectionEffect, { kind: K }>;

export interface SubscriptionSetOptions {
  readonly clock: ClientClock;
  /** The wait before a subscription that was refused temporarily is tried again, in milliseconds. */
  readonly retryDelayMs: (error: ClientError, failures: number) => number;
  /** Every subscription on the connection has been answered. */
  readonly onReady: (connection: GatewayConnection) => void;
  /** The last track was removed. */
  readonly onEmpty: () => void;
}

/** The subscriptions of a link, each on every connection that is authenticated: one, or two while the server drains the first. */
export class SubscriptionSet {
  readonly #options: SubscriptionSetOptions;
  readonly #tracks = new Map<string, SubscriptionState>();
  /** Authenticated connections, with the tracks whose answers they still owe. */
  readonly #connections = new Map<GatewayConnection, Set<string>>();

  constructor(options: SubscriptionSetOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#tracks.size;
  }

  /** The newest authenticated connection. */
  get connection(): GatewayConnection | undefined {
    return [...this.#connections.keys()].at(-1);
  }

  get(id: string | undefined): SubscriptionState | undefined {
    return id === undefined ? undefined : this.#tracks.get(id);
  }

  [Symbol.iterator](): IterableIterator<SubscriptionState> {
    return this.#tracks.values();
  }

  add(track: SubscriptionState): void {
    this.#tracks.set(track.id, track);
    this.#subscribe(track);
  }

  remove(track: SubscriptionState): void {
    if (!this.#tracks.delete(track.id)) return;
    track.callOffRetry?.();
    this.#unsubscribe(track);
    if (this.#tracks.size === 0) this.#options.onEmpty();
  }

  end(track: SubscriptionState, error: ClientError): void {
    this.remove(track);
    track.sink.onEnded(error);
  }

  /** Resumes a track that was paused, from its cursor. */
  resume(track: SubscriptionState): void {
    if (!track.isPaused || !this.#tracks.has(track.id)) return;
    track.isPaused = false;
    this.#subscribe(track);
  }

  /** A connection is authenticated: from now on it carries every track. */
  join(connection: GatewayConnection): void {
    this.#connections.set(connection, new Set());
    for (const track of this.#tracks.values()) {
      track.overlapCount = 0;
      track.isRelieved = false;
      this.#request(connection, track);
    }
    this.#tellReady(connection);
  }

  leave(connection: GatewayConnection): void {
    if (!this.#connections.delete(connection) || this.#connections.size > 0) return;
    for (const track of this.#tracks.values()) track.sink.onLost();
  }

  /** There is no second connection any more: the first one takes back what it had handed over. */
  takeBack(): void {
    for (const track of this.#tracks.values()) {
      if (!track.isRelieved) continue;
      track.isRelieved = false;
      track.overlapCount = 0;
      this.#subscribe(track);
    }
  }

  onSubscribed(connection: GatewayConnection, { subscriptionId, replaying }: EffectOf<'subscribed'>): void {
    const track = this.#tracks.get(subscriptionId);
    if (track !== undefined) {
      if (track.wasSubscribed && !replaying) track.sink.onGap();
      track.wasSubscribed = true;
      track.failures = 0;
      if (!replaying) track.sink.onCaughtUp();
    }
    this.#noteAnswer(connection, subscriptionId);
  }

  onEnded(connection: GatewayConnection, { subscriptionId, error }: EffectOf<'ended'>): void {
    const track = this.#tracks.get(subscriptionId);
    if (track !== undefined) {
      if (error.retryable) this.#retry(track, error);
      else this.end(track, error);
    }
    this.#noteAnswer(connection, subscriptionId);
  }

  /** @param overlap whether two connections carry the tracks, and which of them this one is */
  take(
    connection: GatewayConnection,
    { event, frameLength }: EffectOf<'event'>,
    overlap: 'none' | 'old' | 'new',
  ): void {
    const track = this.#tracks.get(event.subscription_id);
    if (track === undefined || !track.take(event, frameLength)) return;
    if (track.isPaused) {
      this.#unsubscribe(track);
    } else if (overlap !== 'none') {
      // The window has to cover what the second connection repeats of the first one.
      track.overlapCount += 1;
      if (track.overlapCount > EVENT_WINDOW_SIZE / 2 && overlap === 'old') {
        track.isRelieved = true;
        connection.unsubscribe(track.id);
      }
    }
  }

  /** Tries a subscription again later; the others go on. */
  #retry(track: SubscriptionState, error: ClientError): void {
    if (track.callOffRetry !== undefined) return;
    track.failures += 1;
    const delayMs = this.#options.retryDelayMs(error, track.failures);
    this.#unsubscribe(track);
    track.callOffRetry = this.#options.clock.after(delayMs, () => {
      track.callOffRetry = undefined;
      if (this.#tracks.has(track.id)) this.#subscribe(track);
    });
  }

  #subscribe(track: SubscriptionState): void {
    for (const connection of this.#connections.keys()) this.#request(connection, track);
  }

  #request(connection: GatewayConnection, track: SubscriptionState): void {
    if (track.isPaused || track.callOffRetry !== undefined) return;
    let definition: SubscriptionDefinition;
    try {
      definition = track.define();
    } catch (error) {
      this.end(track, error as ClientError);
      return;
    }
    this.#connections.get(connection)?.add(track.id);
    connection.subscribe(track.id, definition, track.cursor);
  }

  #unsubscribe(track: SubscriptionState): void {
    for (const connection of this.#connections.keys()) {
      connection.unsubscribe(track.id);
      this.#noteAnswer(connection, track.id);
    }
  }

  #noteAnswer(connection: GatewayConnection, id: string): void {
    if (this.#connections.get(connection)?.delete(id) === true) this.#tellReady(connection);
  }

  #tellReady(connection: GatewayConnection): void {
    if (this.#connections.get(connection)?.size === 0) this.#options.onReady(connection);
  }
}
