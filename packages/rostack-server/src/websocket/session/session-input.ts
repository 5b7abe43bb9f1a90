import type { WebSocketErrorCode } from 'rostack-core';
import type { Credential } from '../../auth/authenticator.ts';
import type { Instant } from '../clock.ts';

/** What came of verifying a credential. */
export type Verdict =
  | { readonly kind: 'accepted'; readonly credential: Credential }
  | { readonly kind: 'rejected' }
  /** Refused, and too many were at this address. */
  | { readonly kind: 'limited'; readonly retryAfterMs: number }
  /** Nobody can tell now. */
  | { readonly kind: 'unavailable'; readonly retryAfterMs: number }
  /** The principal has too many connections. */
  | { readonly kind: 'crowded'; readonly retryAfterMs: number };

/** Whether a subscription could be placed in its resource's log. */
export type Opening =
  | { readonly kind: 'placed' }
  | { readonly kind: 'cursor_unavailable' }
  | { readonly kind: 'unavailable'; readonly retryAfterMs: number };

/** Why a running subscription ends by the server. */
export type EndReason = Extract<WebSocketErrorCode, 'cursor_unavailable' | 'internal_error'>;

export interface Draining {
  /** For people, not empty. */
  readonly reason: string;
  readonly reconnectAfterMs: number;
  /** At least `reconnectAfterMs`. */
  readonly drainTimeoutMs: number;
  readonly gatewayUrl: string | undefined;
}

/** Everything that can happen to a session. */
export type SessionInput =
  | { readonly kind: 'message'; readonly text: string; readonly at: Instant }
  /** A frame that is no text message within the size limit. */
  | { readonly kind: 'unreadable'; readonly at: Instant }
  /** More messages than may wait while a credential is verified. */
  | { readonly kind: 'overrun'; readonly at: Instant }
  | {
      readonly kind: 'tick';
      readonly at: Instant;
      /** Monotonic time of the last event sent. */
      readonly deliveredAtMs: number;
      /** Monotonic time at which waiting bytes last left for the peer. */
      readonly progressAtMs: number;
    }
  | { readonly kind: 'verdict'; readonly attempt: number; readonly verdict: Verdict; readonly at: Instant }
  /** What a later look at the active credential found. */
  | { readonly kind: 'recheck'; readonly verdict: Verdict; readonly at: Instant }
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
