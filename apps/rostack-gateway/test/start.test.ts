import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { builtProgram } from 'test-support/built-program';
import { temporaryFolder } from 'test-support/temporary-folder';
import { describe, expect, test } from 'vitest';
import { bearing } from './support/get.ts';
import { createTokenIn } from './support/operating.ts';
import { runCommand } from './support/run-command.ts';
import { startGateway } from './support/running-gateway.ts';
import { stationSchema, writeSampleConfig } from './support/sample-config.ts';
import { spawnGateway } from './support/spawn-gateway.ts';

describe('a start', () => {
  const { name: _name, ...fewer } = stationSchema.properties;
  const narrower = { ...stationSchema, properties: fewer };
  const wider = { ...stationSchema, properties: { ...stationSchema.properties, note: { type: 'string' } } };

  /** Starts, and ends when it serves; the exit code and what was said. */
  async function tryStart(folder: string, environment: Record<string, string> = {}) {
    await using started = spawnGateway(['start'], { folder, environment });
    await Promise.race([started.prints(/on port (\d+)/).catch(() => {}), started.exited()]);
    const exitCode = started.child.exitCode ?? (await started.stop('SIGTERM'));
    return { exitCode, stderr: started.stderr };
  }

  test('is refused on a breaking change with the same API version, unless told otherwise', async () => {
    await using folder = await temporaryFolder();
    await writeSampleConfig(folder.path);
    expect(await tryStart(folder.path)).toMatchObject({ exitCode: 0 });
    await writeSampleConfig(folder.path, { schema: wider });
    expect(await tryStart(folder.path)).toMatchObject({ exitCode: 0 });

    await writeSampleConfig(folder.path, { schema: narrower });
    const refused = await tryStart(folder.path);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain('API version "1" was served with more than this configuration offers');
    expect(refused.stderr).toContain(
      '/resources/stations/representations/application~1json#/name: field removed',
    );
    expect(refused.stderr).toContain('/note: field removed');
    expect(refused.stderr).toContain(
      'Write another identity.api_version, or compatibility.allow_breaking: true',
    );

    await writeSampleConfig(folder.path, { schema: narrower, apiVersion: '2' });
    expect(await tryStart(folder.path)).toMatchObject({ exitCode: 0 });
    // The version of before still has its own document.
    await writeSampleConfig(folder.path, { schema: narrower });
    expect(await tryStart(folder.path)).toMatchObject({ exitCode: 1 });
    const allowed = await tryStart(folder.path, { ROSTACK__COMPATIBILITY__ALLOW_BREAKING: 'true' });
    expect(allowed.exitCode).toBe(0);
    expect(allowed.stderr).toContain('breaking changes, as allowed');
    expect(await tryStart(folder.path)).toMatchObject({ exitCode: 0 });
  });
});

test('a database that cannot be opened is named with its setting and without a password', async () => {
  await using folder = await temporaryFolder();
  const config = await writeSampleConfig(folder.path);
  const { exitCode, stderr } = await runCommand(['token', 'list', '--config', config], {
    environment: { ROSTACK__STORE__URL__ENV: 'STORE', STORE: 'postgres://me:secret@127.0.0.1:1/shop' },
  });
  expect(stderr).toBe(
    'error: store.url: the database shop at 127.0.0.1:1 cannot be opened: connect ECONNREFUSED 127.0.0.1:1\n',
  );
  expect(exitCode).toBe(1);
});

test('a gateway whose outputs nobody reads any more goes on, and ends in order', async () => {
  await using folder = await temporaryFolder();
  const config = await writeSampleConfig(folder.path);
  const token = await createTokenIn(config);
  await using running = await startGateway(folder.path);
  const { child } = running.process;
  child.stdout?.destroy();
  child.stderr?.destroy();
  for (let request = 0; request < 3; request += 1) {
    expect((await running.get('/api/stations', { headers: bearing(token) })).status).toBe(200);
  }
  expect(await running.process.stop()).toBe(0);
});

test.runIf(existsSync('/dev/full'))(
  'an output that cannot be written is told, and is a failure',
  async () => {
    await using folder = await temporaryFolder();
    await writeSampleConfig(folder.path);
    const program = builtProgram('apps/rostack-gateway/dist/cli/main.js');
    const full = openSync('/dev/full', 'w');
    const argv = [program, 'token', 'create', '--principal', 'me', '--grant', 'stations:read'];
    const { status, stderr } = spawnSync(process.execPath, argv, {
      cwd: folder.path,
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect(stderr).toContain('error: the output cannot be written: ENOSPC: no space left on device, write\n');
    expect(stderr).not.toContain('    at ');
    expect(status).toBe(1);
  },
);

describe('a start that is refused', () => {
  test('does not disturb a gateway that serves the same database', async () => {
    await using folder = await temporaryFolder();
    const config = await writeSampleConfig(folder.path);
    const token = await createTokenIn(config);
    await using running = await startGateway(folder.path);
    await writeSampleConfig(folder.path, { sortable: '[]' });
    await using refused = spawnGateway(['start'], { folder: folder.path });
    expect(await refused.exited()).toBe(1);
    expect(refused.stderr).toContain('/resources/stations/filtering/sortable_fields/~1height');
    const sorted = await running.get('/api/stations?sort=/height', { headers: bearing(token) });
    expect(sorted.status).toBe(200);
  });
});
