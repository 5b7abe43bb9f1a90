import type { CloseCode, ServerMessage } from 'rostack-core';
import type { AuthenticationMethod, Credential } from '../../auth/authenticator.ts';
import type { RequestedSubscription } from './requested-subscription.ts';
import type { SessionState } from './session-state.ts';

/** What a session asks of its connection, in order, after its messages were sent. */
export type SessionEffect =
  /** Find out whom a token speaks for; answer with a `verdict`. */
  | {
      readonly kind: 'verify';
      readonly attempt: number;
      readonly method: AuthenticationMethod;
      readonly token: string;
    }
  /** The credential that counts from now on: look at it again from time to time. */
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
