import { guardObserver, type ProblemSlug } from 'rostack-core';
import type { RefusalReason } from '../auth/authenticator.ts';

/** What a request was about; `schema` is one of the implementation's own schemas, `upgrade` the gateway without an upgrade. */
export type RequestOperation = 'discovery' | 'list' | 'get' | 'schema' | 'upgrade' | 'audience';

/** What is known of a request once it is answered: never a credential, never a query string. */
export interface RequestReport {
  /** Made by `makeRequestId`; problems have it as `request_id`. */
  readonly requestId: string;
  /** Such as `GET`. */
  readonly method: string;
  /** Path as it was sent, without the query. */
  readonly path: string;
  /** What was asked for; undefined outside of the implementation's routes. */
  readonly operation: RequestOperation | undefined;
  /** Name of the resource, for a list or an item. */
  readonly resource: string | undefined;
  /** Id of the record that was asked for, where the principal may read the resource. */
  readonly recordId: string | undefined;
  /** HTTP status of the answer. */
  readonly status: number;
  /** Slug of the problem that was answered; undefined for a success. */
  readonly problem: ProblemSlug | undefined;
  /** From the request's arrival until its answer was ready, in ms. */
  readonly durationMs: number;
  /** Opaque id of whoever authenticated; undefined without valid credentials. */
  readonly principalId: string | undefined;
  /** `Credential.credentialId`, where the authenticator gives one. */
  readonly credentialId: string | undefined;
  /** Why the credentials were refused; the client is not told. */
  readonly refusal: RefusalReason | undefined;
  /** As `clientAddress` of the options found it. */
  readonly clientAddress: string | undefined;
  /** Whether a collection page came out of memory. */
  readonly pageCache: 'hit' | 'miss' | undefined;
  /** Bytes of all pages in memory when a request for a collection was answered from there or read; else undefined. */
  readonly pageCacheBytes: number | undefined;
}

/** Where an unexpected error happened. */
export interface ErrorContext {
  /** `RequestReport.requestId` of the same request. */
  readonly requestId: string;
  /** What was asked for; undefined outside of the implementation's routes. */
  readonly operation: RequestOperation | undefined;
  /** Name of the resource, for a list or an item. */
  readonly resource: string | undefined;
}

/** Calls of the HTTP part for logs and metrics. What a hook throws is ignored: it must not break an answer. */
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
