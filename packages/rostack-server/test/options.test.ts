import { createServer } from 'node:http';
import type { WebSocketErrorCode, WebSocketOperation } from 'rostack-core';
import { thrownBy } from 'test-support/thrown-by';
import { describe, expect, test } from 'vitest';
import {
  createOAuthAuthenticator,
  createPrincipalIdDeriver,
  createSharedTokenAuthenticator,
  MemorySharedTokenStore,
} from '../src/auth/index.ts';
import { createRostackApp, type RostackAppOptions } from '../src/http/index.ts';
import { createRateLimiter } from '../src/rate-limit/index.ts';
import {
  attachWebSocketGateway,
  type DrainOptions,
  type WebSocketGatewayOptions,
} from '../src/websocket/index.ts';
import { CURSOR_KEYS } from './support/cursor-keys.ts';
import { GatewayHarness } from './support/gateway-harness.ts';
import { PRINCIPAL_IDS } from './support/observatory.ts';
import { defineObservatory, RENDERERS } from './support/observatory-implementation.ts';
import { sampleDiscovery, sampleImplementation } from './support/sample-discovery.ts';

/** A wrong value, and what the message has to hold: which option, and what to use. */
type Wrong = readonly [options: object, option: string, expected: string];

const nothing = async (): Promise<never> => Promise.reject(new Error('not asked here'));
const source = {
  head: nothing,
  page: nothing,
  get: nothing,
  tagAt: nothing,
  read: nothing,
  watch: () => () => {},
};
const { watch: _, ...unwatchable } = source;
const authenticator = createSharedTokenAuthenticator({
  store: new MemorySharedTokenStore(),
  principalId: PRINCIPAL_IDS,
});
const short = new Uint8Array(31);
const budget = { points: 0, windowMs: 60_000 };

const SAMPLE = sampleImplementation();

const gatewayOptions: WebSocketGatewayOptions = {
  implementation: SAMPLE,
  sources: () => source,
  authenticators: [authenticator],
  cursorKeys: CURSOR_KEYS,
};

const appOptions: RostackAppOptions = {
  implementation: defineObservatory(),
  sources: () => source,
  authenticators: [authenticator],
  cursorKeys: CURSOR_KEYS,
  renderers: RENDERERS,
};

/** Below the least, and not whole; what else is none is shown of the check itself. */
const NUMBERS = [0, 1.5];

const numbers = (names: readonly string[], wrap = (options: object): object => options): Wrong[] =>
  names.flatMap((name) =>
    NUMBERS.map((value): Wrong => [wrap({ [name]: value }), `${name} is`, 'an integer']),
  );

const functions = (names: readonly string[], wrap = (options: object): object => options): Wrong[] =>
  names.map((name) => [wrap({ [name]: 'x' }), `${name} is "x"`, 'use a function']);

const GATEWAY: readonly Wrong[] = [
  [{ cursorKey: 1 }, 'options has no member "cursorKey"', 'cursorKeys'],
  [{ implementation: { ...SAMPLE, discovery: {} } }, 'implementation.discovery', 'defineImplementation'],
  [{ sources: {} }, 'options.sources', 'a function'],
  [{ sources: () => unwatchable }, 'options.sources("stations")', 'watch'],
  [{ authenticators: authenticator }, 'options.authenticators', 'an array'],
  [{ authenticators: [{ ...authenticator, recheck: 1 }] }, 'options.authenticators[0].recheck', 'a function'],
  [{ authenticators: [{ ...authenticator, method: 'basic' }] }, 'authenticators[0].method', 'shared_token'],
  [{ cursorKeys: { ...CURSOR_KEYS, events: short } }, 'options.cursorKeys.events', 'at least 32 bytes'],
  [{ cursorKeys: { ...CURSOR_KEYS, events: 'x'.repeat(32) } }, 'options.cursorKeys.events', 'a Uint8Array'],
  [{ implementation: { ...SAMPLE, resources: [] } }, 'options.implementation.resources', 'an object'],
  [{ implementation: { ...SAMPLE, schemas: {} } }, 'options.implementation.schemas', 'a Map'],
  [{ sources: undefined }, 'either a store or sources', 'come from'],
  [{ strippedPathPrefix: 'rostack' }, 'options.strippedPathPrefix', 'a path'],
  [{ strippedPathPrefix: '/rostack/' }, 'options.strippedPathPrefix', 'a path'],
  [{ allowedOrigins: 'https://a.example' }, 'options.allowedOrigins', 'an array of origins'],
  ...functions(['clientAddress', 'refuse', 'random']),
  ...functions(['onAlarm', 'onClosed'], (hooks) => ({ hooks })),
  [{ hooks: { onAlram: () => {} } }, 'options.hooks has no member "onAlram"', 'onAlarm'],
  [{ limits: { maxConections: 1 } }, 'options.limits has no member "maxConections"', 'maxConnections'],
  ...numbers(['maxConnections', 'maxMessageBytes', 'pauseAboveBytes'], (limits) => ({ limits })),
  [{ limits: { messageRate: 5 } }, 'options.limits.messageRate', 'an object'],
  [{ limits: { messageRate: { burst: Number.NaN, perSecond: 1 } } }, 'messageRate.burst', 'above 0'],
  [{ limits: { subscribeRate: { burst: 1, perSecond: -1 } } }, 'subscribeRate.perSecond', 'above 0'],
  [{ limits: { pauseAboveBytes: 1, resumeBelowBytes: 2 } }, 'resumeBelowBytes', 'at most pauseAboveBytes'],
  [{ rateLimiter: {} }, 'options.rateLimiter', 'consume'],
  ...numbers(['minPollMs', 'maxPollMs', 'ringMaxChanges', 'ringMaxBytes']),
  [{ minPollMs: 500, maxPollMs: 100 }, 'options.minPollMs is 500', 'at most options.maxPollMs'],
  [{ minPollMs: 2_000 }, 'options.minPollMs is 2000', 'which is 1000'],
  [{ recheckIntervalMs: 99 }, 'options.recheckIntervalMs', 'from 100 to 5000'],
  [{ clock: { wallMs: () => 0 } }, 'options.clock', 'monotonicMs'],
];

test.each(GATEWAY)('a gateway refuses %j (%#)', (wrong, option, expected) => {
  const server = createServer();
  const error = thrownBy(() => attachWebSocketGateway(server, { ...gatewayOptions, ...wrong }));
  expect(error).toMatchObject({ code: 'invalid_options', retryable: false });
  expect(String(error)).toContain(option);
  expect(String(error)).toContain(expected);
  expect(server.listenerCount('upgrade')).toBe(0);
});

/** For each code an operation that sends it. */
const SENT = {
  invalid_message: 'session',
  authentication_failed: 'authenticate',
  reauthentication_identity_mismatch: 'authenticate',
  permission_denied: 'subscribe',
  permission_revoked: 'subscription',
  resource_not_found: 'subscribe',
  unsupported_event_type: 'subscribe',
  unsupported_filter: 'subscribe',
  unsupported_encoding: 'subscribe',
  subscription_id_conflict: 'subscribe',
  cursor_scope_mismatch: 'subscribe',
  cursor_unavailable: 'subscription',
  rate_limited: 'session',
  service_unavailable: 'subscribe',
  internal_error: 'subscription',
} as const satisfies Record<WebSocketErrorCode, WebSocketOperation>;

test.each(Object.entries(SENT))(
  'a gateway does not start where discovery does not declare %s for the operation %s',
  (code, operation) => {
    const discovery = sampleDiscovery();
    const declared = discovery.errors.websocket.find((each) => each.code === code);
    if (declared === undefined) throw new Error('the sample declares every code');
    declared.operations = declared.operations.filter((each) => each !== operation);
    const attach = () =>
      attachWebSocketGateway(createServer(), {
        ...gatewayOptions,
        implementation: sampleImplementation(discovery),
      });
    expect(thrownBy(attach)).toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining(`errors.websocket must declare ${code} for ${operation}.`),
    });
  },
);

const APP: readonly Wrong[] = [
  [{ hook: {} }, 'options has no member "hook"', 'hooks'],
  [{ implementation: undefined }, 'options.implementation', 'an object'],
  [
    { implementation: { discovery: {}, schemas: new Map() } },
    'implementation.discovery',
    'defineImplementation',
  ],
  [{ implementation: { ...defineObservatory(), schemas: {} } }, 'options.implementation.schemas', 'a Map'],
  [{ sources: new Map() }, 'options.sources', 'a function'],
  [{ sources: () => unwatchable }, 'options.sources("stations")', 'watch'],
  [{ sources: () => undefined }, 'options.sources("stations")', 'watch'],
  [{ authenticators: [null] }, 'options.authenticators[0]', 'an object'],
  [{ cursorKeys: { ...CURSOR_KEYS, events: short } }, 'options.cursorKeys.events', 'at least 32 bytes'],
  [{ cursorKeys: { ...CURSOR_KEYS, pages: {} } }, 'options.cursorKeys.pages.current', 'an object'],
  [
    { cursorKeys: { ...CURSOR_KEYS, pages: { current: { id: 256, bytes: new Uint8Array(32) } } } },
    'pages.current.id',
    'from 0 to 255',
  ],
  [
    { cursorKeys: { ...CURSOR_KEYS, pages: { current: { id: 1, bytes: short } } } },
    'pages.current.bytes',
    '32 bytes',
  ],
  [{ renderers: { stations: { 'text/csv': 1 } } }, 'options.renderers["stations"]["text/csv"]', 'a function'],
  [{ hosts: 'localhost' }, 'options.hosts', "'any'"],
  [{ strippedPathPrefix: 'rostack/' }, 'options.strippedPathPrefix', 'a path'],
  [{ cors: { origins: 'https://a.example' } }, 'options.cors.origins', 'an array'],
  [{ cors: { origins: '*', maxAge: 1 } }, 'options.cors has no member "maxAge"', 'maxAgeSeconds'],
  [{ rateLimiter: { consume: 1 } }, 'options.rateLimiter', 'consume'],
  ...functions(['clientAddress', 'clock', 'makeRequestId']),
  ...functions(['onRequest', 'onError'], (hooks) => ({ hooks })),
  ...numbers(['sourceTimeoutMs']),
  [{ pageCacheMaxBytes: -1 }, 'options.pageCacheMaxBytes', 'at least 0'],
  [{ retryAfterMs: Number.NaN }, 'options.retryAfterMs', 'at least 0'],
  [{ discoveryMaxAgeSeconds: '60' }, 'options.discoveryMaxAgeSeconds', 'at least 0'],
  [{ schemaMaxAgeSeconds: 1.5 }, 'options.schemaMaxAgeSeconds', 'at least 0'],
];

test.each(APP)('an app refuses %j (%#)', (wrong, option, expected) => {
  const error = thrownBy(() => createRostackApp({ ...appOptions, ...wrong }));
  expect(error).toMatchObject({ code: 'invalid_options', retryable: false });
  expect(String(error)).toContain(option);
  expect(String(error)).toContain(expected);
});

describe('the option is named of', () => {
  test.each<Wrong>([
    [{ perAdress: budget }, 'options has no member "perAdress"', 'perAddress'],
    [{ perAddress: budget }, 'options.perAddress.points is 0', 'at least 1'],
    [{ perPrincipal: { points: 1, windowMs: Number.NaN } }, 'perPrincipal.windowMs', 'at least 1000'],
    [{ failuresPerAddress: { points: 1 } }, 'failuresPerAddress.windowMs', 'at least 1000'],
    [{ shared: { counters: {} } }, 'options.shared.counters', 'lease, giveBack'],
  ])('a rate limiter: %j', (wrong, option, expected) => {
    const error = thrownBy(() => createRateLimiter(wrong));
    expect(error).toMatchObject({ code: 'invalid_options', retryable: false });
    expect(String(error)).toContain(option);
    expect(String(error)).toContain(expected);
  });

  test.each<Wrong>([
    [{ store: {} }, 'options.store', 'find'],
    [{ principalId: 'x' }, 'options.principalId', 'a function'],
    [{ cacheMs: 5_001 }, 'options.cacheMs', 'from 0 to 5000'],
    [{ maxCachedTokens: 0 }, 'options.maxCachedTokens', 'at least 1'],
    [{ retryAfterMS: 1 }, 'options has no member "retryAfterMS"', 'retryAfterMs'],
  ])('an authenticator of shared tokens: %j', (wrong, option, expected) => {
    const options = { store: new MemorySharedTokenStore(), principalId: PRINCIPAL_IDS, ...wrong };
    const error = thrownBy(() => createSharedTokenAuthenticator(options));
    expect(error).toMatchObject({ code: 'invalid_options', retryable: false });
    expect(String(error)).toContain(option);
    expect(String(error)).toContain(expected);
  });

  test.each<Wrong>([
    [{ metadataUrl: undefined }, 'options.metadataUrl', 'an https URL'],
    [{ audience: '' }, 'options.audience', 'a string'],
    [{ algorithms: 'RS256' }, 'options.algorithms', 'an array'],
    [{ tokenType: true }, 'options.tokenType', 'a string'],
    [{ timeoutMs: 0 }, 'options.timeoutMs', 'at least 1'],
    [{ clockToleranceMs: -1 }, 'options.clockToleranceMs', 'at least 0'],
    [{ onRefreshError: {} }, 'options.onRefreshError', 'a function'],
    [{ scope: 'scp' }, 'options has no member "scope"', 'scopeClaim'],
  ])('an authenticator of OAuth tokens: %j', (wrong, option, expected) => {
    const options = {
      metadataUrl: 'https://as.example/.well-known/oauth-authorization-server',
      audience: 'https://api.example',
      principalId: PRINCIPAL_IDS,
      ...wrong,
    };
    const error = thrownBy(() => createOAuthAuthenticator(options));
    expect(error).toMatchObject({ code: 'invalid_options', retryable: false });
    expect(String(error)).toContain(option);
    expect(String(error)).toContain(expected);
  });

  test.each([[short], ['x'.repeat(32)], [undefined]])('a deriver of principal ids: %j', (key) => {
    expect(() => createPrincipalIdDeriver(key as Uint8Array)).toThrow(
      'use a Uint8Array of at least 32 bytes',
    );
  });
});

test.each([
  [{ reason: '' }, 'options.reason'],
  [{ drainTimeoutMs: -1 }, 'options.drainTimeoutMs'],
  [{ reconnectSpreadMs: Number.NaN }, 'options.reconnectSpreadMs'],
  [{ gatewayUrl: 'https://a.example' }, 'options.gatewayUrl'],
  [{ timeoutMs: 1 }, 'options has no member "timeoutMs"'],
])('a drain refuses %j, and the gateway goes on', async (options, option) => {
  await using harness = await GatewayHarness.start();
  await expect(harness.gateway.drain(options as DrainOptions)).rejects.toThrow(option);
  expect(harness.gateway.status.isDraining).toBe(false);
});
