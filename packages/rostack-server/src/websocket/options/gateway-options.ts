import type { IncomingMessage } from 'node:http';
import {
  anInteger,
  aString,
  type GivenOptions,
  type ImplementationTypes,
  option,
  type Position,
} from 'rostack-core';
import type { Refusal } from '../../http/request/refusal.ts';
import type { ServedOptions } from '../../options/served-options.ts';
import type { Clock } from './clock.ts';
import type { SharedConnectionLimits } from './shared-connection-limits.ts';
import type { WebSocketLimits } from './websocket-limits.ts';

/** Which browsers may connect: any, or those whose `Origin` is listed. Clients without `Origin` always may. */
export type AllowedOrigins = '*' | readonly string[];

const MAX_RECHECK_MS = 5_000;
const MIN_RECHECK_MS = 100;

/** How much of its logs a gateway keeps in memory, and how often it checks them and the credentials. */
export const GATEWAY_NUMBERS = {
  /**
   * The shortest pause between two reads of a log when no hint comes, in ms; at least 1.
   * @default 250
   */
  minPollMs: option(anInteger(1), 250),
  /**
   * The longest pause, when there is nothing to read, in ms; at least `minPollMs`.
   * @default 1000
   */
  maxPollMs: option(anInteger(1), 1_000),
  /**
   * How many of the newest changes of each resource are kept in memory; at least 1.
   * @default 4096
   */
  ringMaxChanges: option(anInteger(1), 4_096),
  /**
   * How many bytes of these changes are kept for each resource; at least 1.
   * @default 16777216 (16 MiB)
   */
  ringMaxBytes: option(anInteger(1), 16 * 1_048_576),
  /** How often credentials are rechecked, 100 to 5,000 ms. @default 2000 */
  recheckIntervalMs: option(anInteger(MIN_RECHECK_MS, MAX_RECHECK_MS), 2_000),
};

/** How the gateway works. */
export interface GatewaySettings extends GivenOptions<typeof GATEWAY_NUMBERS> {
  /** @default '*' */
  readonly allowedOrigins?: AllowedOrigins;
  /** Refuses upgrades for reasons of your own, such as a connection without TLS. @default none */
  readonly refuse?: (request: IncomingMessage) => Refusal | undefined;
  /**
   * Connections, messages and memory; members left out have their defaults.
   * @default DEFAULT_WEBSOCKET_LIMITS
   */
  readonly limits?: Partial<WebSocketLimits>;
  /** Counts connections together with other servers, each of which has the same limits. @default counts in the memory of this process */
  readonly sharedConnectionLimits?: SharedConnectionLimits;
}

/** What the WebSocket part of an implementation needs. */
export type WebSocketGatewayOptions<Types extends ImplementationTypes = ImplementationTypes> =
  ServedOptions<Types> &
    GatewaySettings & {
      /** Client address for the limit per address. @default the address of the TCP peer, for IPv6 its /64 prefix */
      readonly clientAddress?: (request: IncomingMessage) => string;
      /** @default the process's clocks */
      readonly clock?: Clock;
      /** Random number from 0 up to 1, for spreading reconnections. @default Math.random */
      readonly random?: () => number;
    };

/** How long a drain takes, and its reason. */
export const DRAIN_OPTIONS = {
  /** Text for people, not empty. @default 'maintenance' */
  reason: option(aString, 'maintenance'),
  /**
   * How long connections are still served, in ms; at least 0.
   * @default 30000
   */
  drainTimeoutMs: option(anInteger(0), 30_000),
};

/** How connections are asked to leave. */
export interface DrainOptions extends GivenOptions<typeof DRAIN_OPTIONS> {
  /**
   * Reconnections are spread evenly over this long, in ms; at least 0, at most `drainTimeoutMs`.
   * @default half of `drainTimeoutMs`
   */
  readonly reconnectSpreadMs?: number;
  /**
   * Where clients should go instead, wss.
   * @default none: to the gateway that discovery advertises
   */
  readonly gatewayUrl?: string;
}

/** What a gateway is doing now. */
export interface GatewayStatus {
  /** Open connections, authenticated or not. */
  readonly connections: number;
  /** Subscriptions of all connections. */
  readonly subscriptions: number;
  /** Bytes waiting in congested connections. */
  readonly bufferedBytes: number;
  /** Connections that take no events until their socket drains. */
  readonly pausedConnections: number;
  /** Whether new connections are refused because `drain` or `close` was called. */
  readonly isDraining: boolean;
  /** One for each resource that has events. */
  readonly resources: readonly ResourceStatus[];
}

/** What keeps a gateway from reading a log. */
export interface TailFault {
  /** Time since the first of the failures in a row, in ms. */
  readonly forMs: number;
  /** The latest one. */
  readonly error: unknown;
}

/** How a gateway follows the log of one resource; counts are since its start. */
export interface ResourceStatus {
  /** Name of the resource. */
  readonly resource: string;
  /** Time since the gateway was last at the head of the log, in ms; undefined until the first subscription. */
  readonly behindMs: number | undefined;
  /** What keeps the gateway from reading the log, and for how long; undefined while it can. */
  readonly fault: TailFault | undefined;
  /** How long the longest stalled replay has not moved although its client reads; undefined if all move. */
  readonly replayStalledMs: number | undefined;
  /** Last position that was passed to live subscriptions. */
  readonly position: Position;
  /** Position of the subscription that is furthest behind; undefined if there is none. */
  readonly oldestPosition: Position | undefined;
  /** Subscriptions to this resource. */
  readonly subscriptions: number;
  /** Changes read from the log. */
  readonly changes: number;
  /** Events passed to connections. */
  readonly events: number;
  /** Reads for subscriptions that are catching up, answered from memory. */
  readonly ringHits: number;
  /** Reads for subscriptions that are catching up, answered from the log. */
  readonly ringMisses: number;
  /** Rough size of the newest changes, which are kept in memory. */
  readonly ringBytes: number;
}
