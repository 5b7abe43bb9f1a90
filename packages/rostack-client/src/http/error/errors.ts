import type { AnyProblem, OptionCheck, ProblemSlug, WebSocketErrorCode } from 'rostack-core';
import { reasonOf } from './reason.ts';

/** What every error of this package has: a literal code, and whether the same call may succeed later. */
export abstract class ClientError extends Error {
  abstract readonly code: string;
  abstract readonly retryable: boolean;
}

/** The call asks for something that does not exist or does not fit; the message says what to do. */
export class UsageError extends ClientError {
  override readonly name = 'UsageError';
  readonly code = 'invalid_options';
  readonly retryable = false;
}

/** Refuses a value that an option cannot have. @throws UsageError `invalid_options` naming the option */
export function checkUsage(check: OptionCheck, value: unknown, name = 'options'): void {
  const fault = check(value, name);
  if (fault !== undefined) throw new UsageError(fault);
}

/** A record or event data does not pass the caller's schema, or has no id. */
export class RecordError extends ClientError {
  override readonly name = 'RecordError';
  readonly code = 'invalid_record';
  readonly retryable = false;
}

/** The credentials callback failed; `cause` is what it threw. */
export class CredentialsError extends ClientError {
  override readonly name = 'CredentialsError';
  readonly code = 'credentials_unavailable';
  readonly retryable = true;
}

/** The client was closed. */
export class ClientClosedError extends ClientError {
  override readonly name = 'ClientClosedError';
  readonly code = 'client_closed';
  readonly retryable = false;

  constructor() {
    super('the client is closed');
  }
}

/** The state store failed, or holds something other than states; `cause` is what it threw. */
export class StateStoreError extends ClientError {
  override readonly name = 'StateStoreError';
  readonly code = 'state_store_failed';
  readonly retryable = false;
}

/**
 * What a state store held under a key is gone, or part of it is, as when a browser clears the data of a page: a follow takes a new snapshot.
 * Other stores than those of this package say so with an error of the same code.
 */
export class StateGoneError extends ClientError {
  override readonly name = 'StateGoneError';
  readonly code = 'state_gone';
  readonly retryable = true;
}

const RETRYABLE_PROBLEMS: ReadonlySet<ProblemSlug> = new Set([
  'rate-limited',
  'service-unavailable',
  'internal-error',
]);

/**
 * The server answered with a problem (protocol section 5); `code` is its slug, such as `permission-denied`,
 * or `unknown-problem` for a type that the protocol does not have (release 2026-08-12 only).
 */
export class HttpProblemError extends ClientError {
  override readonly name = 'HttpProblemError';
  readonly code: ProblemSlug | 'unknown-problem';
  readonly retryable: boolean;
  /** Of the HTTP answer. */
  readonly status: number;
  /** The problem as the server sent it. */
  readonly problem: AnyProblem;
  /** Milliseconds until another attempt is welcome; not capped. */
  readonly retryAfterMs: number | undefined;

  constructor(slug: ProblemSlug | undefined, status: number, problem: AnyProblem) {
    super(`${slug ?? 'unknown problem'} (${status})${detailOf(problem)}`);
    this.code = slug ?? 'unknown-problem';
    this.retryable = slug === undefined ? status >= 500 || status === 429 : RETRYABLE_PROBLEMS.has(slug);
    this.status = status;
    this.problem = problem;
    const { retry_after_ms: retryAfterMs } = problem as { readonly retry_after_ms?: unknown };
    this.retryAfterMs = typeof retryAfterMs === 'number' ? retryAfterMs : undefined;
  }
}

/** No answer: the connection failed, or was cut in the middle of the answer. The message says why, and what to do. */
export class NetworkError extends ClientError {
  override readonly name = 'NetworkError';
  readonly code = 'network_error';
  readonly retryable = true;

  constructor(url: string, cause: unknown) {
    super(`${url} could not be read: ${reasonOf(cause)}`, { cause });
  }
}

/** No whole answer within `requestTimeoutMs`. */
export class RequestTimeoutError extends ClientError {
  override readonly name = 'RequestTimeoutError';
  readonly code = 'request_timeout';
  readonly retryable = true;
}

/** An answer that the protocol does not allow. Retryable if it may come from a proxy: with a status of 429, or of 500 or more. */
export class ResponseError extends ClientError {
  override readonly name = 'ResponseError';
  readonly code = 'invalid_response';
  readonly retryable: boolean;

  constructor(message: string, options: ErrorOptions & { readonly retryable?: boolean } = {}) {
    super(message, options);
    this.retryable = options.retryable ?? false;
  }
}

/** The body is larger than its limit; reading was stopped there. */
export class ResponseTooLargeError extends ClientError {
  override readonly name = 'ResponseTooLargeError';
  readonly code = 'response_too_large';
  readonly retryable = false;

  constructor(url: string, maxBytes: number) {
    super(`${url} answered with more than ${maxBytes} bytes: ask for smaller pages, or raise the limit`);
  }
}

/** The server wants to redirect: this client follows no redirects, so that credentials go nowhere else. */
export class RedirectRefusedError extends ClientError {
  override readonly name = 'RedirectRefusedError';
  readonly code = 'redirect_refused';
  readonly retryable = false;

  constructor(url: string) {
    super(`${url} redirects: connect to the address that it redirects to`);
  }
}

/** An advertised URL leads somewhere that credentials must not go. */
export class UntrustedUrlError extends ClientError {
  override readonly name = 'UntrustedUrlError';
  readonly code = 'untrusted_url';
  readonly retryable = false;
}

/** The server does not do what its discovery document said when it was read; the document is read again. */
export class DiscoveryOutdatedError extends ClientError {
  override readonly name = 'DiscoveryOutdatedError';
  readonly code = 'discovery_outdated';
  readonly retryable = true;
}

/** The cursor of the next page has expired: list again from the start. What was read so far is of an older snapshot. */
export class PageCursorExpiredError extends ClientError {
  override readonly name = 'PageCursorExpiredError';
  readonly code = 'page_cursor_expired';
  readonly retryable = true;
}

function detailOf(problem: AnyProblem): string {
  const { detail } = problem as { readonly detail?: unknown };
  return typeof detail === 'string' && detail !== '' ? `: ${detail.slice(0, 500)}` : '';
}

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
  /** Id of the subscription that it concerns; undefined: all of the connection. */
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

/** The gateway broke the protocol on several connections in a row: trying again does not help. `cause` is the last violation. */
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
  /** The close code (RFC 6455 section 7.4), 1006 if there was none. */
  readonly closeCode: number;
  /** What the server asked for in its last error; not capped. */
  readonly retryAfterMs: number | undefined;

  constructor(closeCode: number, reason: string, retryAfterMs?: number) {
    super(`the gateway connection ended (${closeCode}${reason === '' ? '' : ` ${reason.slice(0, 300)}`})`);
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
