import type { ProblemSlug, Transition, WebSocketErrorCode } from 'rostack-core';

/** What a caller can do about each problem (protocol section 5). */
export const PROBLEM_ADVICE: Readonly<Record<ProblemSlug, string>> = {
  'invalid-request':
    'Correct the parameter that the detail names; an unknown or repeated one is refused too.',
  'invalid-filter': 'Send the filter as one JSON object of fields and operators, percent-encoded.',
  'unsupported-filter': 'Use only the fields and operators listed with the resource.',
  'invalid-sort': 'Sort by the sortable fields of the resource, with - in front for descending.',
  'invalid-fields': 'Name fields that the record has, as JSON Pointers with commas between.',
  'invalid-cursor': 'Start again from the first page; a cursor serves one query and 15 minutes.',
  'authentication-required':
    'Send a valid token in the Authorization header; this one is missing, expired or revoked.',
  'permission-denied': 'Ask the operator for a token with the permissions that the resource names.',
  'resource-not-found': 'Check the id. The record is absent, or not for you.',
  'method-not-allowed': 'Use GET, HEAD or OPTIONS: the API only reads.',
  'representation-not-acceptable': 'Accept application/json, or a media type that the resource lists.',
  'resource-gone': 'Drop your copy: the record was deleted.',
  'rate-limited': 'Wait retry_after_ms, then go on more slowly.',
  'internal-error': 'Try again later; report the request_id if it stays.',
  'service-unavailable': 'Wait retry_after_ms, then try again.',
};

/** What a subscriber can do about each error of the gateway (protocol section 7); rostack-client does this by itself. */
export const WEBSOCKET_ADVICE: Readonly<Record<WebSocketErrorCode, string>> = {
  invalid_message: 'Correct the message: one JSON object for each text frame, with known members only.',
  authentication_failed: 'Get another token. An earlier one stays in force until it expires.',
  reauthentication_identity_mismatch: 'Authenticate again as the same principal, by the same method.',
  permission_denied: 'Ask the operator for the permissions that following the resource needs.',
  permission_revoked: 'The subscription has ended; the others go on. Ask for the permission again.',
  resource_not_found: 'Check the resource name against the discovery document.',
  unsupported_event_type: 'Subscribe to the event names that the resource lists.',
  unsupported_filter: 'Use only the fields and operators listed with the resource.',
  unsupported_encoding: 'Choose an encoding that the discovery document lists.',
  subscription_id_conflict: 'Take a new subscription_id, or unsubscribe the old one first.',
  cursor_scope_mismatch: 'The cursor is of another resource, principal or API version: take a new snapshot.',
  cursor_unavailable: 'Take a new snapshot and subscribe from its event_cursor.',
  rate_limited: 'Wait retry_after_ms, then try again.',
  service_unavailable: 'Wait retry_after_ms, then try again.',
  internal_error: 'Connect again with growing delays.',
};

/** The sign of each transition, shown next to its name. */
export const TRANSITION_SIGNS: Readonly<Record<Transition, string>> = {
  create: '+',
  update: '~',
  delete: '−',
};
