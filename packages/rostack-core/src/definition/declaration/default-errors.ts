import type { AnyDiscoveryDocument } from '../../wire/discovery/discovery-model.ts';
import type {
  ErrorDeclaration,
  HttpOperation,
  WebSocketOperation,
} from '../../wire/discovery/errors-model.ts';
import { PROBLEM_SLUGS, type ProblemSlug, problemTypeUri } from '../../wire/problem/problem-types.ts';
import {
  WEBSOCKET_ERROR_CODES,
  type WebSocketErrorCode,
} from '../../wire/websocket-error/websocket-errors.ts';

const LIST: readonly HttpOperation[] = ['list'];
const READ: readonly HttpOperation[] = ['list', 'get'];
const EVERY: readonly HttpOperation[] = ['discovery', 'list', 'get'];

/** Where each problem type can occur (protocol section 5). */
const HTTP: Readonly<Record<ProblemSlug, readonly HttpOperation[]>> = {
  'invalid-request': EVERY,
  'invalid-filter': LIST,
  'unsupported-filter': LIST,
  'invalid-sort': LIST,
  'invalid-fields': READ,
  'invalid-cursor': LIST,
  'authentication-required': READ,
  'permission-denied': READ,
  'resource-not-found': READ,
  'method-not-allowed': EVERY,
  'representation-not-acceptable': READ,
  'resource-gone': ['get'],
  'rate-limited': EVERY,
  'internal-error': EVERY,
  'service-unavailable': EVERY,
};

/** What discovery also sends when it is not public. */
const GUARDED: readonly ProblemSlug[] = ['authentication-required', 'permission-denied'];

const SUBSCRIBE: readonly WebSocketOperation[] = ['subscribe'];
const DELIVERY: readonly WebSocketOperation[] = ['subscribe', 'subscription'];
const ANYWHERE: readonly WebSocketOperation[] = ['authenticate', 'subscribe', 'subscription', 'session'];

/** Where each error code can occur (protocol section 7). */
const WEBSOCKET: Readonly<Record<WebSocketErrorCode, readonly WebSocketOperation[]>> = {
  invalid_message: ['authenticate', 'subscribe', 'session'],
  authentication_failed: ['authenticate'],
  reauthentication_identity_mismatch: ['authenticate'],
  permission_denied: ['subscribe', 'session'],
  permission_revoked: ['subscription'],
  resource_not_found: DELIVERY,
  unsupported_event_type: SUBSCRIBE,
  unsupported_filter: DELIVERY,
  unsupported_encoding: SUBSCRIBE,
  subscription_id_conflict: SUBSCRIBE,
  cursor_scope_mismatch: SUBSCRIBE,
  cursor_unavailable: DELIVERY,
  rate_limited: ANYWHERE,
  service_unavailable: ANYWHERE,
  internal_error: ANYWHERE,
};

/** Declares every failure of the protocol, wherever it can occur. */
export function defaultErrors(discoveryPublic: boolean): ErrorDeclaration {
  return {
    http: PROBLEM_SLUGS.map((slug) => ({
      type: problemTypeUri(slug),
      operations: !discoveryPublic && GUARDED.includes(slug) ? [...EVERY] : [...HTTP[slug]],
    })),
    websocket: WEBSOCKET_ERROR_CODES.map((code) => ({ code, operations: [...WEBSOCKET[code]] })),
  };
}

/** All failures that a document allows. One of release 2026-08-12 declares none, so it may send every failure of the protocol. */
export const declaredErrors = (document: AnyDiscoveryDocument): ErrorDeclaration =>
  'errors' in document ? document.errors : defaultErrors(document.authentication.discovery_public ?? true);
