import type { ProblemSlug } from 'rostack-core';
import type { RefusalReason } from '../auth/index.ts';

/** What a request was about; `schema` is one of the implementation's own schemas. */
export type HttpOperation = 'discovery' | 'list' | 'get' | 'schema';

/** What is known of a request once it is answered: never a credential, never a query string. */
export interface RequestReport {
  readonly requestId: string;
  readonly method: string;
  /** Path as it was sent, without the query. */
  readonly path: string;
  readonly operation?: HttpOperation;
  readonly resource?: string;
  readonly status: number;
  readonly problem?: ProblemSlug;
  readonly durationMs: number;
  readonly principalId?: string;
  readonly credentialId?: string;
  /** Why the credentials were refused; the client is not told. */
  readonly refusal?: RefusalReason;
  readonly clientAddress?: string;
  /** Whether a collection page came out of memory. */
  readonly pageCache?: 'hit' | 'miss';
}

/** Where an unexpected error happened. */
export interface ErrorContext {
  readonly requestId: string;
  readonly operation?: HttpOperation;
  readonly resource?: string;
}

/** Calls for logs and metrics. What a hook throws is ignored: it must not break an answer. */
export interface HttpHooks {
  /** After each answer. */
  onRequest?(report: RequestReport): void;
  /** For each error that is answered with internal-error or service-unavailable, and for a rate limiter that fails. */
  onError?(error: unknown, context: ErrorContext): void;
}
