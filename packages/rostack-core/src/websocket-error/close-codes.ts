/** Close codes of the WebSocket gateway (protocol section 7). */
export const CLOSE_CODES = {
  /** A frame that is no message, or too many malformed ones. */
  invalidMessage: 4400,
  /** Not authenticated, or the credential has expired. */
  authentication: 4401,
  permission: 4403,
  /** No authentication in time, or a heartbeat without its pong. */
  timeout: 4408,
  /** The end of the drain that `go_away` announced. */
  drain: 4410,
  rateLimit: 4429,
  /** A passing fault of the server: connect again. */
  transient: 4500,
} as const;

/** A number of `CLOSE_CODES`. */
export type CloseCode = (typeof CLOSE_CODES)[keyof typeof CLOSE_CODES];
