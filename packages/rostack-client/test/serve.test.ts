import { once } from 'node:events';
import { createServer, type RequestOptions, request, type Server } from 'node:https';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { connect } from 'rostack-client';
import {
  createPrincipalIdDeriver,
  createRateLimiter,
  createRouteHandlers,
  createSharedToken,
  createSharedTokenAuthenticator,
  MemorySharedTokenStore,
  type RequestReport,
  type RostackService,
  type ServeOptions,
  serveRostack,
} from 'rostack-server';
import { openStore, type Store } from 'rostack-store';
import { describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { isLive, take, takeUntil } from './support/collect.ts';
import { defineObservatory, station } from './support/observatory.ts';
import { certificate } from './support/trust.ts';

/** For this use its types are those of the newer one. */
const express4 = createRequire(import.meta.url)('express-4') as typeof express;
const KEY = new Uint8Array(32).fill(3);
const { token, tokenId, verifier } = createSharedToken();
const TOKEN = { method: 'shared_token', token } as const;

/** What all of the servers here are given: an observatory with two stations. */
async function observatoryAt(baseUrl: string) {
  const implementation = defineObservatory(baseUrl);
  const store = await openStore({ url: 'sqlite::memory:', implementation });
  await store.apply([1, 2].map((at) => ({ resource: 'stations', op: 'put', record: station(at) }) as const));
  const tokens = new MemorySharedTokenStore([
    { tokenId, verifier, subject: 'me', grants: ['stations:read', 'memos:read', 'notices:read'] },
  ]);
  const authenticators = [
    createSharedTokenAuthenticator({ store: tokens, principalId: createPrincipalIdDeriver(KEY), cacheMs: 0 }),
  ];
  const cursorKeys = { pages: { current: { id: 1, bytes: KEY } }, events: KEY };
  return { implementation, store, authenticators, cursorKeys } satisfies ServeOptions;
}

/** Serves below `/data` on a server that may have an app of its own. */
async function start(server: Server, members: Partial<ServeOptions> = {}) {
  if (!server.listening) await once(server.listen(0, 'localhost'), 'listening');
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  const options = await observatoryAt(`${origin}/data`);
  const service = serveRostack(server, { ...options, basePath: '/data', ...members } as ServeOptions);
  return { origin, store: options.store, service };
}

interface Served {
  readonly server: Server;
  readonly origin: string;
  readonly store: Store;
  readonly service: RostackService;
}

async function stop({ service, server, store }: Omit<Served, 'origin'>): Promise<void> {
  await service.close({ drainTimeoutMs: 0 });
  server.closeAllConnections();
  server.close();
  await store.close();
}

/** An answer to one request on a connection of its own. */
async function ask(origin: string, path: string, options: RequestOptions = {}) {
  const asked = request(`${origin}${path}`, { agent: false, ca: (await certificate).cert, ...options }).end();
  const [response] = await once(asked, 'response');
  let body = '';
  for await (const chunk of response) body += String(chunk);
  return { status: response.statusCode, type: response.headers['content-type'], body };
}

/** A server with the app of a framework on it, that answers `/own`, and nothing else. */
const FRAMEWORKS: readonly [string, () => Promise<{ server: Server; mount?: { server: Server } }>][] = [
  [
    'node:https',
    async () => ({
      server: createServer(await certificate, (request, response) =>
        response.writeHead(request.url === '/own' ? 200 : 404, { 'Content-Type': 'text/plain' }).end('own'),
      ),
    }),
  ],
  [
    'Hono',
    async () => {
      const app = new Hono().get('/own', (c) => c.text('own'));
      const server = serve({
        fetch: app.fetch,
        port: 0,
        hostname: 'localhost',
        createServer,
        serverOptions: await certificate,
      }) as Server;
      if (!server.listening) await once(server, 'listening');
      return { server };
    },
  ],
  [
    'Express 5',
    async () => {
      const app = express();
      app.get('/own', (_request, response) => void response.type('text/plain').send('own'));
      return { server: createServer(await certificate, app) };
    },
  ],
  [
    'Express 4',
    async () => {
      const app = express4();
      app.get('/own', (_request, response) => void response.type('text/plain').send('own'));
      return { server: createServer(await certificate, app) };
    },
  ],
  [
    'Fastify',
    async () => {
      const app = fastify({ https: await certificate });
      app.get('/own', (_request, reply) => reply.type('text/plain').send('own'));
      await app.ready();
      return { server: app.server };
    },
  ],
];

describe.each(FRAMEWORKS)('beside an app of %s', (_, create) => {
  test('discovery, lists, items and events are served below the prefix, and all else by the app', async () => {
    const { server } = await create();
    const served = await start(server);
    const { origin, store } = served;
    try {
      await using client = await connect(origin, TOKEN);
      expect(client.discovery.endpoints.json_api).toBe(`${origin}/data/api`);
      const listed: unknown[] = [];
      for await (const record of client.list('stations', { sort: ['-/altitude'] })) listed.push(record);
      expect(listed).toEqual([station(2), station(1)]);
      await using follow = client.follow('stations');
      await takeUntil(follow, isLive);
      await store.apply([{ resource: 'stations', op: 'put', record: station(3) }]);
      expect(await take(follow, 1)).toMatchObject([{ kind: 'created', id: 'station-0003' }]);

      expect(await ask(origin, '/own')).toMatchObject({ status: 200, body: 'own' });
      expect((await ask(origin, '/elsewhere')).type).not.toContain('problem');
      const offer = { headers: { Upgrade: 'websocket', Connection: 'Upgrade' } };
      expect((await ask(origin, '/own', offer)).body).toBe('own');
      expect(await ask(origin, '/data/api/nothing')).toMatchObject({
        status: 404,
        type: 'application/problem+json',
      });
      expect(await ask(origin, '/data/gateway')).toMatchObject({
        status: 400,
        type: 'application/problem+json',
      });
    } finally {
      await stop({ ...served, server });
    }
  });
});

describe('upgrades', () => {
  test.each(['before', 'after'])('to other paths are left to a ws server that comes %s', async (when) => {
    const server = createServer(await certificate);
    const chat = () =>
      new WebSocketServer({ server, path: '/chat' }).on('connection', (each) => each.send('hi'));
    if (when === 'before') chat();
    const served = await start(server);
    if (when === 'after') chat();
    const { origin } = served;
    try {
      const { cert: ca } = await certificate;
      const socket = new WebSocket(`${origin.replace('https', 'wss')}/chat`, { ca });
      const [greeting] = await once(socket, 'message');
      expect(String(greeting)).toBe('hi');
      socket.terminate();
      await using client = await connect(origin, TOKEN);
      await using follow = client.follow('stations');
      await takeUntil(follow, isLive);
      expect(served.service.status.connections).toBe(1);
    } finally {
      await stop({ ...served, server });
    }
  });
});

describe('a server of its own', () => {
  test('answers everything with problems, and is given its hooks and its limiter once', async () => {
    const server = createServer(await certificate);
    const requests: RequestReport[] = [];
    const connected: string[] = [];
    await using rateLimiter = createRateLimiter();
    const served = await start(server, {
      rateLimiter,
      hooks: {
        onRequest: (report) => requests.push(report),
        onConnected: ({ address }) => connected.push(address),
      },
    });
    const { origin } = served;
    try {
      const problem = 'application/problem+json';
      expect(await ask(origin, '/elsewhere')).toMatchObject({ status: 404, type: problem });
      const expecting = { headers: { Expect: '200-ok' } };
      expect(await ask(origin, '/data/api/stations', expecting)).toMatchObject({
        status: 400,
        type: problem,
      });
      expect(await ask(origin, '/data/api/stations', { method: 'TRACE' })).toMatchObject({
        status: 405,
        type: problem,
      });
      await using client = await connect(origin, TOKEN);
      await using follow = client.follow('stations');
      await takeUntil(follow, isLive);
      expect(requests.map(({ path }) => path)).toContain('/.well-known/rostack');
      expect(connected).toHaveLength(1);
    } finally {
      await stop({ ...served, server });
    }
  });

  test('tells followers to go away when it closes, and leaves the server to its app', async () => {
    const server = createServer(await certificate, (_request, response) => response.end('app'));
    const served = await start(server);
    const { origin, service } = served;
    try {
      const before = server.listenerCount('upgrade');
      await using client = await connect(origin, TOKEN);
      await using follow = client.follow('stations');
      await takeUntil(follow, isLive);
      await service.close({ drainTimeoutMs: 200 });
      expect(service.status).toMatchObject({ connections: 0, isDraining: true });
      expect(await ask(origin, '/data/api/stations')).toMatchObject({ status: 200, body: 'app' });
      expect(server.listenerCount('upgrade')).toBe(before - 1);
    } finally {
      await stop({ ...served, server });
    }
  });
});

describe('it is refused at start', () => {
  test.each<[string, (options: Awaited<ReturnType<typeof observatoryAt>>) => unknown, string]>([
    [
      'a wrong prefix',
      (options) => serveRostack(createServer(), { ...options, basePath: '/api' }),
      'the implementation advertises https://a.example/data/api',
    ],
    [
      'no store',
      (options) => serveRostack(createServer(), { ...options, store: undefined } as never),
      'either a store or sources',
    ],
    [
      'an app without a server',
      (options) => serveRostack(express() as never, options),
      'what app.listen() of Express',
    ],
    [
      'a second implementation',
      (options) => {
        const server = createServer();
        const service = serveRostack(server, options);
        try {
          return serveRostack(server, options);
        } finally {
          void service.close();
        }
      },
      'serves an implementation already',
    ],
    [
      'a member of another name',
      (options) => serveRostack(createServer(), { ...options, cors_: {} } as never),
      'has no member "cors_"',
    ],
    [
      'route handlers for events',
      (options) => createRouteHandlers(options),
      'Route handlers have no WebSocket',
    ],
  ])('%s', async (_, call, message) => {
    const options = await observatoryAt('https://a.example/data');
    await using _store = options.store;
    expect(() => call(options)).toThrow(message);
  });
});

test('route handlers answer requests of a framework that has files for routes', async () => {
  const options = await observatoryAt('https://a.example');
  await using _store = options.store;
  const { GET, POST } = createRouteHandlers({ ...options, gateway: 'elsewhere' });
  const headers = { authorization: `Rostack-Token ${token}` };
  const url = 'https://a.example/api/stations';
  const listed = await GET(new Request(url, { headers }));
  expect(await listed.json()).toMatchObject({ items: [station(1), station(2)] });
  expect((await POST(new Request(url, { method: 'POST', headers }))).status).toBe(405);
});
