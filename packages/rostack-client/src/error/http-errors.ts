import type { AnyProblem, ProblemSlug } from 'rostack-core';
import { ClientError } from './client-error.ts';

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
  /** What the server told, as it came. */
  readonly problem: AnyProblem;
  /** Milliseconds until another attempt is welcome; not capped. */
  readonly retryAfterMs: number | undefined;

  constructor(slug: ProblemSlug | undefined, status: number, problem: AnyProblem) {
    super(`${slug ?? 'unknown problem'} (${status})${detailOf(problem)}`);
    this.code = slug ?? 'unknown-problem';
    this.retryable = slug === undefined ? status >= 500 : RETRYABLE_PROBLEMS.has(slug);
    this.problem = problem;
    const { retry_after_ms: retryAfterMs } = problem as { readonly retry_after_ms?: unknown };
    this.retryAfterMs = typeof retryAfterMs === 'number' ? retryAfterMs : undefined;
  }
}

/** No answer: the connection failed, or was cut in the middle of the answer. */
export class NetworkError extends ClientError {
  override readonly name = 'NetworkError';
  readonly code = 'network_error';
  readonly retryable = true;
}

/** No whole answer within `requestTimeoutMs`. */
export class RequestTimeoutError extends ClientError {
  override readonly name = 'RequestTimeoutError';
  readonly code = 'request_timeout';
  readonly retryable = true;
}

/** An answer that the protocol does not allow. Retryable where a server's proxy may have given it: a status of 500 or more. */
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

/** The server does something that its discovery document, as it was read, does not say; the document is read again. */
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
