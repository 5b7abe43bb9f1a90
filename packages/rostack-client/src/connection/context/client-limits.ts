/**
 * The most that a client accepts from a server, and the longest that it waits. Every member is an integer of at
 * least 1.
 */
export interface ClientLimits {
  /**
   * Bytes of one answer after decompression: 1,000 records of 32 KiB by default.
   * @default 33_554_432 (32 MiB)
   */
  readonly maxResponseBytes: number;
  /**
   * Bytes of the discovery document after decompression.
   * @default 4_194_304 (4 MiB)
   */
  readonly maxDiscoveryBytes: number;
  /**
   * UTF-16 units of one WebSocket message.
   * @default 1_048_576
   */
  readonly maxFrameLength: number;
  /**
   * Records of one snapshot of a follow.
   * @default 1_000_000
   */
  readonly maxSnapshotRecords: number;
  /**
   * The longest delay that a server may ask for; longer ones are cut to it.
   * @default 300_000
   */
  readonly maxServerDelayMs: number;
  /**
   * How long a whole answer may take.
   * @default 30_000
   */
  readonly requestTimeoutMs: number;
  /**
   * How long a gateway may take to open, and to answer `authenticate` or `subscribe`, and how long an open socket
   * waits for the credentials callback; the limit applies to each of these.
   * @default 10_000
   */
  readonly answerTimeoutMs: number;
  /**
   * Attempts at one request that fails with a temporary error, the first one included.
   * @default 3
   */
  readonly maxAttempts: number;
  /**
   * Events of one subscription that wait for their consumer.
   * @default 1_024
   */
  readonly maxQueuedEvents: number;
  /**
   * UTF-16 units of these events.
   * @default 16_777_216
   */
  readonly maxQueuedLength: number;
  /**
   * Subscriptions of one connection, one of them for bookmarks; more open another connection.
   * @default 100
   */
  readonly maxSubscriptionsPerConnection: number;
  /**
   * After this many connections in a row on which the gateway breaks the protocol, what is subscribed ends with
   * ProtocolBrokenError.
   * @default 5
   */
  readonly maxViolations: number;
  /**
   * How long a gateway may refuse the credentials that a callback gives: over a slow network, or if a clock is
   * wrong, short-lived ones expire before they are read.
   * @default 30_000
   */
  readonly maxRefusalMs: number;
  /**
   * After this many snapshots in a row whose cursor the gateway refuses, the follow ends with SnapshotRefusedError.
   * @default 5
   */
  readonly maxRefusedSnapshots: number;
  /**
   * How long cursors may be refused as unavailable before the follow ends: nodes that lag behind refuse them too.
   * @default 60_000
   */
  readonly maxLagMs: number;
}

/**
 * What a client accepts and how long it waits unless `ClientOptions.limits` says otherwise; the units are in
 * the names.
 */
export const DEFAULT_CLIENT_LIMITS: ClientLimits = {
  maxResponseBytes: 32 * 1_048_576,
  maxDiscoveryBytes: 4_194_304,
  maxFrameLength: 1_048_576,
  maxSnapshotRecords: 1_000_000,
  maxServerDelayMs: 300_000,
  requestTimeoutMs: 30_000,
  answerTimeoutMs: 10_000,
  maxAttempts: 3,
  maxQueuedEvents: 1_024,
  maxQueuedLength: 16_777_216,
  maxSubscriptionsPerConnection: 100,
  maxViolations: 5,
  maxRefusalMs: 30_000,
  maxRefusedSnapshots: 5,
  maxLagMs: 60_000,
};

/** The limits in force; a limit that is given as undefined counts as not given. */
export function clientLimits(limits: Partial<ClientLimits> = {}): ClientLimits {
  const given = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
  return { ...DEFAULT_CLIENT_LIMITS, ...given };
}
