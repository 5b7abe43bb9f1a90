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
  /** The last subscription was removed. */
  readonly onEmpty: () => void;
}

/** The subscriptions of a link, each on every connection that is authenticated: one, or two while the server drains the first. */
export class SubscriptionSet {
  readonly #options: SubscriptionSetOptions;
  readonly #subscriptions = new Map<string, SubscriptionState>();
  /** Authenticated connections, with the subscriptions whose answers they still owe. */
  readonly #connections = new Map<GatewayConnection, Set<string>>();

  constructor(options: SubscriptionSetOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#subscriptions.size;
  }

  /** The newest authenticated connection. */
  get connection(): GatewayConnection | undefined {
    return [...this.#connections.keys()].at(-1);
  }

  get(id: string | undefined): SubscriptionState | undefined {
    return id === undefined ? undefined : this.#subscriptions.get(id);
  }

  [Symbol.iterator](): IterableIterator<SubscriptionState> {
    return this.#subscriptions.values();
  }

  add(subscription: SubscriptionState): void {
    this.#subscriptions.set(subscription.id, subscription);
    this.#subscribe(subscription);
  }

  remove(subscription: SubscriptionState): void {
    if (!this.#subscriptions.delete(subscription.id)) return;
    subscription.callOffRetry?.();
    this.#unsubscribe(subscription);
    if (this.#subscriptions.size === 0) this.#options.onEmpty();
  }

  end(subscription: SubscriptionState, error: ClientError): void {
    this.remove(subscription);
    subscription.sink.onEnded(error);
  }

  /** Resumes a subscription that was paused, from its cursor. */
  resume(subscription: SubscriptionState): void {
    if (!subscription.isPaused || !this.#subscriptions.has(subscription.id)) return;
    subscription.isPaused = false;
    this.#subscribe(subscription);
  }

  /** A connection is authenticated: from now on it carries every subscription. */
  join(connection: GatewayConnection): void {
    this.#connections.set(connection, new Set());
    for (const subscription of this.#subscriptions.values()) {
      subscription.overlapCount = 0;
      subscription.isRelieved = false;
      this.#request(connection, subscription);
    }
    this.#tellReady(connection);
  }

  leave(connection: GatewayConnection): void {
    if (!this.#connections.delete(connection) || this.#connections.size > 0) return;
    for (const subscription of this.#subscriptions.values()) subscription.sink.onLost();
  }

  /** There is no second connection any more: the first one takes back what it had handed over. */
  takeBack(): void {
    for (const subscription of this.#subscriptions.values()) {
      if (!subscription.isRelieved) continue;
      subscription.isRelieved = false;
      subscription.overlapCount = 0;
      this.#subscribe(subscription);
    }
  }

  onSubscribed(connection: GatewayConnection, { subscriptionId, replaying }: EffectOf<'subscribed'>): void {
    const subscription = this.#subscriptions.get(subscriptionId);
    if (subscription !== undefined) {
      if (subscription.wasSubscribed && !replaying) subscription.sink.onGap();
      subscription.wasSubscribed = true;
      subscription.failures = 0;
      if (!replaying) subscription.sink.onCaughtUp();
    }
    this.#noteAnswer(connection, subscriptionId);
  }

  onEnded(connection: GatewayConnection, { subscriptionId, error }: EffectOf<'ended'>): void {
    const subscription = this.#subscriptions.get(subscriptionId);
    if (subscription !== undefined) {
      if (error.retryable) this.#retry(subscription, error);
      else this.end(subscription, error);
    }
    this.#noteAnswer(connection, subscriptionId);
  }

  /** @param overlap whether two connections carry the subscriptions, and which of them this one is */
  take(
    connection: GatewayConnection,
    { event, frameLength }: EffectOf<'event'>,
    overlap: 'none' | 'old' | 'new',
  ): void {
    const subscription = this.#subscriptions.get(event.subscription_id);
    if (subscription === undefined || !subscription.take(event, frameLength)) return;
    if (subscription.isPaused) {
      this.#unsubscribe(subscription);
    } else if (overlap !== 'none') {
      // The window has to cover what the second connection repeats of the first one.
      subscription.overlapCount += 1;
      if (subscription.overlapCount > EVENT_WINDOW_SIZE / 2 && overlap === 'old') {
        subscription.isRelieved = true;
        connection.unsubscribe(subscription.id);
      }
    }
  }

  /** Tries a subscription again later; the others go on. */
  #retry(subscription: SubscriptionState, error: ClientError): void {
    if (subscription.callOffRetry !== undefined) return;
    subscription.failures += 1;
    const delayMs = this.#options.retryDelayMs(error, subscription.failures);
    this.#unsubscribe(subscription);
    subscription.callOffRetry = this.#options.clock.after(delayMs, () => {
      subscription.callOffRetry = undefined;
      if (this.#subscriptions.has(subscription.id)) this.#subscribe(subscription);
    });
  }

  #subscribe(subscription: SubscriptionState): void {
    for (const connection of this.#connections.keys()) this.#request(connection, subscription);
  }

  #request(connection: GatewayConnection, subscription: SubscriptionState): void {
    if (subscription.isPaused || subscription.callOffRetry !== undefined) return;
    let definition: SubscriptionDefinition;
    try {
      definition = subscription.define();
    } catch (error) {
      this.end(subscription, error as ClientError);
      return;
    }
    this.#connections.get(connection)?.add(subscription.id);
    connection.subscribe(subscription.id, definition, subscription.cursor);
  }

  #unsubscribe(subscription: SubscriptionState): void {
    for (const connection of this.#connections.keys()) {
      connection.unsubscribe(subscription.id);
      this.#noteAnswer(connection, subscription.id);
    }
  }

  #noteAnswer(connection: GatewayConnection, id: string): void {
    if (this.#connections.get(connection)?.delete(id) === true) this.#tellReady(connection);
  }

  #tellReady(connection: GatewayConnection): void {
    if (this.#connections.get(connection)?.size === 0) this.#options.onReady(connection);
  }
}
