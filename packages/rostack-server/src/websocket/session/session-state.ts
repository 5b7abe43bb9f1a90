import {
  CLOSE_CODES,
  type CloseCode,
  type EventEncoding,
  type EventPosition,
  type Filter,
  type NormalizedSubscription,
  type Principal,
  type Resource,
  type ServerMessage,
  type Visibility,
} from 'rostack-core';
import type { AuthenticationMethod, Credential } from '../../auth/authenticator.ts';
import type { Instant } from '../options/clock.ts';
import type { Rate } from '../options/websocket-limits.ts';
import type { SessionRules } from './session-rules.ts';

/** The principal that the connection is authenticated as. */
export interface Identity {
  readonly principal: Principal;
  /** Wall-clock time in ms from which the credential is no longer valid. */
  readonly expiresAtMs: number | undefined;
}

/** A credential that is being verified. */
export interface Verification {
  /** Distinguishes late results from current ones. */
  readonly attempt: number;
  readonly method: AuthenticationMethod;
  readonly startedAtMs: number;
}

/** A `subscribe` that may be served: known, permitted, supported. */
export interface RequestedSubscription {
  readonly subscriptionId: string;
  readonly resource: Resource;
  /** Equal if two requests mean the same. */
  readonly definition: NormalizedSubscription;
  /** Names of the events to deliver; never empty. */
  readonly eventTypes: readonly string[];
  readonly filter: Filter | undefined;
  /** What the principal may see; the subscription ends when it changes. */
  readonly visibility: Visibility;
  readonly encoding: EventEncoding;
  /** Binds the cursors of its events to the principal and to what it may see. */
  readonly scopeTag: string;
  /** Where to resume; undefined means from now on. */
  readonly from: EventPosition | undefined;
}

export interface SubscriptionState {
  /** Distinguishes this subscription from an earlier one with the same id. */
  readonly ticket: number;
  readonly requested: RequestedSubscription;
  readonly phase: 'opening' | 'replaying' | 'live';
  /** `subscribed` answers owed once it is open: one per `subscribe` received. */
  readonly owedAnswers: number;
}

export interface Heartbeat {
  readonly receivedAtMs: number;
  readonly sentAtMs: number;
  readonly pingCount: number;
  readonly pingedAtMs: number;
  /** Id of the ping whose pong has not arrived yet. */
  readonly awaited: string | undefined;
}

/** When the heartbeat may have something to do next. */
export function heartbeatDueMs(rules: SessionRules, heartbeat: Heartbeat): number {
  return heartbeat.awaited === undefined
    ? quietSinceMs(heartbeat) + rules.heartbeatIntervalMs
    : heartbeat.pingedAtMs + rules.heartbeatTimeoutMs;
}

/** Since when one side, or both, has sent nothing. */
export function quietSinceMs({ receivedAtMs, sentAtMs, pingedAtMs }: Heartbeat): number {
  return Math.max(Math.min(receivedAtMs, sentAtMs), pingedAtMs);
}

/** The whole protocol state of one connection. Times are from the monotonic clock unless stated otherwise. */
export interface SessionState {
  readonly phase: 'open' | 'closed';
  readonly openedAtMs: number;
  readonly identity: Identity | undefined;
  readonly verification: Verification | undefined;
  readonly attempts: number;
  readonly tickets: number;
  readonly subscriptions: ReadonlyMap<string, SubscriptionState>;
  readonly heartbeat: Heartbeat;
  readonly messageBucket: TokenBucket;
  readonly subscribeBucket: TokenBucket;
  readonly invalidMessages: number;
  readonly rateViolations: number;
  readonly permissionRefusals: number;
  readonly drainedAtMs: number | undefined;
}

const NO_SUBSCRIPTIONS: ReadonlyMap<string, SubscriptionState> = new Map();

/** The state of a connection that was just accepted. */
export function createSession(rules: SessionRules, at: Instant): SessionState {
  const nowMs = at.monotonicMs;
  return {
    phase: 'open',
    openedAtMs: nowMs,
    identity: undefined,
    verification: undefined,
    attempts: 0,
    tickets: 0,
    subscriptions: NO_SUBSCRIPTIONS,
    heartbeat: { receivedAtMs: nowMs, sentAtMs: nowMs, pingCount: 0, pingedAtMs: nowMs, awaited: undefined },
    messageBucket: fullBucket(rules.limits.messageRate, nowMs),
    subscribeBucket: fullBucket(rules.limits.subscribeRate, nowMs),
    invalidMessages: 0,
    rateViolations: 0,
    permissionRefusals: 0,
    drainedAtMs: undefined,
  };
}

/** Sums of fractions fall short of integers by less than this. */
const ROUNDING = 1e-6;

/** What is left of a rate, at a moment of the monotonic clock. */
export interface TokenBucket {
  readonly tokens: number;
  readonly atMs: number;
}

export function fullBucket(rate: Rate, atMs: number): TokenBucket {
  return { tokens: rate.burst, atMs };
}

/** Takes one token; `waitMs` is 0 if there was one, else the time until there will be one. */
export function takeToken(
  bucket: TokenBucket,
  rate: Rate,
  nowMs: number,
): { readonly bucket: TokenBucket; readonly waitMs: number } {
  const earned = (Math.max(0, nowMs - bucket.atMs) / 1_000) * rate.perSecond;
  const tokens = Math.min(rate.burst, bucket.tokens + earned);
  if (tokens >= 1 - ROUNDING) return { bucket: { tokens: Math.max(0, tokens - 1), atMs: nowMs }, waitMs: 0 };
  return { bucket: { tokens, atMs: nowMs }, waitMs: Math.ceil(((1 - tokens) / rate.perSecond) * 1_000) };
}

/** What a session asks its connection to do, in order, after its messages were sent. */
export type SessionEffect =
  /** Find out whose token it is; answer with `verified`. */
  | {
      readonly kind: 'verify';
      readonly attempt: number;
      readonly method: AuthenticationMethod;
      readonly token: string;
    }
  /** The active credential from now on: check it again from time to time. */
  | { readonly kind: 'adopt'; readonly credential: Credential }
  /** Place a subscription in the log; answer with `opened`. */
  | { readonly kind: 'open'; readonly ticket: number; readonly requested: RequestedSubscription }
  /** Deliver no more events of it. */
  | { readonly kind: 'stop'; readonly subscriptionId: string; readonly ticket: number }
  /** Close the connection; nothing is delivered any more. */
  | { readonly kind: 'close'; readonly code: CloseCode; readonly reason: string };

/** What a server sends besides events. */
export type SessionMessage = Exclude<ServerMessage, { readonly type: 'event' }>;

export interface SessionStep {
  readonly state: SessionState;
  readonly messages: readonly SessionMessage[];
  readonly effects: readonly SessionEffect[];
}

/** Continues without a message. */
export function keep(state: SessionState): SessionStep {
  return { state, messages: [], effects: [] };
}

export function send(
  state: SessionState,
  messages: readonly SessionMessage[],
  effects: readonly SessionEffect[] = [],
): SessionStep {
  return { state, messages, effects };
}

/** Ends the session: messages that explain it, then the close. */
export function close(
  state: SessionState,
  code: CloseCode,
  reason: string,
  messages: readonly SessionMessage[] = [],
): SessionStep {
  const closed: SessionState = {
    ...state,
    phase: 'closed',
    identity: undefined,
    verification: undefined,
    subscriptions: new Map(),
  };
  return { state: closed, messages, effects: [{ kind: 'close', code, reason }] };
}

export function closeForAuthentication(
  state: SessionState,
  reason: string,
  messages: readonly SessionMessage[] = [],
): SessionStep {
  return close(state, CLOSE_CODES.authentication, reason, messages);
}
