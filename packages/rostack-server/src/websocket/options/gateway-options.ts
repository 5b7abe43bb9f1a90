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
  /** Schemas by URL: event data is checked against its descriptor's schema. Data of unknown schemas is not checked. */
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
  readonly limits?: Partial<WebSocketLimits>;
  /** Counts failed authentications per address: the limiter that the HTTP part is given. @default they are not counted */
  readonly rateLimiter?: RateLimiter;
  /** Shortest and longest pause between reads of a log when no hint comes. @default 250 and 1000 */
  readonly minPollMs?: number;
  readonly maxPollMs?: number;
  /** Newest changes kept in memory per resource. @default 4096 and 16777216 */
  readonly ringMaxChanges?: number;
  readonly ringMaxBytes?: number;
  /** How often credentials are checked again, 100 to 5,000 ms. @default 2000 */
  readonly recheckIntervalMs?: number;
  readonly observer?: GatewayObserver;
  /** @default the process's clocks */
  readonly clock?: Clock;
  /** Random number from 0 up to 1, for spreading reconnections. @default Math.random */
  readonly random?: () => number;
}

export interface DrainOptions {
  /** Text for people, not empty. @default 'maintenance' */
  readonly reason?: string;
  /** How long connections are still served. @default 30000 */
  readonly drainTimeoutMs?: number;
  /** Reconnections are spread evenly over this long, at most `drainTimeoutMs`. @default half of drainTimeoutMs */
  readonly reconnectSpreadMs?: number;
  /** Where clients should go instead, wss. */
  readonly gatewayUrl?: string;
}

/** What a gateway is doing now. */
export interface GatewayStatus {
  readonly connections: number;
  readonly subscriptions: number;
  /** Bytes waiting in congested connections. */
  readonly bufferedBytes: number;
  /** Connections that take no events until their socket drains. */
  readonly pausedConnections: number;
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
  readonly subscriptions: number;
  /** Changes read from the log. */
  readonly changes: number;
  /** Events handed to connections. */
  readonly events: number;
  /** Catch-up reads that memory answered, and those that went to the log. */
  readonly ringHits: number;
  readonly ringMisses: number;
}
