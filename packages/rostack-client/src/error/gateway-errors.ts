import type { WebSocketErrorCode } from 'rostack-core';
import { ClientError } from './client-error.ts';

/** The server ended or refused one subscription; `code` is the protocol's (section 7), or `unknown_error` in release 2026-08-12. */
export class SubscriptionError extends ClientError {
  override readonly name = 'SubscriptionError';
  readonly code: WebSocketErrorCode | 'unknown_error';
  readonly retryable: boolean;
  /** Milliseconds until another attempt is welcome; not capped. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: WebSocketErrorCode | 'unknown_error',
    message: string,
    options: { readonly retryable: boolean; readonly retryAfterMs?: number | undefined },
  ) {
    super(`${code}: ${message.slice(0, 500)}`);
    this.code = code;
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** The gateway sent something that the protocol does not allow at that moment; the connection was closed. */
export class ProtocolViolationError extends ClientError {
  override readonly name = 'ProtocolViolationError';
  readonly code = 'protocol_violation';
  readonly retryable = true;
  /** Of the one subscription that it concerns; undefined: all of the connection. */
  readonly subscriptionId: string | undefined;

  constructor(message: string, subscriptionId?: string) {
    super(message);
    this.subscriptionId = subscriptionId;
  }
}

/** The gateway did not answer or read in time; the connection was closed. */
export class GatewayTimeoutError extends ClientError {
  override readonly name = 'GatewayTimeoutError';
  readonly code = 'gateway_timeout';
  readonly retryable = true;
}

/** The gateway broke the protocol on several connections in a row: trying again is in vain. `cause` is the last violation. */
export class ProtocolBrokenError extends ClientError {
  override readonly name = 'ProtocolBrokenError';
  readonly code = 'protocol_broken';
  readonly retryable = false;

  constructor(connections: number, cause: ProtocolViolationError) {
    super(
      `the gateway broke the protocol on ${connections} connections in a row, at last: ${cause.message}; tell whoever runs it, or upgrade rostack-client`,
      { cause },
    );
  }
}

/**
 * The gateway refused the cursors of several new snapshots in a row, so that a follow can never begin. `cause` is its last refusal.
 */
export class SnapshotRefusedError extends ClientError {
  override readonly name = 'SnapshotRefusedError';
  readonly code = 'snapshot_refused';
  readonly retryable = false;

  constructor(snapshots: number, cause: unknown) {
    super(
      `the gateway refused the event cursors of ${snapshots} new snapshots in a row: its HTTP and WebSocket sides likely have different cursor keys or databases, or keep events for less time than a snapshot takes; tell whoever runs the server`,
      { cause },
    );
  }
}

/** The gateway connection ended, or could not be made; the client connects again by itself. */
export class ConnectionLostError extends ClientError {
  override readonly name = 'ConnectionLostError';
  readonly code = 'connection_lost';
  readonly retryable = true;
  /** The close code (RFC 6455 section 7.4), 1006 where there was none. */
  readonly closeCode: number;
  /** What the server asked for in its last error; not capped. */
  readonly retryAfterMs: number | undefined;

  constructor(closeCode: number, reason: string, retryAfterMs?: number) {
    super(`the gateway connection ended (${closeCode}${reason === '' ? '' : ` ${reason.slice(0, 200)}`})`);
    this.closeCode = closeCode;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The server refuses the credential, and there is no other one. */
export class AuthenticationError extends ClientError {
  override readonly name = 'AuthenticationError';
  readonly code = 'authentication_failed';
  readonly retryable = false;
}
