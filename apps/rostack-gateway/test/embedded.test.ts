import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type ConfigInput, createGateway, createToken, parseConfig } from '../src/index.ts';
import { writeCertificate } from './support/certificates.ts';
import { bearing, get } from './support/get.ts';
import { stationSchema } from './support/sample-config.ts';

async function configFor(folder: string, members: Partial<ConfigInput>) {
  await writeFile(join(folder, 'station.schema.json'), JSON.stringify(stationSchema));
  const written: ConfigInput = {
    identity: { id: 'observatory', name: 'Observatory', api_version: '1' },
    permissions: { 'stations:read': 'Read stations.' },
    resources: {
      stations: {
        schema: 'station.schema.json',
        read_permissions: ['stations:read'],
        events: { 'station.added': { transition: 'create' } },
      },
    },
    ...members,
  };
  return parseConfig(written, { folder, environment: {} });
}

test('a gateway without a listener serves on the server of another app, until it is closed', async () => {
  await using folder = await temporaryFolder();
  const { certificatePem: ca } = await writeCertificate(folder.path);
  const key = await readFile(join(folder.path, 'tls.key'), 'utf8');
  const server = createServer({ cert: ca, key });
  await once(server.listen(0, 'localhost'), 'listening');
  const url = `https://localhost:${(server.address() as AddressInfo).port}/data`;
  try {
    const config = await configFor(folder.path, { public_url: url });
    await using gateway = await createGateway(config, { listen: false });
    server.on('request', (request, response) => {
      if (request.url === '/own') response.end('own');
      else gateway.handle(request, response);
    });
    server.on('upgrade', (request, socket, head) => gateway.upgrade(request, socket, head));
    expect([gateway.url, gateway.port]).toEqual([url, 0]);
    await gateway.store.apply([{ resource: 'stations', op: 'put', record: { id: 'seoul', height: 86 } }]);
    const { token } = await createToken(gateway.store.tokens, { subject: 'me', grants: ['stations:read'] });

    expect((await get(new URL('/own', url).href, { ca })).body).toBe('own');
    expect(await get(`${url}/api/stations/seoul`, { ca, headers: bearing(token) })).toMatchObject({
      status: 200,
      body: { id: 'seoul', height: 86 },
    });
    const { discovery } = gateway.implementation;
    const socket = new WebSocket(discovery.endpoints.websocket, 'rostack.v1', { ca });
    await once(socket, 'open');
    expect(gateway.status.connections).toBe(1);

    const closed = once(socket, 'close');
    await gateway.close({ drainTimeoutMs: 100 });
    expect((await closed)[0]).toBe(4410);
    expect(await get(`${url}/api/stations`, { ca })).toMatchObject({ status: 503 });
    expect((await get(new URL('/own', url).href, { ca })).body).toBe('own');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('without a listener it asks for its URL', async () => {
  await using folder = await temporaryFolder();
  const config = await configFor(folder.path, {});
  await expect(createGateway(config, { listen: false })).rejects.toMatchObject({
    code: 'config_invalid',
    message: expect.stringContaining('public_url is missing'),
  });
});
