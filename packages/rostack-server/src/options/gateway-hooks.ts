import type { Position, WebSocketErrorCode } from 'rostack-core';
import type { RefusalReason } from '../auth/authenticator.ts';

/** Why following a log restarted at its head, without the changes in between. */
export type ResetReason = 'epoch' | 'history' | 'behind_floor' | 'hole' | 'log_lost' | 'out_of_order';

/** Something an operator should look at; the gateway keeps working. */
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
   * The log could not be followed without a gap: its subscriptions ended with `cursor_unavailable`, or on a replica with
   * `service_unavailable`.
   */
  | { readonly kind: 'log_reset'; readonly resource: string; readonly reason: ResetReason }
  /**
   * A client presented a cursor of this log's epoch but of another history: the database may have been restored, or may have lost changes.
   * Raised at most once a minute. A subscriber can forge such a cursor.
   */
  | {
      readonly kind: 'foreign_cursor';
      readonly resource: string;
      readonly position: Position;
      readonly headPosition: Position;
    }
  /** The log, or a place in it, could not be read. Raised at most once a minute for each resource. */
  | { readonly kind: 'source_fault'; readonly resource: string; readonly error: unknown }
  /**
   * A change did not have the next position and was not delivered. Changes in memory were dropped, and the subscriptions that waited for it
   * ended as on a `log_reset`.
   */
  | {
      readonly kind: 'out_of_order';
      readonly resource: string;
      readonly expected: Position;
      readonly found: Position;
    }
  /** A replay has not moved for this long although its client reads. Raised once until all move again. */
  | { readonly kind: 'replay_stalled'; readonly resource: string; readonly stalledMs: number }
  /** A filter or an encoding failed: the subscription was ended with `internal_error`. */
  | { readonly kind: 'subscription_failed'; readonly resource: string; readonly error: unknown }
  /** An authenticator threw, or returned no result: the client got `service_unavailable`. */
  | { readonly kind: 'authenticator_fault'; readonly method: string; readonly error: unknown }
  /** A function of the caller threw, or returned something that it must not. */
  | { readonly kind: 'callback_failed'; readonly callback: string; readonly error: unknown }
  /** An upgrade was answered with 500: `clientAddress` or `refuse` failed. */
  | { readonly kind: 'upgrade_failed'; readonly error: unknown }
  /** A connection was closed with 4500: serving it failed unexpectedly. */
  | { readonly kind: 'connection_failed'; readonly error: unknown }
  /**
   * Fresh cursors of a subscriber repeatedly belong to another scope: the HTTP part has a different key for event cursors than this
   * gateway. Raised at most once a minute. A subscriber can forge such cursors.
   */
  | { readonly kind: 'cursor_keys_differ' }
  /** Failed authentications could not be counted: the address was not limited. */
  | { readonly kind: 'rate_limiter_fault'; readonly error: unknown };

/** Calls of the WebSocket gateway for logs and metrics. None gets a token, a filter or a record. */
export interface GatewayHooks {
  /** Called when something needs a person's attention. */
  readonly onAlarm?: (alarm: GatewayAlarm) => void;
  /** Called when an upgrade was refused with this HTTP status. */
  readonly onUpgradeRefused?: (status: number, reason: string) => void;
  /** Called when an upgrade was accepted; nobody has authenticated yet. */
  readonly onConnected?: (connection: ObservedConnection) => void;
  /** Called when a credential was accepted, the first one or a later one on the same connection. */
  readonly onAuthenticated?: (connection: ObservedConnection, principalId: string) => void;
  /**
   * Called when a credential was refused. `isLimited`: with `rate_limited`, because too many were refused for this address. `detail`: which
   * part of it is missing or wrong, such as `claim sub is missing`; never a value of it. `credentialId`: of a token that has expired or
   * was revoked.
   */
  readonly onAuthenticationFailed?: (
    connection: ObservedConnection,
    reason: RefusalReason,
    isLimited: boolean,
    detail: string | undefined,
    credentialId: string | undefined,
  ) => void;
  /** Called when an error message was sent. */
  readonly onErrorSent?: (connection: ObservedConnection, code: WebSocketErrorCode) => void;
  /** Called when a connection has closed. `code` is the server's, or the peer's if it closed first; 1006 if the connection just ended. */
  readonly onClosed?: (connection: ObservedConnection, code: number, reason: string) => void;
  /** Called when a change was written to the sockets of all live subscriptions that it concerns: once per change, not per socket. */
  readonly onDelivered?: (delivery: Delivery) => void;
}

/** One change, as delivered to live subscriptions. */
export interface Delivery {
  /** Name of the resource. */
  readonly resource: string;
  /** Position of the change in its log. */
  readonly position: Position;
  /** Time from the change until the last of its events was written, by the clocks of writer and gateway, in ms; at least 0. */
  readonly ageMs: number;
  /** How many subscriptions received it, at least 1; those that are catching up are not counted. */
  readonly events: number;
}

/** One connection, as hooks see it. */
export interface ObservedConnection {
  /** Unique within the process. */
  readonly id: number;
  /** The result of `clientAddress` for its upgrade. */
  readonly address: string;
}
