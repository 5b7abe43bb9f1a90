import type { IncomingMessage } from 'node:http';
import type {
  AnyDiscoveryDocument,
  ImplementedResource,
  JsonObject,
  Position,
  RecordSource,
} from 'rostack-core';
import type { Authenticator } from '../../auth/authenticator.ts';
import type { CursorKeys } from '../../http/cursors.ts';
import type { Refusal } from '../../http/refusal.ts';
import type { RateLimiter } from '../../rate-limit/index.ts';
import type { Clock } from './clock.ts';
import type { GatewayObserver } from './gateway-observer.ts';
import type { WebSocketLimits } from './websocket-limits.ts';

/** Which browsers may connect: any, or those whose `Origin` is listed. Clients without `Origin` always may. */
export type AllowedOrigins = '*' | readonly string[];

/** What the WebSocket part of an implementation needs. */
export interface WebSocketGatewayOptions {
  /** What the implementation promises; the gateway serves the path of its `endpoints.websocket`. */
  readonly discovery: AnyDiscoveryDocument;
  /** The records and logs of each resource; called once for each that has events. */
  readonly sources: (resourceName: string) => RecordSource;
  /** At least one for each method that discovery lists, and none for others. */
  readonly authenticators: readonly Authenticator[];
  /** Those that the HTTP part is given; `events` binds event cursors to their scope, and `pages` is not used. */
  readonly cursorKeys: Pick<CursorKeys, 'events'> & Partial<CursorKeys>;
  /**
   * As `defineImplementation` made them: which rows and fields a principal may see, and how event data is made. Without `events`, data is
   * the record; before a delete if it leaves a tombstone.
   */
  readonly resources: Readonly<
    Record<
      string,
      Pick<ImplementedResource, 'visible' | 'hidden'> &
        Partial<Pick<ImplementedResource, 'events' | 'schema' | 'schemaUrl'>>
    >
  >;
  /**
   * Schemas by URL: event data is checked against its descriptor's schema. Data of unknown schemas is not checked.
   * @default no schema is known
   */
  readonly schemas?: ReadonlyMap<string, JsonObject | boolean>;
  /** Path that a proxy takes off the front of the advertised path, such as `/rostack`. @default '' */
  readonly strippedPathPrefix?: string;
  /**
   * Values of the Host field that upgrades are accepted for; any with `'any'`.
   * @default the host of the advertised URL
   */
  readonly hosts?: readonly string[] | 'any';
  /** @default '*' */
  readonly allowedOrigins?: AllowedOrigins;
  /** Client address for the limit per address. @default the address of the TCP peer, of an IPv6 address its /64 prefix */
  readonly addressOf?: (request: IncomingMessage) => string;
  /** Refuses upgrades for reasons of the caller's own, such as a connection without TLS. @default none */
  readonly refuse?: (request: IncomingMessage) => Refusal | undefined;
  /**
   * Connections, messages and memory; what is left out has its default.
   * @default DEFAULT_WEBSOCKET_LIMITS
   */
  readonly limits?: Partial<WebSocketLimits>;
  /** Counts failed authentications per address: the limiter that the HTTP part is given. @default they are not counted */
  readonly rateLimiter?: RateLimiter;
  /**
   * The shortest pause between two reads of a log when no hint comes, in ms; at least 1.
   * @default 250
   */
  readonly minPollMs?: number;
  /**
   * The longest pause, when there is nothing to read, in ms; at least `minPollMs`.
   * @default 1000
   */
  readonly maxPollMs?: number;
  /**
   * Newest changes of each resource that are kept in memory; at least 1.
   * @default 4096
   */
  readonly ringMaxChanges?: number;
  /**
   * Bytes of these changes, for each resource; at least 1.
   * @default 16777216 (16 MiB)
   */
  readonly ringMaxBytes?: number;
  /** How often credentials are checked again, 100 to 5,000 ms. @default 2000 */
  readonly recheckIntervalMs?: number;
  /**
   * Calls for logs and metrics. What they throw is reported by `onAlarm`, and stops nothing.
   * @default none
   */
  readonly observer?: GatewayObserver;
  /** @default the process's clocks */
  readonly clock?: Clock;
  /** Random number from 0 up to 1, for spreading reconnections. @default Math.random */
  readonly random?: () => number;
}

/** How connections are asked to leave. */
export interface DrainOptions {
  /** Text for people, not empty. @default 'maintenance' */
  readonly reason?: string;
  /**
   * How long connections are still served, in ms; at least 0.
   * @default 30000
   */
  readonly drainTimeoutMs?: number;
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
  /** How long the longest stalled replay, whose client reads, has not moved; undefined when all move. */
  readonly replayStalledMs: number | undefined;
  /** Last position that was handed to live subscriptions. */
  readonly position: Position;
  /** Position of the subscription that is furthest behind; undefined when there is none. */
  readonly oldestPosition: Position | undefined;
  /** Subscriptions to this resource. */
  readonly subscriptions: number;
  /** Changes read from the log. */
  readonly changes: number;
  /** Events handed to connections. */
  readonly events: number;
  /** Reads of subscriptions that catch up which memory answered. */
  readonly ringHits: number;
  /** Reads of subscriptions that catch up which went to the log. */
  readonly ringMisses: number;
}
