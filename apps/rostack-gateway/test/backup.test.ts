import { readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore, type Store } from 'rostack-store';
import { temporaryFolder } from 'test-support/temporary-folder';
import { describe, expect, test } from 'vitest';
import { ADMIN, ADMIN_TOKEN, adminOf, put } from './support/operating.ts';
import { runCommand } from './support/run-command.ts';
import { startGateway } from './support/running-gateway.ts';
import { stationSchema, writeSampleConfig } from './support/sample-config.ts';

const stationsDefinition = { name: 'stations', idPointer: '/id', schema: stationSchema };
const openAt = (folder: string): Promise<Store> =>
  openStore({ url: `sqlite:${join(folder, 'data', 'store.db')}`, resources: [stationsDefinition] });

describe('backup and restore', () => {
  const run = (folder: string, ...argv: string[]) =>
    runCommand([...argv, '--config', join(folder, 'rostack-gateway.yaml')]);

  test('bring back what stood, under a new epoch, and void the cursors of before', async () => {
    await using folder = await temporaryFolder();
    const config = await writeSampleConfig(folder.path, { sections: ADMIN });
    await runCommand(
      ['token', 'create', '--principal', 'x', '--grant', 'stations:read', '--config', config],
      {
        environment: { ADMIN_TOKEN },
      },
    );
    const environment = { environment: { ADMIN_TOKEN } };
    const backup = join(folder.path, 'stations.backup');
    {
      await using gateway = await startGateway(folder.path, { ADMIN_TOKEN });
      const admin = await adminOf(gateway);
      await put(admin, 'a', 1);
      const taken = await runCommand(['backup', backup, '--config', config], environment);
      expect(taken).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`${backup}: `) });
      await put(admin, 'b', 2);
      const again = await runCommand(['backup', backup, '--config', config], environment);
      expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('exists') });

      // Not under a running gateway, wherever its file is.
      for (const argv of [
        ['restore', backup],
        ['restore', backup, '--move-aside'],
      ]) {
        const refused = await runCommand([...argv, '--config', config], environment);
        expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is in use') });
      }
      const database = join(folder.path, 'data', 'store.db');
      await rename(database, `${database}.elsewhere`);
      expect(await runCommand(['restore', backup, '--config', config], environment)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('is in use'),
      });
      await rename(`${database}.elsewhere`, database);
      expect(await gateway.process.stop('SIGTERM')).toBe(0);
    }
    const before = await openAt(folder.path);
    const { epoch } = await before.source('stations').head();
    await before.close();

    const overwriting = await runCommand(['restore', backup, '--config', config], environment);
    expect(overwriting).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('store.db exists: move it away, or add --move-aside'),
    });
    const restored = await runCommand(['restore', backup, '--move-aside', '--config', config], environment);
    expect(restored.stderr).toBe('');
    expect(restored).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('the previous database is now'),
    });
    await using store = await openAt(folder.path);
    const head = await store.source('stations').head();
    expect(head.position).toBe(1);
    expect(head.epoch).not.toBe(epoch);
    expect(await store.source('stations').get('b')).toBeUndefined();
    const aside = (await readdir(join(folder.path, 'data'))).filter((name) => name.startsWith('store.db.2'));
    expect(aside.length).toBeGreaterThan(0);
  });

  test('a gateway does not start while its database is restored, and a lock dies with its process', async () => {
    await using folder = await temporaryFolder();
    await writeSampleConfig(folder.path);
    await using killed = await startGateway(folder.path);
    await killed.process.stop('SIGKILL');
    const backup = join(folder.path, 'backup');
    expect(await run(folder.path, 'backup', backup)).toMatchObject({ exitCode: 0 });
    expect(await run(folder.path, 'restore', backup, '--move-aside')).toMatchObject({ exitCode: 0 });
  });

  test('a restore that fails leaves the database where it was', async () => {
    await using folder = await temporaryFolder();
    await writeSampleConfig(folder.path);
    const store = await openAt(folder.path);
    await store.apply([{ resource: 'stations', op: 'put', record: { id: 'a', height: 1 } }]);
    await store.close();
    const broken = join(folder.path, 'broken');
    await writeFile(broken, 'no database');
    const result = await run(folder.path, 'restore', broken, '--move-aside');
    expect(result).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('is not a complete backup'),
    });
    await using after = await openAt(folder.path);
    expect(await after.source('stations').head()).toMatchObject({ position: 1 });
  });

  test('are for SQLite', async () => {
    await using folder = await temporaryFolder();
    const config = await writeSampleConfig(folder.path, { storeUrl: 'postgres' });
    const environment = { STORE_URL: 'postgres://root@127.0.0.1:5432/test' };
    for (const command of ['backup', 'restore']) {
      const result = await runCommand([command, 'x', '--config', config], { environment });
      expect(result).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('for PostgreSQL') });
    }
  });
});
