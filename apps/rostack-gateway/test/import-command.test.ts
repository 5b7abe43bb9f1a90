import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seededRandom } from 'test-support/seeded-random';
import { temporaryFolder } from 'test-support/temporary-folder';
import { describe, expect, test } from 'vitest';
import { idsOf, line, lines, openStations } from './support/importing.ts';
import { runCommand } from './support/run-command.ts';
import { writeSampleConfig } from './support/sample-config.ts';
import { spawnGateway } from './support/spawn-gateway.ts';

describe('the command', () => {
  test('says what it did, with exit code 1 after refused lines', async () => {
    await using folder = await temporaryFolder();
    const config = await writeSampleConfig(folder.path);
    const file = join(folder.path, 'stations.csv');
    await writeFile(file, 'id,height,open,/place/lat\na,1,true,37.5\nb,high,,\n');
    const rejects = join(folder.path, 'rejects.ndjson');
    const result = await runCommand(['import', 'stations', file, '--config', config, '--rejects', rejects]);
    expect(result).toEqual({
      exitCode: 1,
      stdout: 'records 2: created 1, updated 0, unchanged 0, refused 1\n',
      stderr: `error: 1 of 2 records were refused: see ${rejects}\n`,
    });
    expect(JSON.parse(await readFile(rejects, 'utf8'))).toEqual({
      line: 3,
      code: 'csv_cell_invalid',
      pointer: '/height',
      message: '"high" is not a number',
      text: 'b,high,,',
    });
    expect(await readdir(join(folder.path, 'data', 'imports'))).toEqual([]);
  });

  test.each([
    ['ndjson', line('a', 1)],
    ['csv', 'id,height\na,1\n'],
  ])('a file in UTF-16 is refused as such, and no record written: %s', async (format, text) => {
    await using folder = await temporaryFolder();
    const config = await writeSampleConfig(folder.path);
    const file = join(folder.path, `stations.${format}`);
    await writeFile(file, Buffer.from(`\ufeff${text}`, 'utf16le'));
    const result = await runCommand(['import', 'stations', file, '--config', config, '--delete-missing']);
    expect(result).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'error: the records cannot be read: it is UTF-16; save it as UTF-8\n',
    });
    await using store = await openStations(`sqlite:${join(folder.path, 'data', 'store.db')}`);
    expect(await idsOf(store.source('stations'))).toEqual([]);
  });

  test('logs the named events where a resource has several for a transition', async () => {
    await using folder = await temporaryFolder();
    const config = await writeSampleConfig(folder.path, {
      events: ['station.moved: { transition: update }', 'station.sunk: { transition: delete }'],
    });
    const file = join(folder.path, 'stations.ndjson');
    const run = (...argv: string[]) => runCommand(['import', 'stations', file, '--config', config, ...argv]);
    await writeFile(file, line('a', 1) + line('b', 1));
    expect((await run()).exitCode).toBe(0);
    await writeFile(file, line('a', 2));
    for (const argv of [['--dry-run'], []]) {
      expect(await run(...argv)).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('refused 1') });
    }
    const named = ['--event', 'station.moved', '--event', 'station.sunk'];
    expect((await run('--delete-missing', ...named)).stdout).toContain(
      'updated 1, unchanged 0, refused 0, deleted 1',
    );
    await using store = await openStations(`sqlite:${join(folder.path, 'data', 'store.db')}`);
    const changes = await store.source('stations').read(2, 10);
    expect(changes.map(({ eventType }) => eventType)).toEqual(['station.moved', 'station.sunk']);
    const both = await run('--event', 'station.moved', '--event', 'station.updated');
    expect(both).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('are both for update') });
    const unknown = await run('--event', 'station.lost');
    expect(unknown).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('has no event station.lost'),
    });
  });

  test.each([
    [['import', 'stations', 'stations.txt'], 'add --format ndjson or --format csv'],
    [['import', 'stations', 'absent.ndjson'], 'absent.ndjson cannot be read'],
    [['import', 'planets', '-', '--format', 'ndjson'], 'there is no resource planets: name one of stations'],
    [['import', 'stations', '-', '--format', 'xml'], 'write ndjson or csv'],
    [['import', 'stations', 'a.ndjson', '--delimiter', ';'], '--delimiter is for CSV'],
  ])('%j ends with exit code 2', async (argv, message) => {
    await using folder = await temporaryFolder();
    const config = await writeSampleConfig(folder.path);
    const { exitCode, stderr } = await runCommand([...argv, '--config', config]);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });

  test('killed at any moment, again and again, ends with each record written once', async () => {
    await using folder = await temporaryFolder();
    const count = 60_000;
    await writeSampleConfig(folder.path);
    await writeFile(join(folder.path, 'stations.ndjson'), lines(count));
    const argv = ['import', 'stations', 'stations.ndjson'];
    const random = seededRandom();
    let kills = 0;
    for (; kills < 4; kills += 1) {
      await using command = spawnGateway(argv, { folder: folder.path });
      const store = join(folder.path, 'data', 'imports');
      await expect.poll(() => readdir(store).catch(() => [])).not.toEqual([]);
      await new Promise((done) => setTimeout(done, random.int(100, 350)));
      if (command.child.exitCode !== null) break;
      await command.stop('SIGKILL');
    }
    await using last = spawnGateway(argv, { folder: folder.path });
    expect(await last.exited()).toBe(0);
    expect(kills).toBeGreaterThan(0);
    await using store = await openStations(`sqlite:${join(folder.path, 'data', 'store.db')}`);
    expect(await store.source('stations').head()).toMatchObject({ position: count });
    expect(await idsOf(store.source('stations'))).toHaveLength(count);
  });

  test('stops at SIGINT in good order', async () => {
    await using folder = await temporaryFolder();
    await writeSampleConfig(folder.path);
    await writeFile(join(folder.path, 'stations.ndjson'), lines(200_000));
    await using command = spawnGateway(['import', 'stations', 'stations.ndjson'], { folder: folder.path });
    const imports = join(folder.path, 'data', 'imports');
    await expect.poll(() => readdir(imports).catch(() => [])).not.toEqual([]);
    expect(await command.stop('SIGINT')).toBe(1);
    expect(command.stderr).toContain('stopped: run the same command again to continue');
  });
});
