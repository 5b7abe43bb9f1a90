import type { Credential } from '../credential/credential.ts';
import type { Instant } from './session-rules.ts';
import type { SubscriptionDefinition } from './session-state.ts';

/** What happens to a session. */
export type SessionInput =
  /** The socket is open; `authenticate` goes first. */
  | { readonly kind: 'opened'; readonly credential: Credential; readonly at: Instant }
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
  /** The answer to the effect `renew`; undefined where there is no other credential now. */
  | { readonly kind: 'renewed'; readonly credential: Credential | undefined; readonly at: Instant };
