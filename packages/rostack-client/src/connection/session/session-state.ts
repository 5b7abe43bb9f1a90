import type { AuthenticationMethod, EventEncoding, Release } from 'rostack-core';

/** The rules for one connection; times in milliseconds. */
export interface SessionRules {
  readonly apiVersion: string;
  readonly release: Release;
  readonly heartbeatIntervalMs: number;
  readonly heartbeatTimeoutMs: number;
  /** How long the server may take to answer `authenticate` or `subscribe`. */
  readonly answerTimeoutMs: number;
  readonly maxFrameLength: number;
  /** Whether the caller can give another credential after the first. */
  readonly canRenew: boolean;
}

/** Two clocks read at once; delays are measured by the monotonic one. */
export interface Instant {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/** What a `subscribe` asks for, besides its id and its cursor. */
export interface SubscriptionDefinition {
  readonly resource: string;
  /** All that the resource advertises when the caller names none. */
  readonly eventTypes: ReadonlySet<string>;
  /** Whether the caller named the event types. */
  readonly namesEventTypes: boolean;
  readonly filter: object | undefined;
  readonly encoding: EventEncoding;
}

/** `left`: unsubscribed by this side; anything that still comes for it is ignored. */
export type SubscriptionPhase = 'requested' | 'replaying' | 'live' | 'left';

export interface SessionSubscription {
  readonly phase: SubscriptionPhase;
  readonly definition: SubscriptionDefinition;
  readonly hasCursor: boolean;
  readonly requestedAtMs: number;
  /** Whether the id was used before on this connection, so that the server may still have an older subscription under it. */
  readonly isRepeated: boolean;
  /** Earlier requests with this id that were left before they were answered: their answers may still come. */
  readonly owedAnswers: number;
}

export interface Heartbeat {
  readonly receivedAtMs: number;
  readonly sentAtMs: number;
  readonly pingCount: number;
  readonly pingedAtMs: number;
  /** Id of the pong that is expected. */
  readonly awaited: string | undefined;
}

/** `renewing`: another credential is asked for; `replacing`: the server has it. */
export type Renewal =
  | { readonly kind: 'none' }
  | { readonly kind: 'due'; readonly atMs: number }
  | { readonly kind: 'renewing' }
  | { readonly kind: 'replacing'; readonly sinceMs: number };

/** One gateway connection as the client sees it. */
export interface SessionState {
  /** `waiting`: the socket is open, and the first credential is asked for. */
  readonly phase: 'connecting' | 'waiting' | 'authenticating' | 'open' | 'closed';
  /** When the phase began. */
  readonly sinceMs: number;
  readonly method: AuthenticationMethod | undefined;
  readonly principalId: string | undefined;
  /** Wall time of `reauthenticate_at`. */
  readonly reauthenticateAtMs: number | undefined;
  readonly renewal: Renewal;
  readonly isHealthy: boolean;
  readonly isLeaving: boolean;
  readonly subscriptions: ReadonlyMap<string, SessionSubscription>;
  readonly heartbeat: Heartbeat;
}

export function startSession(at: Instant): SessionState {
  const nowMs = at.monotonicMs;
  return {
    phase: 'connecting',
    sinceMs: nowMs,
    method: undefined,
    principalId: undefined,
    reauthenticateAtMs: undefined,
    renewal: { kind: 'none' },
    isHealthy: false,
    isLeaving: false,
    subscriptions: new Map(),
    heartbeat: { receivedAtMs: nowMs, sentAtMs: nowMs, pingCount: 0, pingedAtMs: nowMs, awaited: undefined },
  };
}
