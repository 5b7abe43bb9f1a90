import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectSecurely } from 'node:tls';
import { type TemporaryFolder, temporaryFolder } from 'test-support/temporary-folder';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { DataListenerConfig } from '../src/config/model/gateway-config.ts';
import { type Listener, listen } from '../src/serving/listener/listener.ts';
import { adminGateway } from './support/admin-gateway.ts';
import { get } from './support/get.ts';
import { caOf } from './support/observed.ts';
import { runCommand } from './support/run-command.ts';
import { writeSampleConfig } from './support/sample-config.ts';

/** Longer than any test: what is not under test never happens. */
const NEVER_MS = 600_000;
const SOON_MS = 200;

let folder: TemporaryFolder;
const sockets = new Set<Socket>();

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await folder[Symbol.asyncDispose]();
});

type Rules = DataListenerConfig['connections'];
type Mode = 'development' | 'off';

/** A listener whose requests are answered with their path; `/slow` is never answered. */
async function start(
  mode: Mode,
  rules: Partial<Rules>,
  trustedProxies: readonly string[] = [],
): Promise<Listener & AsyncDisposable> {
  const listener = await listen(
    {
      host: '127.0.0.1',
      port: 0,
      tls: { mode },
      trustedProxies: [...trustedProxies],
      strippedPathPrefix: '',
      hosts: [],
      connections: {
        max: 1_000,
        maxPerAddress: 1_000,
        handshakeTimeoutMs: NEVER_MS,
        headersTimeoutMs: NEVER_MS,
        requestTimeoutMs: NEVER_MS,
        keepAliveTimeoutMs: NEVER_MS,
        idleTimeoutMs: NEVER_MS,
        ...rules,
      },
    },
    { dataDir: folder.path, log: () => {} },
  );
  const { server, connections } = listener;
  server.on('request', ({ url }, response) => {
    if (url !== '/slow') response.end(url);
  });
  return {
    ...listener,
    async [Symbol.asyncDispose]() {
      server.close();
      connections.destroyAll();
      await once(server, 'close');
    },
  };
}

/** A TCP connection; it ends without an error. */
async function dial({ port }: { readonly port: number }): Promise<Socket> {
  const socket = connectPlain(port, '127.0.0.1');
  sockets.add(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** A connection that requests may be written to. */
async function open(listener: Listener, mode: Mode): Promise<Socket> {
  const socket = await dial(listener);
  if (mode === 'off') return socket;
  const secure = connectSecurely({ socket, rejectUnauthorized: false });
  secure.on('error', () => {});
  await once(secure, 'secureConnect');
  return secure;
}

/** Resolves when the other side has closed; to what came until then. */
async function received(socket: Socket): Promise<string> {
  const all = text(socket).catch(() => '');
  if (!socket.destroyed) await once(socket, 'close');
  return all;
}

const isOpen = (socket: Socket) => !socket.destroyed && !socket.readableEnded;

const MODES: readonly Mode[] = ['development', 'off'];

describe.each(MODES)('connections, TLS %s', (mode) => {
  test('above the cap of an address: the newest is closed at once, the others are served, and a place that is free is given', async () => {
    await using listener = await start(mode, { maxPerAddress: 3 });
    const first = [await dial(listener), await open(listener, mode), await open(listener, mode)];
    const [oldest, talking] = first;
    for (let i = 0; i < 2; i += 1) expect(await received(await dial(listener))).toBe('');
    expect(listener.connections.counts).toMatchObject({ open: 3, refusedPerAddress: 2, refusedInAll: 0 });
    talking?.write('GET /served HTTP/1.1\r\nHost: x\r\n\r\n');
    const [answer] = (await once(talking as Socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 [^]*\/served/);
    expect(first.every(isOpen)).toBe(true);
    oldest?.destroy();
    await expect.poll(() => listener.connections.counts.open).toBe(2);
    expect(isOpen(await open(listener, mode))).toBe(true);
  });

  test('above the cap in all: closed at once, wherever they come from', async () => {
    await using listener = await start(mode, { max: 2, maxPerAddress: 1 }, ['127.0.0.0/8']);
    const held = [await dial(listener), await dial(listener)];
    expect(await received(await dial(listener))).toBe('');
    expect(listener.connections.counts).toMatchObject({ open: 2, refusedInAll: 1, refusedPerAddress: 0 });
    expect(held.every(isOpen)).toBe(true);
  });

  test('that never send a request are closed', async () => {
    await using listener = await start(mode, { headersTimeoutMs: SOON_MS });
    const socket = await open(listener, mode);
    await received(socket);
    expect(listener.connections.counts).toMatchObject({ requestTimeouts: 1, handshakeTimeouts: 0 });
    await expect.poll(() => listener.connections.counts.open).toBe(0);
  });

  test('whose first request comes byte by byte are closed, with a problem', async () => {
    await using listener = await start(mode, { headersTimeoutMs: SOON_MS });
    const socket = await open(listener, mode);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nX: ');
    const drip = setInterval(() => socket.write('x'), 20);
    const answer = await received(socket);
    clearInterval(drip);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 [^]*Content-Type: application\/problem\+json[^]*Connection: close/);
    expect(JSON.parse(body)).toMatchObject({ status: 400, detail: 'The request did not arrive in time.' });
  });

  test('whose body does not come are closed', async () => {
    await using listener = await start(mode, { headersTimeoutMs: SOON_MS, requestTimeoutMs: SOON_MS });
    const socket = await open(listener, mode);
    socket.write('POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12');
    await received(socket);
    expect(listener.connections.counts.requestTimeouts).toBe(1);
  });

  test('that ask for nothing more are closed', async () => {
    await using listener = await start(mode, { keepAliveTimeoutMs: SOON_MS });
    const socket = await open(listener, mode);
    socket.write('GET /once HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await received(socket)).toContain('/once');
    expect(listener.connections.counts.requestTimeouts).toBe(0);
  });

  test('on which nothing moves during an answer are closed', async () => {
    await using listener = await start(mode, { idleTimeoutMs: SOON_MS });
    const socket = await open(listener, mode);
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await received(socket)).toBe('');
  });

  test('that speak no HTTP are told so', async () => {
    await using listener = await start(mode, {});
    const socket = await open(listener, mode);
    socket.write('EHLO example\r\n\r\n');
    const answer = await received(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      detail: 'This is not an HTTP/1.1 request.',
    });
  });
});

test('a TLS handshake that does not come, or not to its end, is closed', async () => {
  await using listener = await start('development', { handshakeTimeoutMs: SOON_MS });
  const silent = await dial(listener);
  const halfway = await dial(listener);
  // The head of a TLS record with a ClientHello that never follows.
  halfway.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00]));
  await Promise.all([received(silent), received(halfway)]);
  expect(listener.connections.counts.handshakeTimeouts).toBe(2);
});

describe('a gateway', () => {
  test('counts WebSockets among the connections of their address, and tells its metrics', async () => {
    await using running = await adminGateway({
      sections: 'limits: { max_connections: 100, max_connections_per_address: 2 }',
      environment: {
        ROSTACK__LISTENERS__DATA__CONNECTIONS__MAX_PER_ADDRESS: '2',
        ROSTACK__LISTENERS__DATA__CONNECTIONS__HANDSHAKE_TIMEOUT: '3s',
      },
    });
    const { gateway } = running;
    const ca = caOf(gateway);
    const { websocket } = gateway.implementation.discovery.endpoints;
    const held = [1, 2].map(() => new WebSocket(websocket, 'rostack.v1', { ca }));
    await Promise.all(held.map((socket) => once(socket, 'open')));
    await expect(get(`${gateway.url}/.well-known/rostack`, { ca })).rejects.toThrow();
    held[0]?.terminate();
    await expect
      .poll(async () =>
        get(`${gateway.url}/.well-known/rostack`, { ca }).then(({ status }) => status, String),
      )
      .toBe(200);
    const metricsText = async () => (await running.admin('/metrics')).text();
    // As long as the connection of the last request is there, another one is refused.
    await expect
      .poll(async () => {
        await received(await dial(gateway));
        return metricsText();
      })
      .toContain('rostack_connections_timed_out_total{listener="data",reason="handshake"} 1\n');
    held[1]?.terminate();
    const metrics = await metricsText();
    expect(metrics).toMatch(/rostack_connections\{listener="admin"\} [1-9]/);
    expect(metrics).toMatch(/rostack_connections\{listener="data"\} \d/);
    expect(metrics).toMatch(
      /rostack_connections_refused_total\{listener="data",reason="per_address"\} [1-9]/,
    );
  });

  test('is closed while a connection has not begun its handshake', async () => {
    await using running = await adminGateway();
    const silent = await dial(running.gateway);
    const closed = received(silent);
    await running.gateway.close({ drainTimeoutMs: 0 });
    expect(await closed).toBe('');
  });

  test('keeps the connections of its admin listener within bounds', async () => {
    await using running = await adminGateway({
      environment: {
        ROSTACK__LISTENERS__ADMIN__CONNECTIONS__MAX_PER_ADDRESS: '2',
        ROSTACK__LISTENERS__ADMIN__CONNECTIONS__HEADERS_TIMEOUT: '150ms',
      },
    });
    const port = running.gateway.adminPort ?? 0;
    const held = [await dial({ port }), await dial({ port })];
    expect(await received(await dial({ port }))).toBe('');
    await Promise.all(held.map(received));
    expect((await running.admin('/healthz', { token: null })).status).toBe(200);
  });

  test.each([
    [
      'limits: { max_connections: 30000 }',
      'limits.max_connections is more than listeners.data.connections.max (25000) has room for',
    ],
    [
      'limits: { max_connections_per_address: 501 }',
      'limits.max_connections_per_address is more than listeners.data.connections.max_per_address (500) has room for',
    ],
    [
      'listeners: { data: { connections: { headers_timeout: 1m } } }',
      'listeners.data.connections.request_timeout is shorter than headers_timeout',
    ],
  ])('is not started with limits that cannot be reached: %s', async (sections, message) => {
    const config = await writeSampleConfig(folder.path, { sections });
    const { exitCode, stderr } = await runCommand(['check-config', '--config', config]);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });
});
