import type { ClientMessage, EventMessage, GoAwayMessage } from 'rostack-core';
import type { ClientError, SubscriptionError } from '../error/index.ts';
import type { SessionState } from './session-state.ts';

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
  /** Get a credential, the first or a newer one, and put it in as `credential` or `no_credential`. */
  | { readonly kind: 'ask' }
  | { readonly kind: 'go_away'; readonly message: GoAwayMessage }
  /** One heartbeat interval has passed since authentication, and all is well. */
  | { readonly kind: 'healthy' }
  /** Something went wrong that ends nothing: the server complains, or a credential could not be renewed. */
  | { readonly kind: 'complaint'; readonly error: ClientError }
  /** Close the socket; nothing of this session counts from here on. */
  | { readonly kind: 'close'; readonly code: number; readonly error: ClientError };

export interface SessionStep {
  readonly state: SessionState;
  readonly messages: readonly ClientMessage[];
  readonly effects: readonly SessionEffect[];
}
