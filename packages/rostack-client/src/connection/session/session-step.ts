import type { ClientMessage, EventMessage, GoAwayMessage } from 'rostack-core';
import { CLOSE_CODES } from 'rostack-core/client';
import { type ClientError, ProtocolViolationError, type SubscriptionError } from '../../http/error/errors.ts';
import type { Credential } from '../credential/credential.ts';
import type { Instant, SessionState, SessionSubscription, SubscriptionDefinition } from './session-state.ts';

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
