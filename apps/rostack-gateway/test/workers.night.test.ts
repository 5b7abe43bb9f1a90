import { join } from 'node:path';
import { describePostgres, postgresSchema, queryPostgres } from 'test-support/postgres';
import { temporaryFolder } from 'test-support/temporary-folder';
import { describe, expect, test } from 'vitest';
import { bearing } from './support/get.ts';
import {
  environment,
  eventCursor,
  idsOf,
  isRunning,
  metricOf,
  PATIENCE_MS,
  putAll,
  startedWorkers,
  startMachine,
  workersSections,
} from './support/machine.ts';
import { adminOf, createTokenIn, follow, put } from './support/operating.ts';
import { followFrom, type ResumingFollower } from './support/resuming-follower.ts';
import { runCommand } from './support/run-command.ts';
import { startGateway } from './support/running-gateway.ts';
import { writeSampleConfig } from './support/sample-config.ts';

describe('several workers', { timeout: 4 * PATIENCE_MS }, () => {
  test('a worker that is killed, the lead too, is replaced: no event is lost, followers of others stay', async () => {
    await using machine = await startMachine();
    const { gateway, token } = machine;
    await using stack = new AsyncDisposableStack();
    const cursor = await eventCursor(machine);
    const followers: ResumingFollower[] = [];
    for (let count = 0; count < 6; count += 1)
      followers.push(stack.use(await followFrom(cursor, gateway, token)));
    const expected: string[] = [];
    const write = async (prefix: string) => {
      const ids = idsOf(prefix, 10);
      expected.push(...ids);
      await putAll(machine, ids);
    };
    const allEvents = () =>
      expect
        .poll(() => followers.map(({ ids }) => ids), { timeout: PATIENCE_MS })
        .toEqual(followers.map(() => expected));
    await write('before');
    await allEvents();

    const [lead, other] = startedWorkers(machine);
    expect([lead?.isLead, other?.isLead]).toEqual([true, false]);
    process.kill(other?.pid ?? 0, 'SIGKILL');
    await write('other');
    await allEvents();
    // Connections are handed out in turn, so half of them were with the one that died.
    expect(followers.filter(({ ends }) => ends.length > 0)).toHaveLength(3);
    await expect.poll(() => startedWorkers(machine).length, { timeout: PATIENCE_MS }).toBe(3);
    await expect.poll(() => metricOf(machine, 'rostack_workers')).toBe(2);

    process.kill(lead?.pid ?? 0, 'SIGKILL');
    await write('lead');
    await allEvents();
    expect(startedWorkers(machine).at(-1)).toMatchObject({ isLead: true });
    expect(await metricOf(machine, 'rostack_worker_restarts_total')).toBe(2);
    expect(followers.flatMap(({ errors }) => errors)).toEqual([]);
  });

  test('a lead that is stopped is replaced after missed signs of life, and no event is lost', async () => {
    await using machine = await startMachine();
    const { gateway, token } = machine;
    const cursor = await eventCursor(machine);
    await using follower = await followFrom(cursor, gateway, token);
    await putAll(machine, idsOf('before', 5));
    const [lead] = startedWorkers(machine);
    process.kill(lead?.pid ?? 0, 'SIGSTOP');
    await expect.poll(() => startedWorkers(machine).length, { timeout: PATIENCE_MS }).toBe(3);
    expect(startedWorkers(machine).at(-1)).toMatchObject({ isLead: true });
    expect(lead && isRunning(lead)).toBe(false);
    await putAll(machine, idsOf('after', 5));
    await expect
      .poll(() => follower.ids, { timeout: PATIENCE_MS })
      .toEqual([...idsOf('before', 5), ...idsOf('after', 5)]);
    expect(await metricOf(machine, 'rostack_worker_restarts_total')).toBe(1);
  });

  test('SIGHUP takes up how many there are to be', async () => {
    await using machine = await startMachine();
    const { gateway, token, folder } = machine;
    await using follower = await followFrom(await eventCursor(machine), gateway, token);
    const become = async (workers: number) => {
      await writeSampleConfig(folder, { sections: workersSections(workers) });
      gateway.process.child.kill('SIGHUP');
      await gateway.process.prints(new RegExp(`"workers":${workers},"before":\\d,`));
      expect(startedWorkers(machine).filter(isRunning)).toHaveLength(workers);
      expect(await metricOf(machine, 'rostack_workers')).toBe(workers);
      expect((await gateway.get('/api/stations', { headers: bearing(token) })).status).toBe(200);
      await putAll(machine, [`of${workers}`]);
      await expect.poll(() => follower.ids.at(-1)).toBe(`of${workers}`);
    };
    await become(4);
    // The one that is left is the lead.
    await become(1);
    await become(2);
    expect(follower.ids).toEqual(['of4', 'of1', 'of2']);
    expect(follower.errors).toEqual([]);
    expect(await metricOf(machine, 'rostack_worker_restarts_total')).toBe(0);
  });

  test('a revoked token ends the connections of all, and SIGTERM drains all', async () => {
    await using machine = await startMachine();
    const { gateway, folder, token } = machine;
    const config = join(folder, 'rostack-gateway.yaml');
    const other = await createTokenIn(config, environment);
    const ended = await Promise.all([1, 2, 3, 4].map(() => follow(gateway, other)));
    const kept = await Promise.all([1, 2, 3, 4].map(() => follow(gateway, token)));
    const revoked = await runCommand(['token', 'revoke', other, '--config', config], {
      environment,
    });
    expect(revoked.exitCode).toBe(0);
    expect(await Promise.all(ended.map(({ closed }) => closed))).toEqual([4401, 4401, 4401, 4401]);

    const workers = startedWorkers(machine);
    expect(await gateway.process.stop('SIGTERM')).toBe(0);
    expect(await Promise.all(kept.map(({ closed }) => closed))).toEqual([4410, 4410, 4410, 4410]);
    for (const { messages } of kept)
      expect(messages).toContainEqual(expect.objectContaining({ type: 'go_away' }));
    expect(workers.map(isRunning)).toEqual([false, false]);
  });
});

describePostgres('several workers over PostgreSQL', () => {
  test('watch the database once', async () => {
    await using database = postgresSchema();
    await using folder = await temporaryFolder();
    const surroundings = { ...environment, STORE_URL: database.url, ROSTACK__STORE__SCHEMA: database.schema };
    const config = await writeSampleConfig(folder.path, {
      storeUrl: database.url,
      sections: workersSections(2),
    });
    const token = await createTokenIn(config, surroundings);
    await using gateway = await startGateway(folder.path, surroundings);
    const admin = await adminOf(gateway);
    const followers = await Promise.all([1, 2, 3, 4].map(() => follow(gateway, token)));
    expect((await put(admin, 'a', 1)).status).toBe(201);
    await expect
      .poll(() => followers.map(({ messages }) => messages.at(-1)?.['resource_id']))
      .toEqual(['a', 'a', 'a', 'a']);
    const listening = await queryPostgres(
      `select count(*)::int as count from pg_stat_activity where query like 'listen %${database.schema}%'`,
    );
    expect(listening).toEqual([{ count: 1 }]);
    for (const { socket } of followers) socket.terminate();
  });
});
