import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { SourceUnavailableError } from 'rostack-core';
import { describePostgres, POSTGRES_URL } from 'test-support/postgres';
import { expect, test } from 'vitest';
import { StoreUnavailableError } from '../src/index.ts';
import { postgres } from './support/databases.ts';
import { put, stations } from './support/stations.ts';

/** A row of the protocol that says it has 65,535 values, and has none. */
const BROKEN_ROW = Buffer.from([0x44, 0, 0, 0, 6, 0xff, 0xff]);
const READ_AS_ROW = 0x44;

interface Garbler extends AsyncDisposable {
  readonly url: string;
  /** Whether rows come as the driver cannot read them. */
  isGarbling: boolean;
}

/** Leads to the server. */
async function garbler(): Promise<Garbler> {
  const { hostname, port } = new URL(POSTGRES_URL);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port || 5432), hostname);
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}));
    near.pipe(far);
    far.on('data', (bytes) => {
      near.write(garbled.isGarbling && bytes.includes(READ_AS_ROW) ? BROKEN_ROW : bytes);
    });
    far.on('end', () => near.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(POSTGRES_URL);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const garbled: Garbler = {
    url: url.href,
    isGarbling: false,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return garbled;
}

describePostgres('an answer that the driver cannot read', () => {
  test('fails the connection that it came on, and not the process', async () => {
    await using through = await garbler();
    await using database = postgres(through.url);
    await using store = await database.open({ resources: [stations] });
    await store.apply([put({ id: 'a', height: 1 })]);
    const source = store.source('stations');
    through.isGarbling = true;
    await expect(source.get('a')).rejects.toBeInstanceOf(SourceUnavailableError);
    await expect(source.page({ sort: [], limit: 5 })).rejects.toBeInstanceOf(SourceUnavailableError);
    await expect(source.read(0, 5)).rejects.toMatchObject({ retryable: true });
    await expect(store.apply([put({ id: 'b', height: 1 })])).rejects.toBeInstanceOf(StoreUnavailableError);
    through.isGarbling = false;
    expect(await source.get('a')).toMatchObject({ id: 'a' });
    expect(await store.apply([put({ id: 'a', height: 2 })])).toMatchObject([{ changed: true }]);
  });
});
