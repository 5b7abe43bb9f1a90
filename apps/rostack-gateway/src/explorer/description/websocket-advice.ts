import type { WebSocketErrorCode } from 'rostack-core';

/** What a follower does about each error of the gateway (protocol section 7); rostack-client does all of it by itself. */
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
