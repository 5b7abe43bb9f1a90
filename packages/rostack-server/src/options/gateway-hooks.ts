import type { Position, WebSocketErrorCode } from 'rostack-core';
import type { RefusalReason } from '../auth/authenticator.ts';

/** Why following a log began again at its head, without the changes in between. */
export type ResetReason = 'epoch' | 'history' | 'behind_floor' | 'hole' | 'log_lost' | 'out_of_order';

/** Something an operator should look at; the gateway goes on. */
export type GatewayAlarm =
  /** An event's data does not fit its schema: the event was sent without data. */
  | {
      readonly kind: 'event_quarantined';
      readonly resource: string;
      readonly eventType: string;
      readonly resourceId: string;
      readonly position: Position;
      /** JSON Pointer and fault, one per fault. */
      readonly faults: readonly string[];
    }
  /**
   * The log could not be followed without a gap: its subscriptions ended with `cursor_unavailable`, those of a copy with
   * `service_unavailable`.
   */
  | { readonly kind: 'log_reset'; readonly resource: string; readonly reason: ResetReason }
  /**
   * A cursor of this log's epoch, but of another history, was presented: the database may have been restored, or has lost
   * changes. Raised once a minute at most. A subscriber can make up such a cursor.
   */
  | {
      readonly kind: 'foreign_cursor';
      readonly resource: string;
      readonly position: Position;
      readonly headPosition: Position;
    }
  /** The log, or a place in it, could not be read. Raised once a minute at most for each resource. */
  | { readonly kind: 'source_fault'; readonly resource: string; readonly error: unknown }
  /**
   * A change came at another place than the next one, and was not delivered: what was in memory was dropped, and the
   * subscriptions that waited for it ended as at a `log_reset`.
   */
  | {
      readonly kind: 'out_of_order';
      readonly resource: string;
      readonly expected: Position;
      readonly found: Position;
    }
  /** A replay whose client reads has not moved for this long. Raised once until all move again. */
  | { readonly kind: 'replay_stalled'; readonly resource: string; readonly stalledMs: number }
  /** A filter or an encoding failed: the subscription was ended with `internal_error`. */
  | { readonly kind: 'subscription_failed'; readonly resource: string; readonly error: unknown }
  /** An authenticator threw, or returned no result: the client got `service_unavailable`. */
  | { readonly kind: 'authenticator_fault'; readonly method: string; readonly error: unknown }
  /** A function of the caller threw, or returned something it must not. */
  | { readonly kind: 'callback_failed'; readonly callback: string; readonly error: unknown }
  /** An upgrade was answered with 500: `clientAddress` or `refuse` failed. */
  | { readonly kind: 'upgrade_failed'; readonly error: unknown }
  /** A connection was closed with 4500: serving it failed unexpectedly. */
  | { readonly kind: 'connection_failed'; readonly error: unknown }
  /**
   * Fresh cursors of a subscriber are of another scope again and again: the HTTP part has another key for event cursors
   * than this gateway. Raised once a minute at most. A subscriber can make up such cursors.
   */
  | { readonly kind: 'cursor_keys_differ' }
  /** Failed authentications could not be counted: the address was not limited. */
  | { readonly kind: 'rate_limiter_fault'; readonly error: unknown };

/** Calls of the WebSocket gateway for logs and metrics. None is given a token, a filter or a record. */
export interface GatewayHooks {
  /** Something needs a person. */
  readonly onAlarm?: (alarm: GatewayAlarm) => void;
  /** An upgrade was answered with this HTTP status. */
  readonly onUpgradeRefused?: (status: number, reason: string) => void;
  /** An upgrade was accepted; nobody has authenticated yet. */
  readonly onConnected?: (connection: ObservedConnection) => void;
  /** A credential was accepted, at first or later on the same connection. */
  readonly onAuthenticated?: (connection: ObservedConnection, principalId: string) => void;
  /** A credential was refused; `isLimited`: with `rate_limited`, since too many were at this address. */
  readonly onAuthenticationFailed?: (
    connection: ObservedConnection,
    reason: RefusalReason,
    isLimited: boolean,
  ) => void;
  /** An error message was sent. */
  readonly onErrorSent?: (connection: ObservedConnection, code: WebSocketErrorCode) => void;
  /** `code` is the server's, or the peer's when it closed; 1006 when the connection just ended. */
  readonly onClosed?: (connection: ObservedConnection, code: number, reason: string) => void;
  /** A change was written to the sockets of all live subscriptions that it concerns: one call for each change, not for each socket. */
  readonly onDelivered?: (delivery: Delivery) => void;
}

/** One change, as it went to live subscriptions. */
export interface Delivery {
  /** Name of the resource. */
  readonly resource: string;
  /** Of the change in its log. */
  readonly position: Position;
  /** Since the change occurred until the last of the events was written, by the clocks of writer and gateway, in ms; at least 0. */
  readonly ageMs: number;
  /** Subscriptions that were given it, at least 1; those that catch up are not among them. */
  readonly events: number;
}

/** One connection, as hooks know it. */
export interface ObservedConnection {
  /** Unique within the process. */
  readonly id: number;
  /** What `addressOf` gave for its upgrade. */
  readonly address: string;
}
