import type { DiscoveryCache } from '../../http/discovery-cache.ts';
import {
  AuthenticationError,
  ClientError,
  DiscoveryOutdatedError,
  ProtocolBrokenError,
  ProtocolViolationError,
} from '../../http/error/errors.ts';
import type { ClientContext } from '../context/client-context.ts';
import { CredentialUse } from '../credential/credentials.ts';
import { type ClientClock, loadPart } from '../platform/platform.ts';
import { type RetryRules, retryDelayAfter, retryRules, serverDelayOf } from '../retry/retry.ts';
import type { BookmarkCheck } from './bookmark-check.ts';
import type { ConnectionStatus, LinkStatus } from './connection-status.ts';
import {
  type ConnectionEffect,
  type ConnectionOwner,
  type GatewayConnection,
  openConnection,
} from './gateway-connection.ts';
import { IDLE_LINK, type LinkEffect, type LinkInput, type LinkState, stepLink } from './step-link.ts';
import { SubscriptionSet } from './subscription-set.ts';
import type { SubscriptionState } from './subscription-state.ts';

/** What a link has besides the client's context. */
export interface LinkOptions {
  /** Names the link in statuses. */
  readonly number: number;
  readonly discovery: DiscoveryCache;
  readonly onStatus: (status: ConnectionStatus) => void;
}

/** How long a connection without subscriptions is kept: the next one often follows soon, such as after a new snapshot. */
const LINGER_MS = 5_000;

/** Keeps subscriptions subscribed while connections are lost and replaced: `stepLink` decides, this carries it out. */
export class GatewayConnectionManager implements ConnectionOwner {
  readonly #context: ClientContext;
  readonly #options: LinkOptions;
  readonly #credentials: CredentialUse;
  readonly #subscriptions: SubscriptionSet;
  readonly #connections = new Map<number, GatewayConnection>();
  #state: LinkState = IDLE_LINK;
  /** Connections in a row on which the gateway broke the protocol, but not for a certain subscription. */
  #violations = 0;
  #bookmarkCheck: BookmarkCheck | undefined;
  #bookmarkChecks = 0;
  #callOffTick: (() => void) | undefined;
  #callOffRest: (() => void) | undefined;

  constructor(context: ClientContext, options: LinkOptions) {
    const { platform } = context;
    this.#context = context;
    this.#options = options;
    this.#credentials = new CredentialUse(context);
    this.#subscriptions = new SubscriptionSet({
      clock: platform.clock,
      retryDelayMs: (error, failures) => retryDelayAfter(this.#rules(), error, failures, platform.random()),
      onReady: ({ number }) => this.#step({ kind: 'ready', number }),
      onEmpty: () => {
        this.#callOffRest?.();
        this.#callOffRest = this.#clock.after(LINGER_MS, () => this.#rest());
      },
    });
  }

  get size(): number {
    return this.#subscriptions.size;
  }

  add(subscription: SubscriptionState): void {
    this.#subscriptions.add(subscription);
    this.#step({ kind: 'wanted', isWanted: true, nowMs: this.#nowMs() });
  }

  remove(subscription: SubscriptionState): void {
    this.#subscriptions.remove(subscription);
  }

  /** Resumes a subscription that was paused, from its cursor. */
  resume(subscription: SubscriptionState): void {
    this.#subscriptions.resume(subscription);
  }

  /** Whether a bookmark can replace a cursor; also false if unknown now. One at a time. @throws SubscriptionError, NetworkError */
  async checkBookmark(subscription: SubscriptionState, cursor: string, bookmark: string): Promise<boolean> {
    const { BookmarkCheck } = await loadPart(() => import('./bookmark-check.ts'));
    const { connection } = this.#subscriptions;
    if (connection === undefined || this.#bookmarkCheck !== undefined) return false;
    this.#bookmarkChecks += 1;
    const id = `${subscription.id}-${this.#bookmarkChecks}`;
    const check = new BookmarkCheck(connection, { id, definition: subscription.define(), cursor, bookmark });
    this.#bookmarkCheck = check;
    const callOff = this.#clock.after(this.#context.bookmarkAfterMs, () => check.stop(), true);
    try {
      return await check.outcome;
    } finally {
      callOff();
      this.#bookmarkCheck = undefined;
    }
  }

  /** Discovery names another gateway: subscribes there before the old connection is left. */
  move(): void {
    const { main } = this.#state;
    if (main !== undefined) this.#makeWay(main.number, 0, undefined);
  }

  /** Opens the next connection now, and checks that open ones still answer. */
  wake(): void {
    const { openAtMs } = this.#state;
    if (openAtMs !== undefined) this.#step({ kind: 'tick', nowMs: openAtMs });
    this.probe(0);
  }

  /** Checks that open connections still answer, if they were silent for so long, in milliseconds. */
  probe(quietForMs: number): void {
    for (const connection of this.#connections.values()) connection.probe(quietForMs);
  }

  /** Ends every subscription, and the connection. */
  close(error: ClientError): void {
    for (const subscription of this.#subscriptions) this.#subscriptions.end(subscription, error);
    this.#rest();
  }

  onEffect(connection: GatewayConnection, effect: ConnectionEffect): void {
    if (this.#bookmarkCheck?.take(connection, effect) === true) return;
    switch (effect.kind) {
      case 'event':
        this.#subscriptions.take(connection, effect, this.#overlapOf(connection));
        return;
      case 'authenticated':
        this.#credentials.noteAccepted();
        this.#tell({ kind: 'connected', principalId: effect.principalId });
        this.#subscriptions.join(connection);
        return;
      case 'subscribed':
        this.#subscriptions.onSubscribed(connection, effect);
        return;
      case 'caught_up':
        this.#subscriptions.get(effect.subscriptionId)?.sink.onCaughtUp();
        return;
      case 'ended':
        this.#subscriptions.onEnded(connection, effect);
        return;
      case 'healthy':
        this.#violations = 0;
        for (const subscription of this.#subscriptions) subscription.violations = 0;
        this.#step({ kind: 'healthy', number: connection.number });
        return;
      case 'go_away': {
        const { reason, reconnect_after_ms: reconnectAfterMs, gateway_url: gatewayUrl } = effect.message;
        this.#tell({ kind: 'leaving', reason: reason.slice(0, 200), reconnectAfterMs });
        this.#makeWay(connection.number, reconnectAfterMs, gatewayUrl);
        return;
      }
      default:
        this.#tell(effect);
    }
  }

  onClosed({ number, credential }: GatewayConnection, error: ClientError): void {
    if (error instanceof DiscoveryOutdatedError) this.#options.discovery.doubt();
    if (error instanceof AuthenticationError) {
      const mayPass = this.#credentials.noteRefused(credential);
      this.#lose(number, error);
      if (!mayPass) this.close(error);
    } else {
      this.#fail(number, error);
    }
    if (error instanceof ProtocolViolationError) this.#noteViolation(error);
  }

  async #open(number: number, gatewayUrl: string | undefined): Promise<void> {
    this.#tell({ kind: 'connecting' });
    try {
      const connection = await openConnection(this.#context, this.#options.discovery, {
        number,
        gatewayUrl,
        credentials: this.#credentials,
        owner: this,
        isWanted: () => number === this.#state.main?.number || number === this.#state.next?.number,
        onUntrusted: (error) => this.#tell({ kind: 'complaint', error }),
      });
      if (connection !== undefined) this.#connections.set(number, connection);
    } catch (error) {
      this.#fail(number, error);
    }
  }

  /** Permanent errors end every subscription, unless another connection still serves the subscriptions. */
  #fail(number: number, error: unknown): void {
    const isServed = number !== this.#state.main?.number;
    this.#lose(number, error);
    if (!isServed && error instanceof ClientError && !error.retryable) this.close(error);
  }

  #lose(number: number, error: unknown): void {
    this.#forget(number);
    const nowMs = this.#nowMs();
    const wasNext = number === this.#state.next?.number;
    this.#step({
      kind: 'closed',
      number,
      nowMs,
      random: this.#context.platform.random(),
      serverDelayMs: serverDelayOf(error),
    });
    if (wasNext) this.#subscriptions.takeBack();
    const { openAtMs } = this.#state;
    if (openAtMs !== undefined) this.#tell({ kind: 'waiting', error, retryInMs: openAtMs - nowMs });
  }

  /** One violation costs a connection. After `maxViolations` in a row the gateway is given up, for one subscription or for all. */
  #noteViolation(violation: ProtocolViolationError): void {
    const { maxViolations } = this.#context.limits;
    const subscription = this.#subscriptions.get(violation.subscriptionId);
    if (subscription === undefined) this.#violations += 1;
    else subscription.violations += 1;
    if ((subscription?.violations ?? this.#violations) < maxViolations) return;
    const error = new ProtocolBrokenError(maxViolations, violation);
    this.#violations = 0;
    if (subscription === undefined) {
      this.close(error);
    } else {
      this.#subscriptions.end(subscription, error);
      this.#rest();
    }
  }

  #makeWay(number: number, reconnectAfterMs: number, gatewayUrl: string | undefined): void {
    const random = this.#context.platform.random();
    this.#step({ kind: 'go_away', number, nowMs: this.#nowMs(), random, reconnectAfterMs, gatewayUrl });
  }

  #overlapOf({ number }: GatewayConnection): 'none' | 'old' | 'new' {
    const { main, next } = this.#state;
    if (next === undefined) return 'none';
    return number === main?.number ? 'old' : 'new';
  }

  /** Leaves the connection if nothing is subscribed any more. */
  #rest(): void {
    this.#callOffRest?.();
    if (this.#subscriptions.size > 0 || !this.#state.isWanted) return;
    this.#step({ kind: 'wanted', isWanted: false, nowMs: this.#nowMs() });
    this.#tell({ kind: 'idle' });
  }

  #forget(number: number): void {
    const connection = this.#connections.get(number);
    if (connection !== undefined) {
      this.#subscriptions.leave(connection);
      this.#bookmarkCheck?.leave(connection);
    }
    this.#connections.delete(number);
  }

  #step(input: LinkInput): void {
    const { state, effects } = stepLink(this.#rules(), this.#state, input);
    this.#state = state;
    for (const effect of effects) this.#run(effect);
    this.#schedule();
  }

  #run(effect: LinkEffect): void {
    switch (effect.kind) {
      case 'open':
        void this.#open(effect.number, effect.gatewayUrl);
        return;
      case 'leave':
        this.#connections.get(effect.number)?.leave();
        this.#forget(effect.number);
        return;
      default:
        this.#options.discovery.doubt();
    }
  }

  #schedule(): void {
    this.#callOffTick?.();
    const { isWanted, openAtMs } = this.#state;
    if (!isWanted || openAtMs === undefined) return;
    const tick = (): void => this.#step({ kind: 'tick', nowMs: this.#nowMs() });
    this.#callOffTick = this.#clock.after(openAtMs - this.#nowMs(), tick);
  }

  #rules(): RetryRules {
    return retryRules(this.#options.discovery.newest?.document, this.#context.limits.maxServerDelayMs);
  }

  get #clock(): ClientClock {
    return this.#context.platform.clock;
  }

  #nowMs(): number {
    return this.#clock.monotonicMs();
  }

  #tell(status: LinkStatus): void {
    this.#options.onStatus({ link: this.#options.number, ...status });
  }
}
