import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from 'test-support/temporary-folder';
import { describe, expect, test } from 'vitest';
import { runCommand } from './support/run-command.ts';
import { startGateway } from './support/running-gateway.ts';
import { stationSchema, writeSampleConfig } from './support/sample-config.ts';

describe('diff', () => {
  const { place: _place, ...fewer } = stationSchema.properties;
  const fewerFields = { ...stationSchema, properties: fewer };

  test('of configurations, servers and files says what breaks, and whether the version says so', async () => {
    await using folder = await temporaryFolder();
    const config = await writeSampleConfig(folder.path);
    await using gateway = await startGateway(folder.path);
    const ca = join(folder.path, 'data', 'localhost.crt.pem');
    const broken = await writeSampleConfig(join(folder.path, 'broken'), { schema: fewerFields });
    const renamed = await writeSampleConfig(join(folder.path, 'renamed'), {
      schema: fewerFields,
      apiVersion: '2',
    });
    const document = join(folder.path, 'discovery.json');
    await writeFile(document, JSON.stringify((await gateway.get('/.well-known/rostack')).body));

    for (const old of [gateway.url, `${gateway.url}/.well-known/rostack`, document, config]) {
      const same = await runCommand(['diff', old, config, '--ca', ca]);
      expect(same).toEqual({ exitCode: 0, stdout: '', stderr: 'no breaking changes\n' });
      const worse = await runCommand(['diff', old, broken, '--ca', ca]);
      expect(worse.exitCode).toBe(1);
      expect(worse.stdout).toContain(
        '/resources/stations/representations/application~1json#/place: field removed',
      );
      expect(worse.stderr).toMatch(
        /^error: \d+ breaking changes, and the API version is still 1: it should change\n$/,
      );
      const versioned = await runCommand(['diff', old, renamed, '--ca', ca]);
      expect(versioned).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('has changed to 2') });
    }
    const backwards = await runCommand(['diff', broken, gateway.url, '--ca', ca]);
    expect(backwards).toMatchObject({ exitCode: 0 });
    const untrusted = await runCommand(['diff', gateway.url, config]);
    expect(untrusted).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('cannot be reached') });
  });

  test.each([
    [['diff', 'absent.json', 'absent.json'], 'absent.json: there is no such file: name the URL of a server'],
    [['diff', 'http://127.0.0.1:9', 'absent.json'], 'cannot be reached'],
    [['diff', 'absent.json'], "missing required argument 'new'"],
  ])('%j ends with exit code 2', async (argv, message) => {
    const { exitCode, stderr } = await runCommand(argv);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });

  test('a file may hold the schemas too', async () => {
    await using folder = await temporaryFolder();
    const config = await writeSampleConfig(folder.path);
    await using gateway = await startGateway(folder.path);
    const discovery = (await gateway.get('/.well-known/rostack')).body as {
      resources: { representations: { schema_url: string }[]; events: { schema_url: string }[] }[];
    };
    const urls = discovery.resources.flatMap(({ representations, events }) =>
      [...representations, ...events].map(({ schema_url }) => schema_url),
    );
    const schemas = Object.fromEntries(
      await Promise.all(
        urls.map(async (url) => [url, (await gateway.get(new URL(url).pathname)).body] as const),
      ),
    );
    await gateway.process.stop('SIGTERM');
    const bundle = join(folder.path, 'bundle.json');
    await writeFile(bundle, JSON.stringify({ discovery, schemas }));
    expect(await runCommand(['diff', bundle, config])).toMatchObject({ exitCode: 0 });
    const discoveryOnly = join(folder.path, 'discovery.json');
    await writeFile(discoveryOnly, JSON.stringify(discovery));
    const unreachable = await runCommand(['diff', discoveryOnly, config]);
    expect(unreachable).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('cannot be reached') });
    expect(await readFile(bundle, 'utf8')).toContain('schemas');
  });
});
