import { guardObserver, type ProblemSlug } from 'rostack-core';
import type { RefusalReason } from '../auth/index.ts';

/** What a request was about; `schema` is one of the implementation's own schemas, `upgrade` the gateway without an upgrade. */
export type RequestOperation = 'discovery' | 'list' | 'get' | 'schema' | 'upgrade';

/** What is known of a request once it is answered: never a credential, never a query string. */
export interface RequestReport {
  readonly requestId: string;
  readonly method: string;
  /** Path as it was sent, without the query. */
  readonly path: string;
  readonly operation: RequestOperation | undefined;
  readonly resource: string | undefined;
  /** Id of the record that was asked for, where the principal may read the resource. */
  readonly recordId: string | undefined;
  readonly status: number;
  readonly problem: ProblemSlug | undefined;
  readonly durationMs: number;
  readonly principalId: string | undefined;
  readonly credentialId: string | undefined;
  /** Why the credentials were refused; the client is not told. */
  readonly refusal: RefusalReason | undefined;
  readonly clientAddress: string | undefined;
  /** Whether a collection page came out of memory. */
  readonly pageCache: 'hit' | 'miss' | undefined;
}

/** Where an unexpected error happened. */
export interface ErrorContext {
  readonly requestId: string;
  readonly operation: RequestOperation | undefined;
  readonly resource: string | undefined;
}

/** Calls for logs and metrics. What a hook throws is ignored: it must not break an answer. */
export interface HttpHooks {
  /** After each answer. */
  readonly onRequest?: (report: RequestReport) => void;
  /** For each error that is answered with internal-error or service-unavailable, and for a rate limiter that fails. */
  readonly onError?: (error: unknown, context: ErrorContext) => void;
}

/** The same hooks, none of which throws or leaves a rejection unheard. */
export function guardHooks({ onRequest, onError }: HttpHooks): HttpHooks {
  return {
    ...(onRequest && { onRequest: guardObserver(onRequest, ignore) }),
    ...(onError && { onError: guardObserver(onError, ignore) }),
  };
}

/** A hook that fails must not fail the request that it only watches. */
function ignore(): void {}
