import type {
  AuthenticationMethod,
  ClientMessage,
  EventEncoding,
  EventMessage,
  GoAwayMessage,
  Release,
} from 'rostack-core';
import { CLOSE_CODES } from 'rostack-core/client';
import { type ClientError, ProtocolViolationError, type SubscriptionError } from '../../http/error/errors.ts';
import type { Credential } from '../credential/credentials.ts';

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

/** When the heartbeat may next have something to do. */
export function heartbeatDueMs(rules: SessionRules, heartbeat: Heartbeat): number {
  if (heartbeat.awaited !== undefined) return heartbeat.pingedAtMs + rules.heartbeatTimeoutMs;
  const quietSinceMs = Math.max(Math.min(heartbeat.receivedAtMs, heartbeat.sentAtMs), heartbeat.pingedAtMs);
  return quietSinceMs + rules.heartbeatIntervalMs;
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

/** What happens to a session. */
export type SessionInput =
  /** The socket is open. */
  | { readonly kind: 'opened'; readonly at: Instant }
  | { readonly kind: 'message'; readonly text: string; readonly at: Instant }
  | { readonly kind: 'tick'; readonly at: Instant }
  | {
      readonly kind: 'subscribe';
      readonly subscriptionId: string;
      readonly definition: SubscriptionDefinition;
      readonly cursor: string | undefined;
      readonly at: Instant;
    }
  | { readonly kind: 'unsubscribe'; readonly subscriptionId: string; readonly at: Instant }
  /** Something may have happened to the network: is the other side still there? */
  | { readonly kind: 'probe'; readonly at: Instant }
  /** The answer to the effect `ask`. */
  | { readonly kind: 'credential'; readonly credential: Credential; readonly at: Instant }
  /** The other answer to it: there is no credential now. */
  | { readonly kind: 'no_credential'; readonly error: ClientError; readonly at: Instant };

/** What the owner of a session has to do. */
export type SessionEffect =
  /** The first credential was accepted: subscribe now. */
  | { readonly kind: 'authenticated'; readonly principalId: string }
  | { readonly kind: 'subscribed'; readonly subscriptionId: string; readonly replaying: boolean }
  | { readonly kind: 'caught_up'; readonly subscriptionId: string }
  | {
      readonly kind: 'event';
      readonly event: EventMessage;
      /** UTF-16 units of the frame. */
      readonly frameLength: number;
    }
  /** The server refused or ended one subscription. */
  | { readonly kind: 'ended'; readonly subscriptionId: string; readonly error: SubscriptionError }
  /** Get a credential, the first or a newer one, and pass it in as `credential` or `no_credential`. */
  | { readonly kind: 'ask' }
  | { readonly kind: 'go_away'; readonly message: GoAwayMessage }
  /** One heartbeat interval has passed since authentication, and all is well. */
  | { readonly kind: 'healthy' }
  /** Something went wrong that ends nothing: the server complains, or a credential could not be renewed. */
  | { readonly kind: 'complaint'; readonly error: ClientError }
  /** Close the socket; the session is over. */
  | { readonly kind: 'close'; readonly code: number; readonly error: ClientError };

export interface SessionStep {
  readonly state: SessionState;
  readonly messages: readonly ClientMessage[];
  readonly effects: readonly SessionEffect[];
}

export const step = (
  state: SessionState,
  messages: readonly ClientMessage[] = [],
  effects: readonly SessionEffect[] = [],
): SessionStep => ({ state, messages, effects });

export function close(state: SessionState, code: number, error: ClientError): SessionStep {
  return step({ ...state, phase: 'closed' }, [], [{ kind: 'close', code, error }]);
}

/** The server broke the protocol: everything else that it sends on this connection is ignored. */
export function refuse(state: SessionState, what: string, subscriptionId?: string): SessionStep {
  return close(state, CLOSE_CODES.invalidMessage, new ProtocolViolationError(what, subscriptionId));
}

export function withSubscription(
  state: SessionState,
  subscriptionId: string,
  subscription: SessionSubscription | undefined,
): SessionState {
  const subscriptions = new Map(state.subscriptions);
  if (subscription === undefined) subscriptions.delete(subscriptionId);
  else subscriptions.set(subscriptionId, subscription);
  return { ...state, subscriptions };
}
