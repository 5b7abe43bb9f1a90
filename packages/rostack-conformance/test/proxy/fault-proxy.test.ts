import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { SeededRandom } from 'rostack-core/testing';
import { describe, expect, test } from 'vitest';
import { FaultProxy } from '../../src/proxy/fault-proxy.ts';
import { drawFaults, type Faults } from '../../src/proxy/faults.ts';

const TEXT = '0123456789'.repeat(20);

/** A server that says its text to whoever connects, and gives back what it is told. */
async function startServer(text = TEXT) {
  const sockets = new Set<Socket>();
  const accepted = Promise.withResolvers<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => socket.write(bytes));
    socket.write(text);
    accepted.resolve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    accepted: accepted.promise,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Unlike `once`, it does not reject at a reset. */
const closed = (socket: Socket) => new Promise<void>((resolve) => socket.on('close', () => resolve()));

/** A client that keeps what it reads. */
function startClient(port: number) {
  const socket = connect({ host: '127.0.0.1', port });
  const chunks: string[] = [];
  const seen = new Set<() => void>();
  const changed = () => {
    for (const look of seen) look();
  };
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    chunks.push(bytes.toString());
    changed();
  });
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  return {
    socket,
    ended,
    chunks,
    text: () => chunks.join(''),
    async has(length: number): Promise<string> {
      await new Promise<void>((resolve) => {
        const look = () => chunks.join('').length >= length && resolve();
        seen.add(look);
        look();
      });
      return chunks.join('');
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

async function through(faults: Faults, text = TEXT) {
  const server = await startServer(text);
  const proxy = await FaultProxy.start({ host: '127.0.0.1', port: server.port });
  proxy.use(faults);
  const client = startClient(proxy.port);
  return {
    server,
    proxy,
    client,
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await proxy.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe('a proxy', () => {
  test('without faults carries everything, both ways', async () => {
    await using parts = await through({});
    expect(await parts.client.has(TEXT.length)).toBe(TEXT);
    parts.client.socket.write('back');
    expect(await parts.client.has(TEXT.length + 4)).toBe(`${TEXT}back`);
  });

  test.each([0, 1, 57, TEXT.length - 1])(
    'cuts after %i bytes, and both peers see it',
    async (cutAfterBytes) => {
      await using parts = await through({ cutAfterBytes });
      const serverSide = await parts.server.accepted;
      await Promise.all([parts.client.ended, closed(serverSide)]);
      expect(parts.client.text()).toBe(TEXT.slice(0, cutAfterBytes));
    },
  );

  test('leaves a connection half open: the server is gone, and the client hears nothing of it', async () => {
    await using parts = await through({ halfOpenAfterBytes: 57 });
    const serverSide = await parts.server.accepted;
    await closed(serverSide);
    expect(await parts.client.has(57)).toBe(TEXT.slice(0, 57));
    await new Promise((resolve) => parts.client.socket.write('anybody there?', resolve));
    expect(parts.client.socket.destroyed).toBe(false);
    expect(parts.client.text()).toBe(TEXT.slice(0, 57));
  });

  test('writes byte by byte', async () => {
    await using parts = await through({ writeBytes: 1 });
    expect(await parts.client.has(TEXT.length)).toBe(TEXT);
    expect(parts.client.chunks.length).toBeGreaterThan(1);
  });

  test('holds bytes back', async () => {
    const startMs = performance.now();
    await using parts = await through({ delayMs: 120 });
    await parts.client.has(TEXT.length);
    // Timers may be a little early.
    expect(performance.now() - startMs).toBeGreaterThan(110);
  });

  test('reads slowly', async () => {
    const startMs = performance.now();
    await using parts = await through({ readBytesPerSecond: 1_000, writeBytes: 20 });
    expect(await parts.client.has(TEXT.length)).toBe(TEXT);
    expect(performance.now() - startMs).toBeGreaterThan(150);
  });

  test('stalls a reader, which the server feels, and lets it go on without a loss', async () => {
    const text = TEXT.repeat(40_000);
    await using parts = await through({}, text);
    await parts.client.has(1);
    const [link] = parts.proxy.links;
    link?.stall('to client');
    const serverSide = await parts.server.accepted;
    expect(serverSide.writableLength).toBeGreaterThan(0);
    link?.resume();
    expect((await parts.client.has(text.length)).length).toBe(text.length);
    expect(link?.bytesToClient).toBe(text.length);
  });

  test('stalls only the direction it is told to', async () => {
    await using parts = await through({});
    await parts.client.has(TEXT.length);
    const [link] = parts.proxy.links;
    link?.stall('to server');
    const serverSide = await parts.server.accepted;
    parts.client.socket.write('held');
    serverSide.write('sent');
    expect(await parts.client.has(TEXT.length + 4)).toBe(`${TEXT}sent`);
    link?.resume();
    expect(await parts.client.has(TEXT.length + 8)).toBe(`${TEXT}sentheld`);
  });

  test('leaves a connection half open for the server, when the client is the one that is gone', async () => {
    await using parts = await through({});
    await parts.client.has(TEXT.length);
    const serverSide = await parts.server.accepted;
    parts.proxy.links[0]?.halfOpen('server');
    await parts.client.ended;
    expect(serverSide.destroyed).toBe(false);
  });

  test('leads to the first of several servers that answers, asked for each connection', async () => {
    const [gone, first, second] = [
      await startServer('gone'),
      await startServer('first'),
      await startServer('second'),
    ];
    await using _first = first;
    await using _second = second;
    await gone[Symbol.asyncDispose]();
    let servers = [gone, first, second];
    await using proxy = await FaultProxy.start(() =>
      servers.map(({ port }) => ({ host: '127.0.0.1', port })),
    );
    using one = startClient(proxy.port);
    expect(await one.has(5)).toBe('first');
    expect(proxy.links[0]?.serverPort).toBe(first.port);
    servers = [second];
    using other = startClient(proxy.port);
    expect(await other.has(6)).toBe('second');
  });

  test('turns clients away when nobody listens behind it', async () => {
    const server = await startServer();
    await using proxy = await FaultProxy.start({ host: '127.0.0.1', port: server.port });
    await server[Symbol.asyncDispose]();
    using client = startClient(proxy.port);
    await client.ended;
    expect(client.text()).toBe('');
  });

  test('ends what it carries when it is closed', async () => {
    await using parts = await through({ halfOpenAfterBytes: 10 });
    await parts.client.has(10);
    await parts.proxy.close();
    await parts.client.ended;
    expect(parts.proxy.links).toEqual([]);
  });
});

test('the same seed draws the same faults', () => {
  const draw = (seed: number) => {
    const random = new SeededRandom(seed);
    return Array.from({ length: 50 }, () => drawFaults(random, 1_000));
  };
  expect(draw(3)).toEqual(draw(3));
  expect(draw(3)).not.toEqual(draw(4));
  expect(draw(3).every(({ cutAfterBytes = 0 }) => cutAfterBytes < 1_000)).toBe(true);
});
