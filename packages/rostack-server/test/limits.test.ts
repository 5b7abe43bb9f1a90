import { resolve } from 'node:path';
import { exportJWK, generateKeyPair, type JSONWebKeySet, SignJWT } from 'jose';
import { type Change, PositionExpiredError } from 'rostack-core';
import { limitConstants } from 'test-support/limit-constants';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { AuthenticatorSet } from '../src/auth/authenticator-set.ts';
import {
  type Authenticator,
  createSharedTokenAuthenticator,
  MemorySharedTokenStore,
} from '../src/auth/index.ts';
import { KeyedTurns } from '../src/auth/keyed-turns.ts';
import { createIntrospectionAuthenticator } from '../src/auth/oauth/introspection-authenticator.ts';
import { IssuerKeys } from '../src/auth/oauth/issuer-keys.ts';
import { createOAuthAuthenticator } from '../src/auth/oauth/oauth-authenticator.ts';
import { createPrincipalIdDeriver } from '../src/auth/principal-id.ts';
import { addressKey } from '../src/http/request/client-address.ts';
import type { Exchange } from '../src/http/request/exchange.ts';
import { checkUrlLength } from '../src/http/request/request-rules.ts';
import { PageCursorSeal } from '../src/http/resource/page-cursor-seal.ts';
import { deriveKeys } from '../src/options/derive-keys.ts';
import { createRateLimiter } from '../src/rate-limit/index.ts';
import { ForeignScopes } from '../src/websocket/create-session-rules.ts';
import { CommitBuffer } from '../src/websocket/hub/log/commit-buffer.ts';
import { SYSTEM_CLOCK } from '../src/websocket/options/clock.ts';
import { gatewaySettings } from '../src/websocket/options/gateway-option-checks.ts';
import type { WebSocketLimits } from '../src/websocket/options/websocket-limits.ts';
import { GatewayClient } from './support/gateway-client.ts';
import { GatewayHarness } from './support/gateway-harness.ts';
import { Observatory } from './support/observatory.ts';
import { wrappedSource } from './support/wrapped-source.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Whether a size is within a limit. */
type Accepts = (size: number) => boolean | Promise<boolean>;

const ISSUER = 'https://as.example.com';
const METADATA_URL = `${ISSUER}/.well-known/oauth-authorization-server`;
const AUDIENCE = 'https://api.example.com';
const NOW_MS = 1_800_000_000_000;
const BUDGET = { points: 1_000_000, windowMs: 60_000 };
const principalId = createPrincipalIdDeriver(new Uint8Array(32));

const urlOf = (input: string | URL | Request): string => new Request(input).url;

const isFine = (action: () => unknown): boolean => {
  try {
    action();
    return true;
  } catch {
    return false;
  }
};

/** An authorization server with these keys, which does not tell about tokens. */
function answering(keys: JSONWebKeySet, onRead: () => void = () => {}): typeof fetch {
  return async (url) => {
    if (urlOf(url).endsWith('/introspect')) return new Response(null, { status: 503 });
    if (urlOf(url).endsWith('/jwks')) {
      onRead();
      return Response.json(keys);
    }
    const introspection_endpoint = `${ISSUER}/introspect`;
    return Response.json({ issuer: ISSUER, jwks_uri: `${ISSUER}/jwks`, introspection_endpoint });
  };
}

/** Signs tokens of any length with a key that `keys` holds. */
async function signer() {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const keys: JSONWebKeySet = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }] };
  const sign = (inHeader: number, inPayload: number) =>
    new SignJWT({ sub: 'me', pad: 'x'.repeat(inPayload) })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'k', pad: 'x'.repeat(inHeader) })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt(NOW_MS / 1_000)
      .setExpirationTime(NOW_MS / 1_000 + 60)
      .sign(privateKey);
  const ofLength = async (length: number): Promise<string> => {
    // In base64url not every length of a part can be had.
    for (let inHeader = 0; inHeader < 3; inHeader += 1) {
      const short = await sign(inHeader, 0);
      const about = Math.floor(((length - short.length) * 3) / 4);
      for (let inPayload = about - 3; inPayload < about + 3; inPayload += 1) {
        const token = await sign(inHeader, inPayload);
        if (token.length === length) return token;
      }
    }
    throw new Error(`no token of ${length} characters`);
  };
  return { keys, ofLength };
}

function rememberedOf(count: number): Promise<boolean> {
  let isSlow = false;
  let asked = 0;
  const authenticator: Authenticator = {
    method: 'shared_token',
    authenticate: async (token) => {
      asked += 1;
      if (isSlow) await new Promise(() => {});
      return {
        kind: 'authenticated',
        credential: { principal: { id: token, method: 'shared_token', permissions: new Set() } },
      };
    },
    recheck: (credential) => ({ kind: 'authenticated', credential }),
  };
  const set = new AuthenticatorSet([authenticator]);
  const ask = (token: string) =>
    set.authenticate({ method: 'shared_token', token, address: '192.0.2.1' }, NOW_MS);
  return (async () => {
    for (let index = 0; index < count; index += 1) await ask(`t${index}`);
    isSlow = true;
    for (let guess = 0; guess < 8; guess += 1) void ask(`guess${guess}`);
    asked = 0;
    void ask('t0');
    return asked === 1;
  })();
}

/** By its constant: the largest size that is within the limit, and how to tell. Of a least size, the smallest. */
const LIMITS: Readonly<Record<string, readonly [limit: number, accepts: Accepts]>> = {
  'auth/authenticator-set.ts MAX_REMEMBERED': [10_000, rememberedOf],
  'auth/keyed-turns.ts MAX_TURN_MS': [
    // At its end a turn is over.
    9_999,
    (durationMs) => {
      vi.useFakeTimers();
      const turns = new KeyedTurns(1);
      void turns.hold('a', new Promise(() => {}));
      vi.advanceTimersByTime(durationMs);
      return !turns.isFree('a');
    },
  ],
  'auth/oauth/access-token-rules.ts MAX_TOKEN_LENGTH': [
    16_384,
    async (length) => {
      const introspection = createIntrospectionAuthenticator({
        metadataUrl: METADATA_URL,
        audience: AUDIENCE,
        clientId: 'c',
        clientSecret: 's',
        principalId,
        fetch: answering({ keys: [] }),
      });
      const asked = (await introspection.authenticate('x'.repeat(length), NOW_MS)).kind === 'unavailable';
      const { keys, ofLength } = await signer();
      const oauth = createOAuthAuthenticator({
        metadataUrl: METADATA_URL,
        audience: AUDIENCE,
        principalId,
        fetch: answering(keys),
      });
      const { kind } = await oauth.authenticate(await ofLength(length), NOW_MS);
      expect(kind === 'authenticated').toBe(asked);
      return asked;
    },
  ],
  'auth/oauth/authorization-server.ts MAX_RESPONSE_BYTES': [
    1_048_576,
    async (bytes) => {
      const keys = new IssuerKeys({
        metadataUrl: new URL(METADATA_URL),
        issuer: ISSUER,
        refreshAfterMs: 60_000,
        refetchCooldownMs: 60_000,
        timeoutMs: 60_000,
        onRefreshError: () => {},
        fetch: async (url) =>
          urlOf(url).endsWith('/jwks')
            ? new Response(JSON.stringify({ keys: [] }).padEnd(bytes))
            : Response.json({ issuer: ISSUER, jwks_uri: `${ISSUER}/jwks` }),
      });
      return keys.current(NOW_MS).then(
        () => true,
        () => false,
      );
    },
  ],
  'auth/oauth/issuer-keys.ts MAX_LOOK_UPS': [
    10,
    async (count) => {
      let reads = 0;
      const issuerKeys = new IssuerKeys({
        metadataUrl: new URL(METADATA_URL),
        issuer: ISSUER,
        refreshAfterMs: 600_000,
        refetchCooldownMs: 60_000,
        timeoutMs: 60_000,
        onRefreshError: () => {},
        fetch: answering({ keys: [] }, () => {
          reads += 1;
        }),
      });
      for (let number = 1; number < count; number += 1)
        await issuerKeys.newerThan(await issuerKeys.current(NOW_MS), `k${number}`, NOW_MS);
      const before = reads;
      await issuerKeys.newerThan(await issuerKeys.current(NOW_MS), 'last', NOW_MS);
      return reads > before;
    },
  ],
  'auth/shared-token.ts MAX_CACHE_MS': [
    5_000,
    (cacheMs) =>
      isFine(() =>
        createSharedTokenAuthenticator({ store: new MemorySharedTokenStore(), principalId, cacheMs }),
      ),
  ],
  'guard/option-checks.ts MIN_KEY_BYTES': [32, (bytes) => isFine(() => deriveKeys(new Uint8Array(bytes)))],
  'http/request/client-address.ts MAX_ADDRESS_LENGTH': [
    64,
    (length) => addressKey('fe80::1%'.padEnd(length, 'z')) !== undefined,
  ],
  'http/resource/list-handler.ts MAX_ATTEMPTS': [
    3,
    async (attempts) => {
      let asked = 0;
      await using observatory = await Observatory.start({
        wrapSource: (source) =>
          wrappedSource(() => source, {
            page: (query) => {
              asked += 1;
              return asked < attempts ? Promise.reject(new PositionExpiredError('gone')) : source.page(query);
            },
          }),
      });
      return (await observatory.fetch('/api/stations')).status === 200;
    },
  ],
  'http/resource/page-cursor-seal.ts MAX_TEXT_LENGTH': [
    8_192,
    (length) => {
      const seal = new PageCursorSeal({ current: { id: 1, bytes: new Uint8Array(32) } });
      const cursorOf = (id: string) =>
        seal.seal({ epoch: 'e', at: 1, tag: 't', after: { id, values: [] } }, 's', NOW_MS + 1);
      // In base64url not every length can be had.
      let id = 'x'.repeat(5_900);
      while (cursorOf(id).length < length) id += 'x';
      return isFine(() => seal.open(cursorOf(id), 's', NOW_MS));
    },
  ],
  'http/request/request-rules.ts MAX_URL_BYTES': [
    8_192,
    (bytes) =>
      isFine(() => checkUrlLength({ path: '/api', search: '?a='.padEnd(bytes - 4, 'x') } as Exchange, true)),
  ],
  'rate-limit/rate-limiter.ts MIN_WINDOW_MS': [
    1_000,
    (windowMs) => isFine(() => createRateLimiter({ perAddress: { points: 1, windowMs } })),
  ],
  'rate-limit/shared-rate-limiter.ts MAX_ASKED': [
    1_000,
    async (count) => {
      const calls: number[] = [];
      await using limiter = createRateLimiter({
        perAddress: BUDGET,
        shared: {
          counters: {
            lease: async (requests) => {
              calls.push(requests.length);
              return requests.map(({ points }) => ({ points, window: 1, remainingMs: 60_000 }));
            },
            giveBack: async () => {},
          },
        },
      });
      await Promise.all(
        Array.from({ length: count }, async (_, index) => limiter.consume('address', `a${index}`, 1)),
      );
      return calls[0] === count;
    },
  ],
  'rate-limit/shared-rate-limiter.ts MAX_WAIT_MS': [
    // At its end the request is decided.
    499,
    async (waitMs) => {
      vi.useFakeTimers();
      const limiter = createRateLimiter({
        perAddress: BUDGET,
        shared: { counters: { lease: () => new Promise(() => {}), giveBack: async () => {} } },
      });
      let isDecided = false;
      void Promise.resolve(limiter.consume('address', 'a', 1)).then(() => {
        isDecided = true;
      });
      await vi.advanceTimersByTimeAsync(waitMs);
      return !isDecided;
    },
  ],
  'websocket/create-session-rules.ts MAX_SCOPES': [
    10_000,
    (count) => {
      let nowMs = 0;
      let isSuspicious = false;
      const scopes = new ForeignScopes({ ...SYSTEM_CLOCK, monotonicMs: () => nowMs }, () => {
        isSuspicious = true;
      });
      for (let scope = 0; scope < count; scope += 1) scopes.mismatched(`s${scope}`);
      for (const atMs of [1_000, 2_000]) {
        nowMs = atMs;
        scopes.mismatched('s0');
      }
      return isSuspicious;
    },
  ],
  'websocket/hub/log/commit-buffer.ts MAX_CHANGES': [256, (count) => isKept(Array(count).fill('{}'))],
  'websocket/hub/log/commit-buffer.ts MAX_LENGTH': [1_048_576, (length) => isKept(['x'.repeat(length)])],
  'websocket/options/gateway-options.ts MAX_RECHECK_MS': [
    5_000,
    (intervalMs) => gatewaySettings.recheckIntervalMs(intervalMs, 'o') === undefined,
  ],
  'websocket/options/gateway-options.ts MIN_RECHECK_MS': [
    100,
    (intervalMs) => gatewaySettings.recheckIntervalMs(intervalMs, 'o') === undefined,
  ],
};

/** What a source hands over is kept, and so need not be read. */
function isKept(changes: readonly string[]): boolean {
  const told = changes.map((after, index): Change => {
    const position = index + 1;
    const event = {
      id: 'a',
      eventId: 'e',
      eventType: 'made',
      transition: 'create',
      occurredAtMs: NOW_MS,
    } as const;
    return { ...event, position, tag: `t${position}`, version: 'v', before: undefined, after };
  });
  return new CommitBuffer().add({ epoch: 'e', tagBefore: '', changes: told });
}

/** Only time and memory tell of these, or they are facts of a format. */
const NOT_TRIED = [
  'http/resource/page-cursor-seal.ts MAX_CACHED_TAGS',
  'http/resource/served-resource.ts MAX_REMEMBERED',
  'http/resource/served-resource.ts MAX_REMEMBERED_LENGTH',
  'websocket/delivery/text-frame.ts MAX_STORED_BLOCK_BYTES',
  'websocket/delivery/buffer-pool.ts MAX_UNIT_BYTES',
  'websocket/delivery/text-frame.ts MAX_UINT32',
];

test('each limit of the sources is in the table', () => {
  const known = [...Object.keys(LIMITS), ...NOT_TRIED].sort();
  expect(limitConstants(resolve(import.meta.dirname, '../src'))).toEqual(known);
});

test.each(Object.entries(LIMITS))(
  '%s is allowed, and nothing beyond it',
  async (constant, [limit, accepts]) => {
    const beyond = constant.includes(' MIN_') ? -1 : 1;
    expect(await accepts(limit)).toBe(true);
    vi.useRealTimers();
    expect(await accepts(limit + beyond)).toBe(false);
  },
);

/** Comes to the edge of a limit: does so many things, or one thing of this size. Resolves with what came of the last. */
type Attempt = (harness: GatewayHarness, count: number) => Promise<unknown>;

/** Whether a connection is still served, or how it was closed. */
async function stateOf(client: GatewayClient): Promise<unknown> {
  const pong = new Promise<string>((resolve) => client.socket.once('pong', () => resolve('served')));
  client.socket.ping();
  return Promise.race([pong, client.closed.then(({ code }) => code)]);
}

/** Sends so many messages, and tells what became of the connection. */
const sending =
  (message: (index: number) => object, grants?: readonly string[]): Attempt =>
  async (harness, count) => {
    await using client = await harness.client(grants && { grants });
    for (let index = 0; index < count; index += 1) client.send(message(index));
    return await stateOf(client);
  };

/** Sends messages that are answered with one each, and tells what was refused. */
const answered =
  (message: (index: number) => object, sentBefore = 0): Attempt =>
  async (harness, count) => {
    await using client = await harness.client();
    for (let index = sentBefore; index < count; index += 1) client.send(message(index));
    await client.until(() => client.received.length > count - sentBefore);
    return client.errors[0]?.code ?? 'served';
  };

/** Opens so many connections, which stay open until the last is judged. */
const connecting =
  (come: (harness: GatewayHarness) => Promise<readonly [GatewayClient, unknown]>): Attempt =>
  async (harness, count) => {
    const clients: GatewayClient[] = [];
    let result: unknown;
    for (let index = 0; index < count; index += 1) {
      try {
        const [client, state] = await come(harness);
        clients.push(client);
        result = state;
      } catch (error) {
        result = (error as Error).message;
      }
    }
    for (const client of clients) await client[Symbol.asyncDispose]();
    return result;
  };

const opening = connecting(async ({ url }) => [await GatewayClient.connect(url), 'served']);

const authenticating = connecting(async (harness) => {
  const client = await GatewayClient.connect(harness.url);
  const { token } = harness.token({ subject: 'p' });
  client.send({ type: 'authenticate', method: 'shared_token', token });
  await client.until(() => client.received.length > 0);
  return [client, client.errors.length === 0 ? 'served' : (await client.closed).code];
});

const fragments: Attempt = async (harness, count) => {
  await using client = await harness.client();
  const text = JSON.stringify({ type: 'ping', id: 'x' });
  for (let index = 1; index < count; index += 1) client.socket.send(text[index - 1] ?? '', { fin: false });
  client.socket.send(text.slice(count - 1), { fin: true });
  return await stateOf(client);
};

const message: Attempt = async (harness, bytes) => {
  await using client = await harness.client();
  const text = JSON.stringify({ type: 'ping', id: '' });
  client.send({ type: 'ping', id: 'x'.repeat(bytes - text.length) });
  return await stateOf(client);
};

const ping = (index: number) => ({ type: 'ping', id: `${index}` });
const subscribe = (index: number) => ({
  type: 'subscribe',
  subscription_id: `s${index}`,
  resource: 'stations',
});
/** None comes back while the test runs. */
const few = (burst: number) => ({ burst, perSecond: 0.000_1 });

/** Those of bytes that wait are tried with the outbox, that of messages that wait where a credential is verified. */
type Tried = Exclude<
  keyof WebSocketLimits,
  'pauseAboveBytes' | 'resumeBelowBytes' | 'maxBufferedBytes' | 'maxWaitingMessages'
>;

const WEBSOCKET_LIMITS: Readonly<
  Record<Tried, readonly [limits: Partial<WebSocketLimits>, limit: number, attempt: Attempt, beyond: unknown]>
> = {
  maxConnections: [{ maxConnections: 3 }, 3, opening, 'HTTP 503'],
  maxConnectionsPerAddress: [{ maxConnectionsPerAddress: 3 }, 3, opening, 'HTTP 429'],
  maxConnectionsPerPrincipal: [{ maxConnectionsPerPrincipal: 3 }, 3, authenticating, 4429],
  maxMessageBytes: [{ maxMessageBytes: 300 }, 300, message, 4400],
  maxFragments: [{ maxFragments: 3 }, 3, fragments, 4400],
  maxSubscriptions: [{ maxSubscriptions: 3 }, 3, answered(subscribe), 'rate_limited'],
  // The first message was to authenticate.
  messageRate: [{ messageRate: few(4) }, 4, answered(ping, 1), 'rate_limited'],
  subscribeRate: [{ subscribeRate: few(3) }, 3, answered(subscribe), 'rate_limited'],
  maxRateViolations: [{ messageRate: few(1), maxRateViolations: 3 }, 3, sending(ping), 4429],
  maxInvalidMessages: [{ maxInvalidMessages: 3 }, 3, sending(() => ({ type: 'ping' })), 4400],
  maxPermissionRefusals: [{ maxPermissionRefusals: 3 }, 3, sending(subscribe, []), 4403],
};

describe('a gateway', () => {
  test.each(Object.entries(WEBSOCKET_LIMITS))(
    'allows what its limit says, and nothing beyond it: %s',
    async (_name, [limits, limit, attempt, beyond]) => {
      await using within = await GatewayHarness.start({ gateway: { limits } });
      expect(await attempt(within, limit)).toBe('served');
      await using above = await GatewayHarness.start({ gateway: { limits } });
      expect(await attempt(above, limit + 1)).toBe(beyond);
    },
  );
});
