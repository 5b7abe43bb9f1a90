import { z } from 'zod';
import { count, duration, flag, size, value } from './values.ts';

/** What one client may ask for at once, and how long the gateway waits. */
export const limitsSection = z
  .strictObject({
    max_page_size: count(1, 10_000, 'Records of one page.').default(200),
    authentication_timeout: duration('1s', '5m', 'For the first message of a WebSocket.').prefault('10s'),
    heartbeat_interval: duration('1s', '1h', 'Silence after which a peer sends a ping.').prefault('30s'),
    heartbeat_timeout: duration('1s', '1h', 'For the pong; at most the interval.').prefault('10s'),
    reconnect_min_delay: duration('100ms', '1h', 'Least pause before clients connect again.').prefault(
      '500ms',
    ),
    reconnect_max_delay: duration('1s', '1d', 'Greatest pause before clients connect again.').prefault('30s'),
    discovery_refresh_after: duration('1s', '30d', 'After which clients read discovery again.').prefault(
      '1h',
    ),
    max_connections: count(1, 1_000_000, 'WebSockets in all.').default(20_000),
    max_connections_per_address: count(1, 1_000_000, 'WebSockets of one client address.').default(200),
    max_connections_per_principal: count(1, 1_000_000, 'WebSockets of one principal.').default(100),
    max_subscriptions: count(1, 100_000, 'Subscriptions of one WebSocket.').default(100),
    max_message_size: size('1KiB', 'One message from a client.').prefault('64KiB'),
  })
  .refine((limits) => limits.heartbeat_timeout <= limits.heartbeat_interval, {
    path: ['heartbeat_timeout'],
    message: 'is longer than heartbeat_interval; write at most that (10s unless written)',
  })
  .refine((limits) => limits.reconnect_max_delay >= limits.reconnect_min_delay, {
    path: ['reconnect_max_delay'],
    message: 'is shorter than reconnect_min_delay; write at least that (30s unless written)',
  })
  .transform((section) => ({
    maxPageSize: section.max_page_size,
    authenticationTimeoutMs: section.authentication_timeout,
    heartbeatIntervalMs: section.heartbeat_interval,
    heartbeatTimeoutMs: section.heartbeat_timeout,
    reconnectMinDelayMs: section.reconnect_min_delay,
    reconnectMaxDelayMs: section.reconnect_max_delay,
    discoveryRefreshAfterMs: section.discovery_refresh_after,
    maxConnections: section.max_connections,
    maxConnectionsPerAddress: section.max_connections_per_address,
    maxConnectionsPerPrincipal: section.max_connections_per_principal,
    maxSubscriptions: section.max_subscriptions,
    maxMessageBytes: section.max_message_size,
  }));

const budget = z
  .strictObject({
    requests: count(1, 1_000_000_000, 'Requests within the window.').default(6_000),
    window: duration('1s', '1d', 'Length of the window.').prefault('60s'),
  })
  .transform(({ requests, window }) => ({ points: requests, windowMs: window }));

const failureBudget = z
  .strictObject({
    attempts: count(1, 1_000_000_000, 'Attempts within the window.').default(60),
    window: duration('1s', '1d', 'Length of the window.').prefault('60s'),
  })
  .transform(({ attempts, window }) => ({ points: attempts, windowMs: window }));

const messageRate = (burst: number, perSecond: number) =>
  z
    .strictObject({
      burst: count(1, 1_000_000, 'How many may come at once.').default(burst),
      per_second: value(z.number().min(0.01).max(1_000_000), {
        description: 'How many per second in the long run. 0.01 to 1000000.',
        write: 'a number from 0.01 to 1000000',
      }).default(perSecond),
    })
    .transform((rate) => ({ burst: rate.burst, perSecond: rate.per_second }));

/** How often one client may make requests. */
export const ratesSection = z
  .strictObject({
    shared: flag(
      'PostgreSQL: gateways of one database and schema count HTTP requests and failed authentications together. Otherwise each counts alone.',
    ).default(false),
    per_address: budget.prefault({}).meta({ description: 'HTTP requests of one client address.' }),
    per_principal: budget.prefault({}).meta({ description: 'HTTP requests of one principal.' }),
    failed_authentications: failureBudget.prefault({}).meta({
      description:
        'Credentials of one client address that are refused, over HTTP and WebSocket together, before it has to wait. Valid ones are never refused for them.',
    }),
    messages: messageRate(200, 50).prefault({}).meta({ description: 'Messages of one WebSocket.' }),
    subscribes: messageRate(200, 20)
      .prefault({})
      .meta({ description: 'subscribe messages of one WebSocket.' }),
  })
  .transform((section) => ({
    isShared: section.shared,
    perAddress: section.per_address,
    perPrincipal: section.per_principal,
    failuresPerAddress: section.failed_authentications,
    messages: section.messages,
    subscribes: section.subscribes,
  }));

const isOrigin = (candidate: string) => URL.canParse(candidate) && new URL(candidate).origin === candidate;
const origins = (description: string) =>
  value(
    z.union([
      z.literal('*'),
      z.array(
        value(z.string().refine(isOrigin), {
          write: 'an origin: scheme, host and port without a path, such as https://app.example',
        }),
      ),
    ]),
    { description, write: '"*" or a list of origins, such as [https://app.example]' },
  );

/** What pages in browsers may do. */
export const browsersSection = z
  .strictObject({
    cors_origins: origins('Origins whose pages may read answers of the JSON API.').default('*'),
    cors_max_age: duration('0s', '1d', "How long a browser keeps a preflight's answer.").prefault('10m'),
    websocket_origins: origins('Origins whose pages may open a WebSocket.').default('*'),
  })
  .transform((section) => ({
    corsOrigins: section.cors_origins,
    corsMaxAgeMs: section.cors_max_age,
    websocketOrigins: section.websocket_origins,
  }));

/** How events travel. */
export const eventsSection = z
  .strictObject({
    compact_json: flag('Offers the compact-json encoding of events.').default(true),
    compression: flag('Offers permessage-deflate, which more than halves events from about 1 KB on.').default(
      false,
    ),
  })
  .transform(({ compact_json: compactJson, compression }) => ({ compactJson, compression }));

const descriptionPath = (what: string) =>
  value(z.union([z.literal('off'), z.string().regex(/^\/[\w./-]*[\w-]$/)]), {
    description: `Where ${what} is served, below public_url; off: nowhere.`,
    write: 'a path such as /openapi.json, or off',
  });

/** Descriptions of the implementation for other tools; served where discovery is public. */
export const descriptionsSection = z
  .strictObject({
    openapi_path: descriptionPath('OpenAPI 3.1 of the JSON API').default('/openapi.json'),
    asyncapi_path: descriptionPath('AsyncAPI 3 of the WebSocket gateway').default('/asyncapi.json'),
  })
  .transform((section) => ({ openApiPath: section.openapi_path, asyncApiPath: section.asyncapi_path }));
