import type {
  EventEncoding,
  EventPosition,
  Filter,
  NormalizedSubscription,
  Principal,
  Resource,
  Visibility,
} from 'rostack-core';
import type { AuthenticationMethod } from '../../auth/authenticator.ts';
import type { Instant } from '../options/clock.ts';
import type { SessionRules } from './session-rules.ts';
import { fullBucket, type TokenBucket } from './token-bucket.ts';

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
