import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from 'test-support/temporary-folder';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Answer, bearing } from './support/get.ts';
import {
  environment,
  eventCursor,
  isRunning,
  MOST_CONNECTIONS,
  metricOf,
  PATIENCE_MS,
  putAll,
  startedWorkers,
  startMachine,
  workersSections,
} from './support/machine.ts';
import { follow } from './support/operating.ts';
import { followFrom } from './support/resuming-follower.ts';
import { type RunningGateway } from './support/running-gateway.ts';
import { writeSampleConfig } from './support/sample-config.ts';
import { spawnGateway } from './support/spawn-gateway.ts';

/** A WebSocket that has said nothing yet. */
async function connectTo({ url, ca }: RunningGateway): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('https', 'wss')}/gateway`, 'rostack.v1', { ca });
  await once(socket, 'open');
  return socket;
}

describe('several workers', { timeout: 4 * PATIENCE_MS }, () => {
  test('SIGHUP replaces them one by one under load: nothing is refused, followers are told to go, counts stay', async () => {
    await using machine = await startMachine();
    const { gateway, token } = machine;
    const cursor = await eventCursor(machine);
    await using one = await followFrom(cursor, gateway, token);
    await using other = await followFrom(cursor, gateway, token);
    const headers = bearing(token);
    const statuses: number[] = [];
    const written: string[] = [];
    const isOver = new AbortController();
    const listing = (async () => {
      while (!isOver.signal.aborted)
        statuses.push((await gateway.get('/api/stations?limit=1', { headers })).status);
    })();
    const writing = (async () => {
      while (!isOver.signal.aborted) {
        const id = `s${written.length}`;
        // A connection that rests is closed when its process ends, as at every end.
        await putAll(machine, [id]);
        written.push(id);
      }
    })();
    const before = startedWorkers(machine);
    gateway.process.child.kill('SIGHUP');
    await gateway.process.prints(/"replaces":2/);
    isOver.abort();
    await Promise.all([listing, writing]);
    expect(new Set(statuses)).toEqual(new Set([200]));
    await expect.poll(() => [one.ids, other.ids]).toEqual([written, written]);
    expect([...one.errors, ...other.errors]).toEqual([]);
    // 1000: they were told, and left; nobody was cut off.
    expect(new Set([...one.ends, ...other.ends])).toEqual(new Set([1000]));
    expect(before.map(isRunning)).toEqual([false, false]);
    expect(await metricOf(machine, 'rostack_workers')).toBe(2);
    // The list before is among them. Of the workers that ended nothing is forgotten.
    expect(await metricOf(machine, 'rostack_http_requests_total')).toBe(statuses.length + 1);

    await writeFile(join(machine.folder, 'rostack-gateway.yaml'), 'identity: {}\n');
    gateway.process.child.kill('SIGHUP');
    await gateway.process.prints(/the workers are not replaced: [^\n]*identity\.id is missing/);
    expect((await gateway.get('/api/stations', { headers })).status).toBe(200);
    expect(startedWorkers(machine)).toHaveLength(4);
  });

  test('limits count for all of them together', async () => {
    await using machine = await startMachine(`
rates: { per_principal: { requests: 30, window: 1h }, failed_authentications: { attempts: 6, window: 1h } }
limits: { max_connections_per_principal: 3 }
`);
    const { gateway, token } = machine;
    const ask = async (count: number, presented: string) => {
      const answers: Answer[] = [];
      // Many handshakes at once would hold a worker up for so long that it counts alone.
      for (let asked = 0; asked < count; asked += 2) {
        const two = [0, 1].map(() => gateway.get('/api/stations', { headers: bearing(presented) }));
        answers.push(...(await Promise.all(two)));
      }
      return [200, 401, 429].map((status) => answers.filter((answer) => answer.status === status).length);
    };
    expect(await ask(12, 'rst1.wrong')).toEqual([0, 6, 6]);
    expect(await ask(40, token)).toEqual([30, 0, 10]);

    const { socket } = await follow(gateway, token);
    await follow(gateway, token);
    await follow(gateway, token);
    const fourth = await connectTo(gateway);
    const closed = once(fourth, 'close');
    fourth.send(JSON.stringify({ type: 'authenticate', method: 'shared_token', token }));
    expect((await closed)[0]).toBe(4429);
    const idle = await Promise.all(Array.from({ length: 7 }, () => connectTo(gateway)));
    await expect(connectTo(gateway)).rejects.toThrow('429');
    for (const each of idle) each.close();
    socket.close();
    // The places are there again, whoever had them.
    await expect
      .poll(() =>
        connectTo(gateway).then(
          (opened) => opened.close(),
          () => 'refused',
        ),
      )
      .toBeUndefined();

    // Those that were closed may still be open for the gateway.
    await expect.poll(() => metricOf(machine, 'rostack_connections{listener="data"}')).toBe(2);
    const tcp = Array.from({ length: MOST_CONNECTIONS }, () => connect(Number(new URL(gateway.url).port)));
    for (const each of tcp) each.on('error', () => {});
    // Two of them are followers.
    await expect.poll(() => tcp.filter((each) => each.closed).length).toBe(2);
    expect(await metricOf(machine, 'rostack_connections_refused_total')).toBe(2);
    for (const each of tcp) each.destroy();
    await expect
      .poll(() =>
        gateway.get('/.well-known/rostack').then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
  });

  test('a worker whose supervisor was killed before it could look serves nothing, and ends', async () => {
    await using folder = await temporaryFolder();
    await writeSampleConfig(folder.path, { sections: workersSections(2) });
    await using orphan = spawnGateway(['start'], {
      folder: folder.path,
      environment: { ...environment, ROSTACK_GATEWAY_WORKER: '1' },
    });
    expect(await orphan.exited()).toBe(0);
    expect(orphan.stdout).toBe('');
  });

  test('a start that fails says why, and leaves no process', async () => {
    await using folder = await temporaryFolder();
    await writeSampleConfig(folder.path, { sections: workersSections(2) });
    await writeFile(join(folder.path, 'data'), 'no folder');
    await using started = spawnGateway(['start'], { folder: folder.path, environment });
    expect(await started.exited()).toBe(1);
    expect(started.stderr).toMatch(/error: worker 1 ended before it served \(exit code 1\)/);
  });
});
