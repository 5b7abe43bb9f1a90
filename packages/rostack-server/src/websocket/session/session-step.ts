import { CLOSE_CODES, type CloseCode, type ServerMessage } from 'rostack-core';
import type { AuthenticationMethod, Credential } from '../../auth/authenticator.ts';
import type { RequestedSubscription, SessionState } from './session-state.ts';

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
