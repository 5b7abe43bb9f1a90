import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createDatabase, hasPostgres } from 'test-support/postgres';
import { expect, test } from 'vitest';
import { Observatory, readProblem, station } from '../support/observatory.ts';

/** A way to PostgreSQL that can be cut. */
async function startTunnel(
  target: URL,
): Promise<AsyncDisposable & { readonly port: number; cut(isCut: boolean): void }> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port || 5_432), target.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cut(value) {
      isCut = value;
      if (isCut) for (const socket of sockets) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test.skipIf(!hasPostgres)(
  'a database that goes is told as unavailable, and served again without a restart',
  async () => {
    await using database = await createDatabase();
    const url = new URL(database.url);
    await using tunnel = await startTunnel(new URL(database.url));
    url.hostname = '127.0.0.1';
    url.port = String(tunnel.port);
    await using observatory = await Observatory.start({ storeUrl: url.href });
    await observatory.putStations(...Array.from({ length: 7 }, (_, number) => station(number)));
    const first = await observatory.get<{ page: { next_cursor: string } }>('/api/stations?limit=3');

    tunnel.cut(true);
    for (const path of [
      '/api/stations',
      '/api/stations/station-0001',
      `/api/stations?cursor=${first.page.next_cursor}`,
    ]) {
      const response = await observatory.fetch(path);
      expect(response.headers.get('retry-after')).toBe('1');
      expect(await readProblem(response)).toMatchObject({
        slug: 'service-unavailable',
        retry_after_ms: 1_000,
      });
    }
    expect((await observatory.fetch('/.well-known/rostack')).status).toBe(200);

    tunnel.cut(false);
    await expect.poll(async () => (await observatory.fetch('/api/stations/station-0001')).status).toBe(200);
    const rest = await observatory.get<{ items: unknown[] }>(
      `/api/stations?limit=9&cursor=${first.page.next_cursor}`,
    );
    expect(rest.items).toHaveLength(4);
  },
);

test.skipIf(!hasPostgres)(
  'ids and operands that PostgreSQL cannot hold find nothing instead of failing',
  async () => {
    await using database = await createDatabase();
    await using observatory = await Observatory.start({ storeUrl: database.url });
    await observatory.putStations(station(1));
    expect((await observatory.problem('/api/stations/a%00b')).slug).toBe('resource-not-found');
    const filter = encodeURIComponent(JSON.stringify({ '/name': { eq: 'a\0b' } }));
    expect(await observatory.get(`/api/stations?filter=${filter}`)).toMatchObject({ items: [] });
  },
);

test.each(hasPostgres ? ['sqlite', 'postgres'] : ['sqlite'])(
  'a legal query that takes too long on %s ends as unavailable, and others are answered',
  async (kind) => {
    await using database = kind === 'sqlite' ? undefined : await createDatabase();
    await using observatory = await Observatory.start({
      storeUrl: database?.url ?? 'sqlite::memory:',
      store: { readTimeoutMs: 150 },
    });
    for (let start = 0; start < 10_000; start += 1_000) {
      const note = 'x'.repeat(1_000);
      await observatory.putStations(
        ...Array.from({ length: 1_000 }, (_, number) => station(start + number, { note })),
      );
    }
    const parts = Array.from({ length: 60 }, (_, number) => ({ '/note': { contains: `x${number}y` } }));
    const filter = encodeURIComponent(JSON.stringify({ $or: parts }));
    const [expensive, discovery] = await Promise.all([
      observatory.problem(`/api/stations?filter=${filter}`),
      observatory.fetch('/.well-known/rostack'),
    ]);
    expect(expensive).toMatchObject({ slug: 'service-unavailable', retry_after_ms: 1_000 });
    expect(discovery.status).toBe(200);
    expect((await observatory.fetch('/api/stations/station-0001')).status).toBe(200);
  },
);
