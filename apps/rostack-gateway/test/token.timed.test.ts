import { once } from 'node:events';
import { describePostgres, postgresSchema } from 'test-support/postgres';
import { type TemporaryFolder, temporaryFolder } from 'test-support/temporary-folder';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { bearing } from './support/get.ts';
import { runCommand } from './support/run-command.ts';
import { type RunningGateway, startGateway } from './support/running-gateway.ts';
import { writeSampleConfig } from './support/sample-config.ts';
import { spawnGateway } from './support/spawn-gateway.ts';

const TOKEN = /^rostack_([0-9A-Za-z]+)_([0-9A-Za-z]{40,})_([0-9A-Za-z]{6})\n$/;
const REVOCATION_MS = 5_000;

let folder: TemporaryFolder;
let config: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  config = await writeSampleConfig(folder.path);
});

afterEach(() => folder[Symbol.asyncDispose]());

const token = (...argv: string[]) => runCommand(['token', ...argv, '--config', config]);
const create = () => token('create', '--principal', 'team', '--grant', 'stations:read');
const list = async () => JSON.parse((await token('list', '--json')).stdout) as Record<string, unknown>[];

/** Asks until the answer is another; how long that took. */
async function untilRefused({ get }: RunningGateway, bearer: string): Promise<number> {
  const startedMs = performance.now();
  while ((await get('/api/stations', { headers: bearing(bearer) })).status === 200) {
    await new Promise((done) => setTimeout(done, 50));
  }
  return performance.now() - startedMs;
}

describe('a running gateway', () => {
  test('accepts a token made meanwhile, keeps its last use, and refuses it within 5 s of its revocation', async () => {
    await using gateway = await startGateway(folder.path);
    const bearer = (await create()).stdout.trim();
    const [, id = ''] = TOKEN.exec(`${bearer}\n`) ?? [];
    expect((await gateway.get('/api/stations')).status).toBe(401);
    expect((await gateway.get('/api/stations', { headers: bearing(bearer) })).status).toBe(200);
    await expect.poll(list).toMatchObject([{ id, last_used_at: expect.stringMatching(/^2/) }]);

    const socket = new WebSocket(`${gateway.url.replace('https', 'wss')}/gateway`, 'rostack.v1', {
      ca: gateway.ca,
    });
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'authenticate', method: 'shared_token', token: bearer }));
    await once(socket, 'message');

    const closed = once(socket, 'close');
    await using revoke = spawnGateway(['token', 'revoke', id], { folder: folder.path });
    expect(await revoke.exited()).toBe(0);
    const revokedMs = performance.now();
    expect(await untilRefused(gateway, bearer)).toBeLessThan(REVOCATION_MS);
    expect((await closed)[0]).toBe(4401);
    expect(performance.now() - revokedMs).toBeLessThan(REVOCATION_MS);
  });

  test('refuses the old token after a rotation, and accepts the new one', async () => {
    await using gateway = await startGateway(folder.path);
    const old = (await create()).stdout.trim();
    expect((await gateway.get('/api/stations', { headers: bearing(old) })).status).toBe(200);
    const fresh = (await token('rotate', old)).stdout.trim();
    expect((await gateway.get('/api/stations', { headers: bearing(fresh) })).status).toBe(200);
    expect(await untilRefused(gateway, old)).toBeLessThan(REVOCATION_MS);
  });
});

describePostgres('two gateways over one PostgreSQL database', () => {
  test('know the same tokens, and refuse a revoked one within 5 s', async () => {
    await using database = postgresSchema();
    await writeSampleConfig(folder.path, { storeUrl: database.url });
    const environment = { STORE_URL: database.url, ROSTACK__STORE__SCHEMA: database.schema };
    await using first = await startGateway(folder.path, environment);
    await using second = await startGateway(folder.path, environment);
    const both = [first, second];
    const argv = ['token', 'create', '-c', config, '-p', 'team', '-g', 'stations:read'];
    const bearer = (await runCommand(argv, { environment })).stdout.trim();
    for (const { get } of both) {
      expect((await get('/api/stations', { headers: bearing(bearer) })).status).toBe(200);
    }
    const revoked = await runCommand(['token', 'revoke', '-c', config, bearer], { environment });
    expect(revoked.exitCode).toBe(0);
    const waits = await Promise.all(both.map((gateway) => untilRefused(gateway, bearer)));
    expect(Math.max(...waits)).toBeLessThan(REVOCATION_MS);
  });
});
