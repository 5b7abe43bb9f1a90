import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DataListenerConfig } from '../../config/model/gateway-config.ts';
import { type Listener, listen } from './listener.ts';

let folder: string;
let listener: Listener;

const config: DataListenerConfig = {
  host: '127.0.0.1',
  port: 0,
  tls: { mode: 'development' },
  trustedProxies: [],
  strippedPathPrefix: '',
  hosts: [],
  connections: {
    max: 100,
    maxPerAddress: 100,
    handshakeTimeoutMs: 10_000,
    headersTimeoutMs: 10_000,
    requestTimeoutMs: 10_000,
    keepAliveTimeoutMs: 5_000,
    idleTimeoutMs: 60_000,
  },
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'listener-'));
  listener = await listen(config, { dataDir: folder, log: () => {} });
});

afterEach(async () => {
  listener.server.closeAllConnections();
  listener.server.close();
  await rm(folder, { recursive: true });
});

function statusOf(port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', rejectUnauthorized: false, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

test('answers 503 until somebody serves on it, then that one alone', async () => {
  const { server, port } = listener;
  expect(await statusOf(port)).toBe(503);
  server.on('clientError', () => {});
  expect(await statusOf(port)).toBe(503);
  server.on('request', (_request, response) => response.writeHead(204).end());
  expect(await statusOf(port)).toBe(204);
});

test('a port in use is reported with its number', async () => {
  const { port } = listener;
  await expect(listen({ ...config, port }, { dataDir: folder, log: () => {} })).rejects.toMatchObject({
    code: 'port_in_use',
    message: `Port ${port} is already in use.`,
  });
});
