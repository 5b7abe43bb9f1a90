/** How often something may happen. */
export interface Rate {
  /** How many may come at once. */
  readonly burst: number;
  /** How many per second are allowed in the long run. */
  readonly perSecond: number;
}

/**
 * What one gateway allows, with units in the names. Every member is an integer of at least 1, or a rate above 0.
 */
export interface WebSocketLimits {
  /** Connections in all; above it the upgrade is answered with 503. @default 20000 */
  readonly maxConnections: number;
  /** Connections of one client address; above it the upgrade is answered with 429. @default 200 */
  readonly maxConnectionsPerAddress: number;
  /** Authenticated connections of one principal; above it `rate_limited`, then close 4429. @default 100 */
  readonly maxConnectionsPerPrincipal: number;
  /** Size of one message from a client, after inflation; above it close 4400. @default 65536 */
  readonly maxMessageBytes: number;
  /** Fragments of one message; above it close 4400. @default 64 */
  readonly maxFragments: number;
  /** Subscriptions of one connection; above it `rate_limited` for the one too many. @default 100 */
  readonly maxSubscriptions: number;
  /** Messages from one connection. @default burst 200, 50 per second */
  readonly messageRate: Rate;
  /** `subscribe` messages from one connection. @default burst 200, 20 per second */
  readonly subscribeRate: Rate;
  /** Messages over their rate before the connection is closed with 4429. @default 20 */
  readonly maxRateViolations: number;
  /** Malformed messages before the connection is closed with 4400. @default 20 */
  readonly maxInvalidMessages: number;
  /** Subscriptions refused for want of a permission before the connection is closed with 4403. @default 20 */
  readonly maxPermissionRefusals: number;
  /** Messages that may wait while a credential is verified; above it close 4429. @default 256 */
  readonly maxWaitingMessages: number;
  /** Bytes waiting for one slow connection above which it gets no more events for now. @default 262144 */
  readonly pauseAboveBytes: number;
  /** Bytes waiting below which a paused connection is served again. @default 65536 */
  readonly resumeBelowBytes: number;
  /** Bytes waiting in all connections together above which each is paused at `resumeBelowBytes`. @default 268435456 */
  readonly maxBufferedBytes: number;
}

/** What a gateway allows where its options do not say otherwise; the units are in the names. */
export const DEFAULT_WEBSOCKET_LIMITS: WebSocketLimits = {
  maxConnections: 20_000,
  maxConnectionsPerAddress: 200,
  maxConnectionsPerPrincipal: 100,
  maxMessageBytes: 65_536,
  maxFragments: 64,
  maxSubscriptions: 100,
  messageRate: { burst: 200, perSecond: 50 },
  subscribeRate: { burst: 200, perSecond: 20 },
  maxRateViolations: 20,
  maxInvalidMessages: 20,
  maxPermissionRefusals: 20,
  maxWaitingMessages: 256,
  pauseAboveBytes: 262_144,
  resumeBelowBytes: 65_536,
  maxBufferedBytes: 268_435_456,
};
