import { CLOSE_CODES } from 'rostack-core';
import type { AuthenticationResult } from '../../auth/authenticator.ts';
import type { ObservedConnection } from '../../options/gateway-hooks.ts';
import { Outbox, type OutboxOwner } from '../delivery/outbox.ts';
import type { FrameHalf, SharedPayload } from '../delivery/text-frame.ts';
import type { Flushable } from '../delivery/write-round.ts';
import type { EventFeed, FeedSink } from '../hub/feed/event-feed.ts';
import type { StartingPoint } from '../hub/replay/start-locator.ts';
import { type Instant, readClock } from '../options/clock.ts';
import { sessionDueMs, stepSession } from '../session/session.ts';
import type { Draining, EndReason, Opening, SessionInput } from '../session/session-input.ts';
import {
  createSession,
  type RequestedSubscription,
  type SessionEffect,
  type SessionMessage,
  type SessionState,
} from '../session/session-state.ts';
import { ConnectionFeeds } from './connection-feeds.ts';
import { type CredentialHolder, verify } from './credential-watch.ts';
import type { GatewayContext } from './gateway-context.ts';
import type { RostackSocket, SocketOwner } from './rostack-socket.ts';
import type { AcceptedUpgrade } from './upgrade-listener.ts';

const SOURCE_RETRY_MS = 1_000;

export interface ConnectionOwner {
  connectionGone(connection: Connection): void;
}

export interface ConnectionOptions extends AcceptedUpgrade {
  readonly id: number;
  readonly owner: ConnectionOwner;
}

/** One client: passes all input to its session, and carries out the session's effects. */
export class Connection implements SocketOwner, OutboxOwner, FeedSink, Flushable, CredentialHolder {
  readonly #context: GatewayContext;
  readonly #owner: ConnectionOwner;
  readonly #id: number;
  readonly #address: string;
  readonly #websocket: RostackSocket;
  readonly #outbox: Outbox;
  #state: SessionState;
  /** Created with the first subscription, to save memory on idle connections. */
  #feeds: ConnectionFeeds | undefined;
  /** Messages that wait while a credential is being verified. */
  #held: string[] | undefined;
  #principalId: string | undefined;
  #isInRound = false;
  #isInLaterRound = false;
  #isReadingPaused = false;
  #isGone = false;
  #isBroken = false;
  #dueMs: number;
  #expiresAtMs = Number.POSITIVE_INFINITY;
  #deliveredAtMs = 0;
  #progressAtMs = 0;
  #closing: { readonly code: number; readonly reason: string } | undefined;

  constructor(context: GatewayContext, options: ConnectionOptions) {
    this.#context = context;
    this.#owner = options.owner;
    this.#id = options.id;
    this.#address = options.address;
    this.#websocket = options.websocket;
    this.#state = createSession(context.rules, readClock(context.clock));
    this.#dueMs = sessionDueMs(context.rules, this.#state);
    this.#outbox = new Outbox({
      websocket: options.websocket,
      socket: options.socket,
      limits: context.limits,
      budget: context.budget,
      deflateUpToBytes: options.deflateUpToBytes,
      owner: this,
    });
    options.websocket.listen(this);
  }

  get observed(): ObservedConnection {
    return { id: this.#id, address: this.#address };
  }

  get isFull(): boolean {
    return this.#outbox.isFull;
  }

  get bufferedBytes(): number {
    return this.#outbox.bufferedBytes;
  }

  get subscriptionCount(): number {
    return this.#state.subscriptions.size;
  }

  /** Handles timeouts and heartbeats. */
  tick(at: Instant): void {
    if (at.monotonicMs < this.#dueMs && at.wallMs < this.#expiresAtMs) return;
    this.#tickNow(at);
  }

  drain(draining: Draining): void {
    this.#step({ kind: 'drain', draining, at: this.#now() });
  }

  /** Ends the connection without a closing handshake. */
  terminate(): void {
    this.#websocket.terminate();
  }

  received(data: Buffer, isBinary: boolean): void {
    if (isBinary) {
      this.receivedUnreadable();
      return;
    }
    const text = data.toString('utf8');
    if (this.#state.verification === undefined && this.#held === undefined) this.#receive(text);
    else this.#hold(text);
  }

  receivedUnreadable(): void {
    this.#step({ kind: 'unreadable', at: this.#now() });
  }

  socketClosed(code: number, reason: string): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#step({ kind: 'lost', at: this.#now() });
    this.#stopAll();
    this.#outbox.release();
    this.#context.credentials.release(this);
    if (this.#principalId !== undefined) this.#context.admission.releasePrincipal(this.#principalId);
    const end = this.#closing ?? { code, reason };
    this.#context.hooks.onClosed?.(this.observed, end.code, end.reason);
    this.#owner.connectionGone(this);
  }

  flush(at: Instant): void {
    this.#isInRound = false;
    this.#isInLaterRound = false;
    if (this.#isGone) return;
    if (at.wallMs >= this.#expiresAtMs) {
      this.#outbox.discard();
      this.#tickNow(at);
      return;
    }
    this.#deliveredAtMs = at.monotonicMs;
    try {
      this.#outbox.flush();
    } catch (error) {
      this.#break(error);
    }
  }

  pushEvent(own: FrameHalf, shared: SharedPayload): void {
    this.#outbox.push(own, shared);
    this.#joinRound();
  }

  pushReplayed(own: FrameHalf, shared: SharedPayload): void {
    this.#outbox.push(own, shared);
    if (this.#isInRound || this.#isInLaterRound) return;
    this.#isInLaterRound = true;
    this.#context.round.addLater(this);
  }

  outboxProgressed(resumed: boolean): void {
    this.#progressAtMs = this.#context.clock.monotonicMs();
    if (resumed) this.#feeds?.wake();
    this.#updateReading();
  }

  feedCaughtUp({ subscriptionId, ticket }: EventFeed): void {
    this.#step({ kind: 'caught-up', subscriptionId, ticket, at: this.#now() });
  }

  feedEnded({ subscriptionId, ticket }: EventFeed, reason: EndReason): void {
    this.#feeds?.stop(subscriptionId, ticket);
    this.#step({ kind: 'ended', subscriptionId, ticket, reason, at: this.#now() });
  }

  credentialRechecked(result: AuthenticationResult): void {
    this.#step({ kind: 'rechecked', result, at: this.#now() });
  }

  #now(): Instant {
    return readClock(this.#context.clock);
  }

  #tickNow(at: Instant): void {
    this.#step({ kind: 'tick', at, deliveredAtMs: this.#deliveredAtMs, progressAtMs: this.#progressAtMs });
  }

  #receive(text: string): void {
    this.#step({ kind: 'message', text, at: this.#now() });
  }

  #hold(text: string): void {
    this.#held ??= [];
    this.#held.push(text);
    if (this.#held.length > this.#context.limits.maxWaitingMessages) {
      this.#step({ kind: 'overrun', at: this.#now() });
    }
    this.#updateReading();
  }

  /** Handles the messages that waited for a verification, until one of them needs another. */
  #release(): void {
    while (this.#state.phase === 'open' && this.#state.verification === undefined) {
      const text = this.#held?.shift();
      if (text === undefined) break;
      this.#receive(text);
    }
    if (this.#held?.length === 0 || this.#state.phase === 'closed') this.#held = undefined;
    this.#updateReading();
  }

  /** An error here ends this connection and nothing else. */
  #step(input: SessionInput): void {
    if (this.#isBroken) return;
    try {
      this.#stepOnce(input);
    } catch (error) {
      this.#break(error);
    }
  }

  #break(error: unknown): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    this.#context.hooks.onAlarm?.({ kind: 'connection_failed', error });
    this.#stopAll();
    this.#closing = { code: CLOSE_CODES.transient, reason: 'internal error' };
    this.#websocket.resume();
    this.#websocket.close(CLOSE_CODES.transient, 'internal error');
  }

  #stepOnce(input: SessionInput): void {
    const { rules } = this.#context;
    const { state, messages, effects } = stepSession(rules, this.#state, input);
    this.#state = state;
    this.#dueMs = sessionDueMs(rules, state);
    this.#expiresAtMs = state.identity?.expiresAtMs ?? Number.POSITIVE_INFINITY;
    for (const message of messages) this.#send(message);
    for (const effect of effects) this.#perform(effect);
  }

  #send(message: SessionMessage): void {
    if (message.type === 'error') this.#context.hooks.onErrorSent?.(this.observed, message.code);
    const text = JSON.stringify(message);
    this.#outbox.pushText(text);
    this.#joinRound();
    this.#updateReading();
  }

  #perform(effect: SessionEffect): void {
    const { credentials, hooks } = this.#context;
    switch (effect.kind) {
      case 'verify':
        this.#verify(effect).catch((error: unknown) => this.#break(error));
        return;
      case 'adopt':
        credentials.watch(this, effect.credential);
        hooks.onAuthenticated?.(this.observed, effect.credential.principal.id);
        return;
      case 'open':
        this.#open(effect.ticket, effect.requested).catch((error: unknown) => this.#break(error));
        return;
      case 'stop':
        this.#feeds?.stop(effect.subscriptionId, effect.ticket);
        return;
      case 'close':
        this.#close(effect.code, effect.reason);
    }
  }

  async #verify(effect: Extract<SessionEffect, { kind: 'verify' }>): Promise<void> {
    const result = await verify(this.#context, effect, {
      address: this.#address,
      isGone: () => this.#isGone,
      claim: (principalId) => this.#claim(principalId),
      refused: ({ reason, detail, credentialId }, isLimited) =>
        this.#context.hooks.onAuthenticationFailed?.(this.observed, reason, isLimited, detail, credentialId),
    });
    this.#step({ kind: 'verified', attempt: effect.attempt, result, at: this.#now() });
    this.#release();
  }

  /** Takes one of the principal's places for this connection, only once; false if none is left. */
  async #claim(principalId: string): Promise<boolean> {
    if (this.#isGone || this.#principalId !== undefined) return true;
    const { admission } = this.#context;
    if (!(await admission.claimPrincipal(principalId))) return false;
    if (this.#isGone) admission.releasePrincipal(principalId);
    else this.#principalId = principalId;
    return true;
  }

  async #open(ticket: number, requested: RequestedSubscription): Promise<void> {
    const { subscriptionId, resource, from } = requested;
    const hub = this.#context.hubs.get(resource.name);
    let opening: Opening = { kind: 'unavailable', retryAfterMs: SOURCE_RETRY_MS };
    let start: StartingPoint | undefined;
    try {
      start = await hub?.locate(from);
      opening = { kind: start === undefined ? 'cursor_unavailable' : 'placed' };
    } catch {
      // The client may try again after any fault of the source: `service_unavailable`.
    }
    this.#step({ kind: 'opened', subscriptionId, ticket, opening, at: this.#now() });
    const isOpen = !this.#isBroken && this.#state.subscriptions.get(subscriptionId)?.ticket === ticket;
    if (!isOpen || hub === undefined || start === undefined) return;
    this.#feeds ??= new ConnectionFeeds(this);
    this.#feeds.start(hub, ticket, requested, start);
  }

  #stopAll(): void {
    this.#feeds?.stopAll();
    this.#feeds = undefined;
    this.#held = undefined;
  }

  #close(code: number, reason: string): void {
    this.#closing = { code, reason };
    this.#stopAll();
    this.#outbox.flush();
    this.#websocket.resume();
    this.#websocket.close(code, reason);
  }

  #joinRound(): void {
    if (this.#isInRound) return;
    this.#isInRound = true;
    this.#context.round.add(this);
  }

  /** Stops reading from a client that does not read its answers, or whose credential is being verified. */
  #updateReading(): void {
    const { pauseAboveBytes } = this.#context.limits;
    const shouldPause = this.#held !== undefined || this.#outbox.bufferedBytes > 2 * pauseAboveBytes;
    if (shouldPause === this.#isReadingPaused || this.#state.phase === 'closed') return;
    this.#isReadingPaused = shouldPause;
    if (shouldPause) this.#websocket.pause();
    else this.#websocket.resume();
  }
}
