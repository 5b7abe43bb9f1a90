import { once } from 'node:events';
import { copyFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from 'test-support/temporary-folder';
import { watchProcess } from 'test-support/watch-process';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createGateway, loadConfig } from '../src/index.ts';
import { bearing, get } from './support/get.ts';
import { caOf, follow, tokenFor } from './support/observed.ts';
import { writeSampleConfig } from './support/sample-config.ts';

const HOOKS = [
  'onAuthenticated',
  'onAuthenticationFailed',
  'onClosed',
  'onConnected',
  'onDelivered',
  'onErrorSent',
  'onRequest',
];

const warnings = watchProcess();

test.each<[string, () => void]>([
  [
    'throw',
    () => {
      throw new Error('boom');
    },
  ],
  ['reject', () => Promise.reject(new Error('boom')) as unknown as void],
])('hooks and a log that %s harm nobody', async (_name, fail) => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'store.db');
  const config = await loadConfig(await writeSampleConfig(folder.path, { storeUrl: `sqlite:${file}` }), {
    environment: { STORE_URL: `sqlite:${file}` },
  });
  await (await createGateway(config)).close({ drainTimeoutMs: 0 });
  // A copy in its place is an alarm, for the log.
  await copyFile(file, `${file}.copy`);
  await rename(`${file}.copy`, file);

  const called = new Set<string>();
  const failing = (name: string) => () => {
    called.add(name);
    return fail();
  };
  await using gateway = await createGateway(config, {
    log: failing('log'),
    hooks: Object.fromEntries(HOOKS.map((name) => [name, failing(name)])),
  });
  const put = (id: string) =>
    gateway.store.apply([{ resource: 'stations', op: 'put', record: { id, height: 1 } }]);
  await put('a');
  const token = await tokenFor(gateway);
  const stranger = new WebSocket(gateway.implementation.discovery.endpoints.websocket, 'rostack.v1', {
    ca: caOf(gateway),
  });
  await once(stranger, 'open');
  stranger.send(JSON.stringify({ type: 'authenticate', method: 'shared_token', token: 'wrong' }));
  await once(stranger, 'close');
  const socket = await follow(gateway, token);
  const event = once(socket, 'message');
  await put('b');
  expect(JSON.parse(String((await event)[0]))).toMatchObject({ type: 'event', resource_id: 'b' });
  const url = `${gateway.url}/api/stations/b`;
  expect(await get(url, { ca: caOf(gateway), headers: bearing(token) })).toMatchObject({ status: 200 });
  await expect.poll(() => [...called].toSorted()).toEqual(['log', ...HOOKS]);
  socket.terminate();
  expect(new Set(warnings)).toEqual(new Set(['Warning: log failed: boom']));
});
