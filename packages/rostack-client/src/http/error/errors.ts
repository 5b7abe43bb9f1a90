import type { AnyProblem, OptionCheck, ProblemSlug, WebSocketErrorCode } from 'rostack-core';
import { defineErrors } from 'rostack-core/client';
import { reasonOf } from './reason.ts';

/** What every error of this package has: a literal code, and whether the same call may succeed later. */
export abstract class ClientError extends Error {
  abstract readonly code: string;
  abstract readonly retryable: boolean;
}

/** By the names of their classes, the errors with one code. Three others follow, whose code or `retryable` depends on the answer. */
const errors = defineErrors(
  {
    UsageError: { code: 'invalid_options', retryable: false },
    RecordError: { code: 'invalid_record', retryable: false },
    CredentialsError: { code: 'credentials_unavailable', retryable: true },
    ClientClosedError: { code: 'client_closed', retryable: false },
    StateStoreError: { code: 'state_store_failed', retryable: false },
    StateGoneError: { code: 'state_gone', retryable: true },
    NetworkError: { code: 'network_error', retryable: true },
    RequestTimeoutError: { code: 'request_timeout', retryable: true },
    ResponseTooLargeError: { code: 'response_too_large', retryable: false },
    RedirectRefusedError: { code: 'redirect_refused', retryable: false },
    UntrustedUrlError: { code: 'untrusted_url', retryable: false },
    DiscoveryOutdatedError: { code: 'discovery_outdated', retryable: true },
    PageCursorExpiredError: { code: 'page_cursor_expired', retryable: true },
    ProtocolViolationError: { code: 'protocol_violation', retryable: true },
    GatewayTimeoutError: { code: 'gateway_timeout', retryable: true },
    ProtocolBrokenError: { code: 'protocol_broken', retryable: false },
    SnapshotRefusedError: { code: 'snapshot_refused', retryable: false },
    ConnectionLostError: { code: 'connection_lost', retryable: true },
    AuthenticationError: { code: 'authentication_failed', retryable: false },
  },
  ClientError,
);

/** The call asks for something that does not exist or does not fit; the message says what to do. */
export class UsageError extends errors.UsageError {}

/** Refuses a value that an option cannot have. @throws UsageError `invalid_options` naming the option */
export function checkUsage(check: OptionCheck, value: unknown, name = 'options'): void {
  const fault = check(value, name);
  if (fault !== undefined) throw new UsageError(fault);
}

/** A record or event data does not pass the caller's schema, or has no id. */
export class RecordError extends errors.RecordError {}

/** The credentials callback failed; `cause` is what it threw. */
export class CredentialsError extends errors.CredentialsError {}

/** The client was closed. */
export class ClientClosedError extends errors.ClientClosedError {
  constructor() {
    super('the client is closed');
  }
}

/** The state store failed, or holds something other than states; `cause` is what it threw. */
export class StateStoreError extends errors.StateStoreError {}

/**
 * What a state store held under a key is gone, or part of it is, as when a browser clears the data of a page: a follow takes a new snapshot.
 * Other stores than those of this package say so with an error of the same code.
 */
export class StateGoneError extends errors.StateGoneError {}

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
export class NetworkError extends errors.NetworkError {
  constructor(url: string, cause: unknown) {
    super(`${url} could not be read: ${reasonOf(cause)}`, { cause });
  }
}

/** No whole answer within `requestTimeoutMs`. */
export class RequestTimeoutError extends errors.RequestTimeoutError {}

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
export class ResponseTooLargeError extends errors.ResponseTooLargeError {
  constructor(url: string, maxBytes: number) {
    super(`${url} answered with more than ${maxBytes} bytes: ask for smaller pages, or raise the limit`);
  }
}

/** The server wants to redirect: this client follows no redirects, so that credentials go nowhere else. */
export class RedirectRefusedError extends errors.RedirectRefusedError {
  constructor(url: string) {
    super(`${url} redirects: connect to the address that it redirects to`);
  }
}

/** An advertised URL leads somewhere that credentials must not go. */
export class UntrustedUrlError extends errors.UntrustedUrlError {}

/** The server does not do what its discovery document said when it was read; the document is read again. */
export class DiscoveryOutdatedError extends errors.DiscoveryOutdatedError {}

/** The cursor of the next page has expired: list again from the start. What was read so far is of an older snapshot. */
export class PageCursorExpiredError extends errors.PageCursorExpiredError {}

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
export class ProtocolViolationError extends errors.ProtocolViolationError {
  /** Id of the subscription that it concerns; undefined: all of the connection. */
  readonly subscriptionId: string | undefined;

  constructor(message: string, subscriptionId?: string) {
    super(message);
    this.subscriptionId = subscriptionId;
  }
}

/** The gateway did not answer or read in time; the connection was closed. */
export class GatewayTimeoutError extends errors.GatewayTimeoutError {}

/** The gateway broke the protocol on several connections in a row: trying again does not help. `cause` is the last violation. */
export class ProtocolBrokenError extends errors.ProtocolBrokenError {
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
export class SnapshotRefusedError extends errors.SnapshotRefusedError {
  constructor(snapshots: number, cause: unknown) {
    super(
      `the gateway refused the event cursors of ${snapshots} new snapshots in a row: its HTTP and WebSocket sides likely have different cursor keys or databases, or keep events for less time than a snapshot takes; tell whoever runs the server`,
      { cause },
    );
  }
}

/** The gateway connection ended, or could not be made; the client connects again by itself. */
export class ConnectionLostError extends errors.ConnectionLostError {
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
export class AuthenticationError extends errors.AuthenticationError {}
