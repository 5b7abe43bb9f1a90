import type { WebSocketErrorCode } from 'rostack-core';
import type { AuthenticationResult } from '../../auth/authenticator.ts';
import type { Instant } from '../options/clock.ts';

/** The result of verifying a credential that the client sent. */
export type VerificationResult =
  | AuthenticationResult
  /** Refused, and too many were refused for this address. */
  | { readonly kind: 'rate_limited'; readonly retryAfterMs: number }
  /** Accepted, but the principal has too many connections. */
  | { readonly kind: 'too_many_connections'; readonly retryAfterMs: number };

/** Whether a subscription could be placed in its resource's log. */
export type Opening =
  | { readonly kind: 'placed' }
  | { readonly kind: 'cursor_unavailable' }
  | { readonly kind: 'unavailable'; readonly retryAfterMs: number };

/** Why the server ends a running subscription. */
export type EndReason = Extract<
  WebSocketErrorCode,
  'cursor_unavailable' | 'service_unavailable' | 'internal_error'
>;

export interface Draining {
  /** Text for people, not empty. */
  readonly reason: string;
  readonly reconnectAfterMs: number;
  /** At least `reconnectAfterMs`. */
  readonly drainTimeoutMs: number;
  readonly gatewayUrl: string | undefined;
}

/** Everything that can happen to a session. */
export type SessionInput =
  | { readonly kind: 'message'; readonly text: string; readonly at: Instant }
  /** A frame that is not a text message within the size limit. */
  | { readonly kind: 'unreadable'; readonly at: Instant }
  /** More messages than may wait while a credential is being verified. */
  | { readonly kind: 'overrun'; readonly at: Instant }
  | {
      readonly kind: 'tick';
      readonly at: Instant;
      /** Monotonic time of the last event sent. */
      readonly deliveredAtMs: number;
      /** Monotonic time at which waiting bytes were last sent to the peer. */
      readonly progressAtMs: number;
    }
  | {
      readonly kind: 'verified';
      readonly attempt: number;
      readonly result: VerificationResult;
      readonly at: Instant;
    }
  /** The active credential was checked again. */
  | { readonly kind: 'rechecked'; readonly result: AuthenticationResult; readonly at: Instant }
  | {
      readonly kind: 'opened';
      readonly subscriptionId: string;
      readonly ticket: number;
      readonly opening: Opening;
      readonly at: Instant;
    }
  | {
      readonly kind: 'caught-up';
      readonly subscriptionId: string;
      readonly ticket: number;
      readonly at: Instant;
    }
  | {
      readonly kind: 'ended';
      readonly subscriptionId: string;
      readonly ticket: number;
      readonly reason: EndReason;
      readonly at: Instant;
    }
  | { readonly kind: 'drain'; readonly draining: Draining; readonly at: Instant }
  /** The connection is gone. */
  | { readonly kind: 'lost'; readonly at: Instant };
