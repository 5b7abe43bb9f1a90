import {
  anInteger,
  type OptionCheck,
  type OptionValues,
  option,
  optionsOf,
  withDefaults,
} from 'rostack-core';
import { aPositiveNumber } from '../../guard/option-checks.ts';

/** How often something may happen. */
export interface Rate {
  /** How many may come at once. */
  readonly burst: number;
  /** How many per second are allowed in the long run. */
  readonly perSecond: number;
}

const aRate: OptionCheck = optionsOf<Rate>({ burst: aPositiveNumber, perSecond: aPositiveNumber });

/** What `WebSocketLimits` are, their checks and defaults. */
export const WEBSOCKET_LIMITS = {
  /** Connections in all; above it the upgrade is answered with 503. @default 20000 */
  maxConnections: option(anInteger(1), 20_000),
  /** Connections of one client address; above it the upgrade is answered with 429. @default 200 */
  maxConnectionsPerAddress: option(anInteger(1), 200),
  /** Authenticated connections of one principal; above it `rate_limited`, then close 4429. @default 100 */
  maxConnectionsPerPrincipal: option(anInteger(1), 100),
  /** Size of one message from a client, after inflation; above it close 4400. @default 65536 */
  maxMessageBytes: option(anInteger(1), 65_536),
  /** Fragments of one message; above it close 4400. @default 64 */
  maxFragments: option(anInteger(1), 64),
  /** Subscriptions of one connection; above it `rate_limited` for the one too many. @default 100 */
  maxSubscriptions: option(anInteger(1), 100),
  /** Messages from one connection. @default burst 200, 50 per second */
  messageRate: option<Rate>(aRate, { burst: 200, perSecond: 50 }),
  /** `subscribe` messages from one connection. @default burst 200, 20 per second */
  subscribeRate: option<Rate>(aRate, { burst: 200, perSecond: 20 }),
  /** Messages over their rate before the connection is closed with 4429. @default 20 */
  maxRateViolations: option(anInteger(1), 20),
  /** Malformed messages before the connection is closed with 4400. @default 20 */
  maxInvalidMessages: option(anInteger(1), 20),
  /** Subscriptions refused for want of a permission before the connection is closed with 4403. @default 20 */
  maxPermissionRefusals: option(anInteger(1), 20),
  /** Messages that may wait while a credential is verified; above it close 4429. @default 256 */
  maxWaitingMessages: option(anInteger(1), 256),
  /** Bytes waiting for one slow connection above which it gets no more events for now. @default 262144 */
  pauseAboveBytes: option(anInteger(1), 262_144),
  /** Bytes waiting below which a paused connection is served again. @default 65536 */
  resumeBelowBytes: option(anInteger(1), 65_536),
  /** Bytes waiting in all connections together above which each is paused at `resumeBelowBytes`. @default 268435456 */
  maxBufferedBytes: option(anInteger(1), 268_435_456),
};

/**
 * What one gateway allows, with units in the names. Every member is an integer of at least 1, or a rate above 0.
 */
export interface WebSocketLimits extends OptionValues<typeof WEBSOCKET_LIMITS> {}

/** What a gateway allows where its options do not say otherwise; the units are in the names. */
export const DEFAULT_WEBSOCKET_LIMITS: WebSocketLimits = withDefaults(WEBSOCKET_LIMITS);
