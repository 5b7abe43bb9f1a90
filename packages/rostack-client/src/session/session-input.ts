import type { Credential } from '../credential/credential.ts';
import type { ClientError } from '../error/index.ts';
import type { Instant } from './session-rules.ts';
import type { SubscriptionDefinition } from './session-state.ts';

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
  /** The answer to the effect `ask`. */
  | { readonly kind: 'credential'; readonly credential: Credential; readonly at: Instant }
  /** The other answer to it: there is no credential now. */
  | { readonly kind: 'no_credential'; readonly error: ClientError; readonly at: Instant };
