import type {
  ConnectionEffect,
  ConnectionOwner,
  GatewayConnection,
} from '../connection/gateway-connection.ts';
import type { Credential } from '../credential/credential.ts';
import type { CredentialSource } from '../credential/credential-source.ts';
import { GatewayCredentials } from '../credential/gateway-credentials.ts';
import {
  AuthenticationError,
  ClientError,
  DiscoveryOutdatedError,
  ProtocolBrokenError,
  ProtocolViolationError,
} from '../error/index.ts';
import { delayAfter, retryAfterOf } from '../http/with-retries.ts';
import type { ClientClock } from '../platform/clock.ts';
import type { ReconnectRules } from '../reconnect/reconnect-delay.ts';
import type { SubscriptionDefinition } from '../session/index.ts';
import type { ConnectionStatus } from './connection-status.ts';
import { EVENT_WINDOW_SIZE } from './event-window.ts';
import { GatewayDialer, type GatewayDialerOptions } from './gateway-dialer.ts';
import { IDLE_LINK, type LinkState } from './link-state.ts';
import { type LinkEffect, type LinkInput, stepLink } from './step-link.ts';
import type { Track } from './track.ts';

export interface GatewayLinkOptions extends Omit<GatewayDialerOptions, 'credentials'> {
  readonly credentials: CredentialSource;
  /** How long credentials may be refused in a row, see `ClientLimits`. */
  readonly maxRefusalMs: number;
  /** Names the link in statuses. */
  readonly number: number;
  readonly maxServerDelayMs: number;
  /** Connections in a row on which the gateway may break the protocol. */
  readonly maxViolations: number;
  readonly onStatus: (status: ConnectionStatus) => void;
}

type EventEffect = Extract<ConnectionEffect, { kind: 'event' }>;

/** How long a connection without subscriptions is kept: the next one often follows, such as after a new snapshot. */
const LINGER_MS = 5_000;

/** Keeps tracks subscribed over whatever happens to the connection: see `stepLink` for when, this for how. */
export class GatewayLink implements ConnectionOwner {
  readonly #options: GatewayLinkOptions;
  readonly #credentials: GatewayCredentials;
  readonly #dialer: GatewayDialer;
  readonly #tracks = new Map<string, Track>();
  readonly #connections = new Map<number, GatewayConnection>();
  /** Tracks whose answer a connection still owes, by the connection's number. */
  readonly #awaited = new Map<number, Set<string>>();
  #state: LinkState = IDLE_LINK;
  /** Connections in a row on which the gateway broke the protocol for no subscription of ours in particular. */
  #violations = 0;
  #callOffTick: (() => void) | undefined;
  #callOffRest: (() => void) | undefined;

  constructor(options: GatewayLinkOptions) {
    this.#options = options;
    const { platform, credentials: source, maxRefusalMs } = options;
    this.#credentials = new GatewayCredentials({ source, clock: platform.clock, maxRefusalMs });
    this.#dialer = new GatewayDialer({ ...options, credentials: this.#credentials });
  }

  get size(): number {
    return this.#tracks.size;
  }

  add(track: Track): void {
    this.#tracks.set(track.id, track);
    this.#subscribe(track);
    this.#step({ kind: 'wanted', isWanted: true, nowMs: this.#nowMs() });
  }

  remove(track: Track): void {
    if (!this.#tracks.delete(track.id)) return;
    track.callOffRetry?.();
    this.#unsubscribe(track);
    this.#callOffRest?.();
    if (this.#tracks.size === 0) this.#callOffRest = this.#clock.after(LINGER_MS, () => this.#rest());
  }

  /** Goes on with a track that was paused, from its cursor. */
  resume(track: Track): void {
    if (!track.isPaused || !this.#tracks.has(track.id)) return;
    track.isPaused = false;
    this.#subscribe(track);
  }

  /** Discovery names another gateway: move there, with overlap. */
  move(): void {
    const { main } = this.#state;
    if (main === undefined) return;
    this.#makeWay(main.number, 0, undefined);
  }

  /** Ends every track, and the connection. */
  close(error: ClientError): void {
    for (const track of this.#tracks.values()) this.#end(track, error);
    this.#rest();
  }

  onEffect(connection: GatewayConnection, effect: ConnectionEffect): void {
    const { number } = connection;
    switch (effect.kind) {
      case 'event':
        this.#take(connection, effect);
        return;
      case 'authenticated':
        this.#onAuthenticated(connection, effect.principalId);
        return;
      case 'subscribed':
        this.#onSubscribed(connection, effect.subscriptionId, effect.replaying);
        return;
      case 'caught_up':
        this.#tracks.get(effect.subscriptionId)?.sink.onCaughtUp();
        return;
      case 'ended':
        this.#onSubscriptionEnded(connection, effect.subscriptionId, effect.error);
        return;
      case 'healthy':
        this.#noteHealthy(number);
        return;
      case 'go_away': {
        const { reason, reconnect_after_ms: reconnectAfterMs, gateway_url: gatewayUrl } = effect.message;
        this.#tell({ kind: 'leaving', reason: reason.slice(0, 200), reconnectAfterMs });
        this.#makeWay(number, reconnectAfterMs, gatewayUrl);
        return;
      }
      default:
        this.#tell({ kind: 'complaint', error: effect.error });
    }
  }

  onClosed(connection: GatewayConnection, error: ClientError): void {
    if (error instanceof DiscoveryOutdatedError) this.#options.discovery.doubt();
    this.#fail(connection.number, error, connection.credential);
    if (error instanceof ProtocolViolationError) this.#noteViolation(error);
  }

  #noteHealthy(number: number): void {
    this.#violations = 0;
    for (const track of this.#tracks.values()) track.violations = 0;
    this.#step({ kind: 'healthy', number });
  }

  /** One slip costs a connection; a gateway that does nothing else is given up, for the one subscription or for all. */
  #noteViolation(violation: ProtocolViolationError): void {
    const { maxViolations } = this.#options;
    const track = this.#tracks.get(violation.subscriptionId ?? '');
    if (track === undefined) this.#violations += 1;
    else track.violations += 1;
    if ((track?.violations ?? this.#violations) < maxViolations) return;
    const error = new ProtocolBrokenError(maxViolations, violation);
    this.#violations = 0;
    if (track === undefined) {
      this.close(error);
    } else {
      this.#end(track, error);
      this.#rest();
    }
  }

  async #open(number: number, gatewayUrl: string | undefined): Promise<void> {
    this.#tell({ kind: 'connecting' });
    try {
      const connection = await this.#dialer.dial({
        number,
        gatewayUrl,
        owner: this,
        isWanted: () => number === this.#state.main?.number || number === this.#state.next?.number,
        onUntrustedWish: (error) => this.#tell({ kind: 'complaint', error: error as ClientError }),
      });
      if (connection !== undefined) this.#connections.set(number, connection);
    } catch (error) {
      this.#fail(number, error);
    }
  }

  /** What does not pass by itself ends every track: a refusal always, anything else where no other connection serves them. */
  #fail(number: number, error: unknown, credential?: Credential): void {
    const isLast = number === this.#state.main?.number;
    const isLasting =
      error instanceof AuthenticationError
        ? !this.#credentials.noteRefused(credential)
        : isLast && error instanceof ClientError && !error.retryable;
    this.#lose(number, error);
    if (isLasting) this.close(error as ClientError);
  }

  #lose(number: number, error: unknown): void {
    this.#forget(number);
    const { platform } = this.#options;
    const nowMs = platform.clock.monotonicMs();
    const serverDelayMs = retryAfterOf(error);
    const wasNext = number === this.#state.next?.number;
    this.#step({ kind: 'closed', number, nowMs, random: platform.random(), serverDelayMs });
    if (wasNext) this.#returnToMain();
    const { openAtMs } = this.#state;
    if (openAtMs !== undefined) this.#tell({ kind: 'waiting', error, retryInMs: openAtMs - nowMs });
  }

  /** What the first connection was relieved of, it takes over again when there is no second one. */
  #returnToMain(): void {
    for (const track of this.#tracks.values()) {
      if (!track.isRelieved) continue;
      track.isRelieved = false;
      track.overlapCount = 0;
      this.#subscribe(track);
    }
  }

  #makeWay(number: number, reconnectAfterMs: number, gatewayUrl: string | undefined): void {
    const { platform } = this.#options;
    const nowMs = platform.clock.monotonicMs();
    const random = platform.random();
    this.#step({ kind: 'go_away', number, nowMs, random, reconnectAfterMs, gatewayUrl });
  }

  /** Leaves the connection where nothing is subscribed any more. */
  #rest(): void {
    this.#callOffRest?.();
    if (this.#tracks.size > 0 || !this.#state.isWanted) return;
    this.#step({ kind: 'wanted', isWanted: false, nowMs: this.#nowMs() });
    this.#tell({ kind: 'idle' });
  }

  #forget(number: number): void {
    this.#connections.delete(number);
    this.#awaited.delete(number);
  }

  #onAuthenticated(connection: GatewayConnection, principalId: string): void {
    const { number } = connection;
    this.#credentials.noteAccepted();
    this.#tell({ kind: 'connected', principalId });
    this.#awaited.set(number, new Set());
    for (const track of this.#tracks.values()) {
      track.overlapCount = 0;
      track.isRelieved = false;
      if (!track.isPaused && track.callOffRetry === undefined) this.#request(connection, track);
    }
    this.#noteReady(number);
  }

  #onSubscribed(connection: GatewayConnection, subscriptionId: string, replaying: boolean): void {
    const track = this.#tracks.get(subscriptionId);
    if (track !== undefined) {
      if (track.wasSubscribed && !replaying) track.sink.onGap();
      track.wasSubscribed = true;
      track.failures = 0;
      if (!replaying) track.sink.onCaughtUp();
    }
    this.#noteAnswer(connection.number, subscriptionId);
  }

  #onSubscriptionEnded(
    connection: GatewayConnection,
    subscriptionId: string,
    error: ClientError & { readonly retryAfterMs: number | undefined },
  ): void {
    const track = this.#tracks.get(subscriptionId);
    if (track !== undefined) {
      if (error.retryable) this.#retry(track, error);
      else this.#end(track, error);
    }
    this.#noteAnswer(connection.number, subscriptionId);
  }

  #take(connection: GatewayConnection, { event, frameLength }: EventEffect): void {
    const track = this.#tracks.get(event.subscription_id);
    const isTaken = track?.take(event, frameLength) ?? false;
    if (track === undefined || !isTaken) return;
    if (track.isPaused) {
      this.#unsubscribe(track);
    } else if (this.#state.next !== undefined) {
      // The window has to span what the second connection repeats of the first one.
      track.overlapCount += 1;
      if (track.overlapCount > EVENT_WINDOW_SIZE / 2 && connection.number === this.#state.main?.number) {
        track.isRelieved = true;
        connection.unsubscribe(track.id);
      }
    }
  }

  /** Tries a subscription again later; the others go on. */
  #retry(track: Track, error: ClientError): void {
    if (track.callOffRetry !== undefined) return;
    track.failures += 1;
    const delayMs = delayAfter(this.#rules(), error, track.failures, this.#options.platform.random());
    this.#unsubscribe(track);
    track.callOffRetry = this.#clock.after(delayMs, () => {
      track.callOffRetry = undefined;
      if (!track.isPaused && this.#tracks.has(track.id)) this.#subscribe(track);
    });
  }

  #end(track: Track, error: ClientError): void {
    this.remove(track);
    track.sink.onEnded(error);
  }

  #subscribe(track: Track): void {
    if (track.isPaused || track.callOffRetry !== undefined) return;
    for (const connection of this.#connections.values()) {
      if (connection.isOpen) this.#request(connection, track);
    }
  }

  #request(connection: GatewayConnection, track: Track): void {
    let definition: SubscriptionDefinition;
    try {
      definition = track.define();
    } catch (error) {
      this.#end(track, error as ClientError);
      return;
    }
    this.#awaited.get(connection.number)?.add(track.id);
    connection.subscribe(track.id, definition, track.cursor);
  }

  #unsubscribe(track: Track): void {
    for (const connection of this.#connections.values()) {
      connection.unsubscribe(track.id);
      this.#noteAnswer(connection.number, track.id);
    }
  }

  #noteAnswer(number: number, subscriptionId: string): void {
    if (this.#awaited.get(number)?.delete(subscriptionId) === true) this.#noteReady(number);
  }

  #noteReady(number: number): void {
    if (this.#awaited.get(number)?.size === 0) this.#step({ kind: 'ready', number });
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
    this.#callOffTick = this.#clock.after(openAtMs - this.#nowMs(), () =>
      this.#step({ kind: 'tick', nowMs: this.#nowMs() }),
    );
  }

  #rules(): ReconnectRules {
    const websocket = this.#options.discovery.newest?.document.capabilities.websocket;
    const { maxServerDelayMs } = this.#options;
    return {
      minDelayMs: Math.min(websocket?.reconnect_min_delay_ms ?? 1_000, maxServerDelayMs),
      maxDelayMs: Math.min(websocket?.reconnect_max_delay_ms ?? 60_000, maxServerDelayMs),
      maxServerDelayMs,
    };
  }

  get #clock(): ClientClock {
    return this.#options.platform.clock;
  }

  #nowMs(): number {
    return this.#clock.monotonicMs();
  }

  #tell(
    status: ConnectionStatus extends infer S ? (S extends { link: number } ? Omit<S, 'link'> : never) : never,
  ): void {
    this.#options.onStatus({ link: this.#options.number, ...status });
  }
}
