import { guardObserver, type ProblemSlug } from 'rostack-core';
import type { RefusalReason } from '../auth/authenticator.ts';

/** What a request was for. `schema`: one of the implementation's own schemas; `upgrade`: the gateway without an upgrade. */
export type RequestOperation = 'discovery' | 'list' | 'get' | 'schema' | 'upgrade' | 'audience';

/** What is known about a request once it is answered: never a credential, never a query string. */
export interface RequestReport {
  /** Made by `makeRequestId`; problems have it as `request_id`. */
  readonly requestId: string;
  /** Such as `GET`. */
  readonly method: string;
  /** Path as sent, without the query. */
  readonly path: string;
  /** What was requested; undefined outside of the implementation's routes. */
  readonly operation: RequestOperation | undefined;
  /** Name of the resource, for a list or an item. */
  readonly resource: string | undefined;
  /** Id of the requested record, if the principal may read the resource. */
  readonly recordId: string | undefined;
  /** HTTP status of the answer. */
  readonly status: number;
  /** Slug of the problem in the answer; undefined for a success. */
  readonly problem: ProblemSlug | undefined;
  /** From the request's arrival until its answer was ready, in ms. */
  readonly durationMs: number;
  /** Opaque id of the authenticated principal; undefined without valid credentials. */
  readonly principalId: string | undefined;
  /** `Credential.credentialId`, if the authenticator returns one; also that of a token which has expired or was revoked. */
  readonly credentialId: string | undefined;
  /** Why the credentials were refused; the client does not see this. */
  readonly refusal: RefusalReason | undefined;
  /** Which part of them is missing or wrong, such as `claim sub is missing`; never a value of them. */
  readonly refusalDetail: string | undefined;
  /** The address that `clientAddress` of the options returned. */
  readonly clientAddress: string | undefined;
  /** Whether a collection page came from memory. */
  readonly pageCache: 'hit' | 'miss' | undefined;
  /** Bytes of all pages in memory, for requests for a collection; otherwise undefined. */
  readonly pageCacheBytes: number | undefined;
}

/** Where an unexpected error happened. */
export interface ErrorContext {
  /** `RequestReport.requestId` of the same request. */
  readonly requestId: string;
  /** What was requested; undefined outside of the implementation's routes. */
  readonly operation: RequestOperation | undefined;
  /** Name of the resource, for a list or an item. */
  readonly resource: string | undefined;
}

/** Calls of the HTTP part for logs and metrics. Errors of a hook are ignored, since they must not break an answer. */
export interface HttpHooks {
  /** Called after each answer. */
  readonly onRequest?: (report: RequestReport) => void;
  /** Called for each error that is answered with internal-error or service-unavailable, and if a rate limiter fails. */
  readonly onError?: (error: unknown, context: ErrorContext) => void;
}

/** The same hooks, but none throws or leaves a rejection unhandled. */
export function guardHooks({ onRequest, onError }: HttpHooks): HttpHooks {
  return {
    ...(onRequest && { onRequest: guardObserver(onRequest, ignore) }),
    ...(onError && { onError: guardObserver(onError, ignore) }),
  };
}

/** An error of a hook must not fail the request that it only observes. */
function ignore(): void {}
