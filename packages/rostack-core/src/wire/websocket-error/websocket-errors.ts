/**
 * Every error code of the WebSocket gateway (protocol section 7): whether the client may try again, whether it names
 * a subscription, and whether it carries `retry_after_ms` (required then, forbidden otherwise).
 */
export const WEBSOCKET_ERRORS = {
  invalid_message: { retryable: false, subscription: 'never', retryAfter: false },
  authentication_failed: { retryable: true, subscription: 'never', retryAfter: false },
  reauthentication_identity_mismatch: { retryable: false, subscription: 'never', retryAfter: false },
  permission_denied: { retryable: false, subscription: 'optional', retryAfter: false },
  permission_revoked: { retryable: false, subscription: 'required', retryAfter: false },
  resource_not_found: { retryable: false, subscription: 'required', retryAfter: false },
  unsupported_event_type: { retryable: false, subscription: 'required', retryAfter: false },
  unsupported_filter: { retryable: false, subscription: 'required', retryAfter: false },
  unsupported_encoding: { retryable: false, subscription: 'required', retryAfter: false },
  subscription_id_conflict: { retryable: false, subscription: 'required', retryAfter: false },
  cursor_scope_mismatch: { retryable: false, subscription: 'required', retryAfter: false },
  cursor_unavailable: { retryable: false, subscription: 'required', retryAfter: false },
  rate_limited: { retryable: true, subscription: 'optional', retryAfter: true },
  service_unavailable: { retryable: true, subscription: 'optional', retryAfter: true },
  internal_error: { retryable: true, subscription: 'optional', retryAfter: false },
} as const;

/** A key of `WEBSOCKET_ERRORS`. */
export type WebSocketErrorCode = keyof typeof WEBSOCKET_ERRORS;

/** The codes in the order of the protocol. */
export const WEBSOCKET_ERROR_CODES = Object.keys(WEBSOCKET_ERRORS) as readonly WebSocketErrorCode[];

interface SubscriptionMember {
  never: { subscription_id?: never };
  optional: { subscription_id?: string | undefined };
  required: { subscription_id: string };
}

type Registry = typeof WEBSOCKET_ERRORS;

/** What `createErrorMessage` takes in addition to the code. */
export type ErrorMembers<C extends WebSocketErrorCode> = {
  /** For people; never a credential, a hidden record or field, or another principal. Not empty. */
  message: string;
} & SubscriptionMember[Registry[C]['subscription']] &
  (Registry[C]['retryAfter'] extends true
    ? {
        /** Whole milliseconds, at least 0. */
        retry_after_ms: number;
      }
    : { retry_after_ms?: never });

/** An error message of one code: `retryable` is fixed by it. */
export type ErrorMessageOf<C extends WebSocketErrorCode> = C extends WebSocketErrorCode
  ? { type: 'error'; code: C; retryable: Registry[C]['retryable'] } & ErrorMembers<C>
  : never;

/** An error message of release 2026-08-13. */
export type ErrorMessage = ErrorMessageOf<WebSocketErrorCode>;

/** Close codes of the WebSocket gateway (protocol section 7). */
export const CLOSE_CODES = {
  /** A frame that is not a message, or too many malformed messages. */
  invalidMessage: 4400,
  /** Not authenticated, or the credential has expired. */
  authentication: 4401,
  permission: 4403,
  /** No authentication in time, or no pong for a heartbeat. */
  timeout: 4408,
  /** The end of the drain that `go_away` announced. */
  drain: 4410,
  rateLimit: 4429,
  /** A temporary fault of the server: connect again. */
  transient: 4500,
} as const;

/** A number of `CLOSE_CODES`. */
export type CloseCode = (typeof CLOSE_CODES)[keyof typeof CLOSE_CODES];
