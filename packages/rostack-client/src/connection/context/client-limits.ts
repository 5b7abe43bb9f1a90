import { anInteger, type OptionValues, option, withDefaults } from 'rostack-core/client';

/** What `ClientLimits` are, their checks and defaults. */
export const CLIENT_LIMITS = {
  /**
   * Bytes of one answer after decompression: 1,000 records of 32 KiB by default.
   * @default 33_554_432 (32 MiB)
   */
  maxResponseBytes: option(anInteger(1), 32 * 1_048_576),
  /**
   * Bytes of the discovery document after decompression.
   * @default 4_194_304 (4 MiB)
   */
  maxDiscoveryBytes: option(anInteger(1), 4_194_304),
  /**
   * UTF-16 units of one WebSocket message.
   * @default 1_048_576
   */
  maxFrameLength: option(anInteger(1), 1_048_576),
  /**
   * Records of one snapshot of a follow.
   * @default 1_000_000
   */
  maxSnapshotRecords: option(anInteger(1), 1_000_000),
  /**
   * The longest delay that a server may ask for; longer ones are cut to it.
   * @default 300_000
   */
  maxServerDelayMs: option(anInteger(1), 300_000),
  /**
   * How long a whole answer may take.
   * @default 30_000
   */
  requestTimeoutMs: option(anInteger(1), 30_000),
  /**
   * How long a gateway may take to open, and to answer `authenticate` or `subscribe`, and how long an open socket
   * waits for the credentials callback; the limit applies to each of these.
   * @default 10_000
   */
  answerTimeoutMs: option(anInteger(1), 10_000),
  /**
   * Attempts at one request that fails with a temporary error, the first one included.
   * @default 3
   */
  maxAttempts: option(anInteger(1), 3),
  /**
   * Events of one subscription that wait for their consumer.
   * @default 1_024
   */
  maxQueuedEvents: option(anInteger(1), 1_024),
  /**
   * UTF-16 units of these events.
   * @default 16_777_216
   */
  maxQueuedLength: option(anInteger(1), 16_777_216),
  /**
   * Subscriptions of one connection, one of them for bookmarks; more open another connection.
   * @default 100
   */
  maxSubscriptionsPerConnection: option(anInteger(1), 100),
  /**
   * After this many connections in a row on which the gateway breaks the protocol, what is subscribed ends with
   * ProtocolBrokenError.
   * @default 5
   */
  maxViolations: option(anInteger(1), 5),
  /**
   * How long a gateway may refuse the credentials that a callback gives: over a slow network, or if a clock is
   * wrong, short-lived ones expire before they are read.
   * @default 30_000
   */
  maxRefusalMs: option(anInteger(1), 30_000),
  /**
   * After this many snapshots in a row whose cursor the gateway refuses, the follow ends with SnapshotRefusedError.
   * @default 5
   */
  maxRefusedSnapshots: option(anInteger(1), 5),
  /**
   * How long cursors may be refused as unavailable before the follow ends: nodes that lag behind refuse them too.
   * @default 60_000
   */
  maxLagMs: option(anInteger(1), 60_000),
};

/**
 * The most that a client accepts from a server, and the longest that it waits. Every member is an integer of at
 * least 1.
 */
export interface ClientLimits extends OptionValues<typeof CLIENT_LIMITS> {}

/**
 * What a client accepts and how long it waits unless `ClientOptions.limits` says otherwise; the units are in
 * the names.
 */
export const DEFAULT_CLIENT_LIMITS: ClientLimits = withDefaults(CLIENT_LIMITS);

/** The limits in force; a limit that is given as undefined counts as not given. */
export function clientLimits(limits?: Partial<ClientLimits>): ClientLimits {
  return withDefaults(CLIENT_LIMITS, limits);
}
