import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { hasCode, isSourceUnavailable } from 'rostack-core';
import type { StoreClosedError, StoreUnavailableError } from 'rostack-store';
import type { ChangeRefusal } from './changes/apply-each.ts';

const RETRY_AFTER_S = 1;

/** Why the admin listener refuses a request. */
export type AdminProblemCode =
  | ChangeRefusal['code']
  | 'unauthorized'
  | 'too_many_failures'
  | 'resource_unknown'
  | 'resource_read_only'
  | 'request_invalid'
  | 'media_type_unsupported'
  | 'body_too_large'
  | 'precondition_failed'
  | 'not_found'
  | 'store_unavailable'
  | 'internal_error';

const STATUS_BY_CODE: Readonly<Record<AdminProblemCode, ContentfulStatusCode>> = {
  unauthorized: 401,
  too_many_failures: 429,
  resource_unknown: 404,
  resource_read_only: 409,
  request_invalid: 400,
  media_type_unsupported: 415,
  body_too_large: 413,
  record_invalid: 422,
  change_invalid: 422,
  version_conflict: 412,
  precondition_failed: 412,
  not_found: 404,
  store_unavailable: 503,
  internal_error: 500,
};

/** Thrown to refuse a request; the message is for the operator. */
export class AdminProblem extends Error {
  override readonly name = 'AdminProblem';
  readonly code: AdminProblemCode;
  readonly retryable: boolean;
  /** Further members of the answer, in addition to those of RFC 9457. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: AdminProblemCode,
    message: string,
    {
      members = {},
      headers = {},
    }: { members?: Record<string, unknown>; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.code = code;
    this.retryable = code === 'store_unavailable' || code === 'too_many_failures';
    this.members = members;
    this.headers = headers;
  }
}

/** The answer (RFC 9457, with the member `code`). */
export function problemAnswer(c: Context, { code, message, members, headers }: AdminProblem): Response {
  const status = STATUS_BY_CODE[code];
  const body = { type: 'about:blank', status, code, detail: message, ...members };
  return c.body(JSON.stringify(body), status, {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    ...headers,
  });
}

/** The problem of an error. The text of an unexpected error is not shown. */
export function toAdminProblem(error: unknown): AdminProblem {
  if (error instanceof AdminProblem) return error;
  if (
    hasCode<StoreUnavailableError>(error, 'store_unavailable') ||
    isSourceUnavailable(error) ||
    hasCode<StoreClosedError>(error, 'store_closed')
  ) {
    const headers = { 'Retry-After': String(RETRY_AFTER_S) };
    return new AdminProblem('store_unavailable', 'The store cannot be reached now.', { headers });
  }
  return new AdminProblem('internal_error', 'Something failed here; the log says what.');
}

/** The problem of a change that the store refused. */
export function refusalProblem({ code, message, pointer, presentVersion }: ChangeRefusal): AdminProblem {
  return new AdminProblem(code, message, {
    members: {
      ...(pointer !== undefined && { pointer }),
      ...(presentVersion !== undefined && { present_version: presentVersion }),
    },
  });
}
