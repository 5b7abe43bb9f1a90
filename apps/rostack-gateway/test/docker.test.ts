import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { validate } from 'dockerfile-utils';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { lintCompose } from './support/lint-compose.ts';
import { runCommand } from './support/run-command.ts';

const docker = resolve(import.meta.dirname, '../docker');
const read = (name: string) => readFile(join(docker, name), 'utf8');

test('the linter finds nothing in the Dockerfile', async () => {
  expect(validate(await read('Dockerfile'))).toEqual([]);
  expect(validate('FROM node:24\nEXPOSE 70000x\n')).not.toEqual([]);
});

test('the linter, which knows the schema of compose files, finds nothing in compose.yaml', async () => {
  const { found, foundInBroken } = await lintCompose(join(docker, 'compose.yaml'));
  expect(found).toEqual([]);
  expect(foundInBroken).not.toEqual([]);
});

test('the configuration of the containers is right, and knows of every secret that compose mounts', async () => {
  await using folder = await temporaryFolder();
  const compose = parse(await read('compose.yaml'), { merge: true }) as {
    services: Record<string, { secrets?: string[]; volumes: string[] }>;
    secrets: Record<string, { file: string }>;
  };
  const secrets = join(folder.path, 'secrets');
  await mkdir(secrets);
  for (const name of Object.keys(compose.secrets)) {
    await writeFile(join(secrets, name), '0123456789abcdef0123456789abcdef0123456789abcdef');
  }
  await writeFile(join(secrets, 'store-url'), 'postgres://rostack:secret@database:5432/rostack');
  const config = join(folder.path, 'rostack-gateway.yaml');
  const text = await read('rostack-gateway.yaml');
  await writeFile(config, text.replaceAll('/run/secrets', secrets));
  await cp(join(docker, 'schemas'), join(folder.path, 'schemas'), { recursive: true });
  expect(await runCommand(['check-config', '--config', config])).toMatchObject({ exitCode: 0, stderr: '' });

  const mounted = compose.services['gateway-a']?.secrets ?? [];
  const named = [...text.matchAll(/\/run\/secrets\/([a-z-]+)/g)].map((match) => match[1]);
  expect(new Set(named)).toEqual(new Set(mounted));
});

test('make-secrets.sh makes every secret of compose.yaml, for its owner alone, and keeps those that are there', async () => {
  await using folder = await temporaryFolder();
  const script = join(folder.path, 'make-secrets.sh');
  await copyFile(join(docker, 'make-secrets.sh'), script);
  const run = () => promisify(execFile)('sh', [script]);
  await run();
  const compose = parse(await read('compose.yaml'), { merge: true }) as {
    secrets: Record<string, { file: string }>;
  };
  const contents = () =>
    Promise.all(Object.values(compose.secrets).map(({ file }) => readFile(join(folder.path, file), 'utf8')));
  const first = await contents();
  for (const { file } of Object.values(compose.secrets)) {
    expect((await stat(join(folder.path, file))).mode & 0o777).toBe(0o600);
  }
  await run();
  expect(await contents()).toEqual(first);
  expect(new Set(first).size).toBe(first.length);
});
